// Which GPUs may a plan of this job count on, now or once the partition is idle? In time linear in
// the GPUs, and with nothing built for each: a submission waits for it.
#include "libplanner/request/scope/available_gpus.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "libplanner/plan/pick.hpp"
#include "libplanner/request/scope/cpu_need.hpp"

namespace hora::request {
namespace {

// The GPUs of one node: [first, last) of the cluster's.
struct Span {
    std::size_t first = 0;
    std::size_t last = 0;

    std::size_t size() const { return last - first; }
};

Span node_from(const domain::Cluster& cluster, std::size_t first) {
    const std::vector<domain::Gpu>& gpus = cluster.gpus;
    const auto last = std::find_if(
        gpus.begin() + static_cast<std::ptrdiff_t>(first), gpus.end(),
        [node = gpus[first].node](const domain::Gpu& gpu) { return gpu.node != node; });
    return {first, static_cast<std::size_t>(last - gpus.begin())};
}

bool is_idle(const domain::Snapshot& snapshot, std::uint32_t node,
             std::span<const domain::Gpu> gpus) {
    const std::uint32_t cpus = snapshot.cluster.nodes[node].cpus;
    return std::all_of(gpus.begin(), gpus.end(),
                       [](const domain::Gpu& gpu) { return gpu.is_free; }) &&
           (cpus == 0 || snapshot.states[node].free_cpus >= cpus);
}

constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();

std::uint64_t cpu_bound(const domain::Node& node, const domain::NodeState& state,
                        const domain::Partition& partition, Capacity capacity) {
    if (node.cpus == 0) {
        return no_bound;  // not known
    }
    const std::uint32_t cpus =
        capacity.as_if_idle ? node.cpus : std::min(node.cpus, state.free_cpus);
    return std::min({cpus, partition.max_cpus_per_node.value_or(cpus), capacity.max_cpus_of_node});
}

// How many GPUs a node can give, going by its CPUs and memory.
std::uint64_t gpu_bound(const domain::Node& node, const domain::NodeState& state,
                        const domain::Partition& partition, const Submission& submission,
                        const CpuNeed& need, Capacity capacity) {
    const std::uint64_t cpus = std::min(cpu_bound(node, state, partition, capacity),
                                        memory_bound(state, submission.memory_per_cpu));
    return std::min<std::uint64_t>({capacity.max_gpus_of_node, need.most_gpus(cpus),
                                    memory_bound(state, submission.memory_per_gpu)});
}

// By device of the cluster, whether the job may have it.
std::vector<char> wanted_devices(const domain::Cluster& cluster, const std::string& type) {
    std::vector<char> wanted;
    wanted.reserve(cluster.devices.size());
    for (const domain::Device& device : cluster.devices) {
        wanted.push_back(type.empty() || device.name == type);
    }
    return wanted;
}

// So many of a node's available ones that lie closest together.
void keep_nearest(AvailableGpus& available, Span node, plan::NodeFits& fits, std::size_t count) {
    std::vector<std::uint32_t> there;
    for (std::size_t i = node.first; i < node.last; ++i) {
        if (available[i] != 0) {
            there.push_back(static_cast<std::uint32_t>(i));
        }
        available[i] = 0;
    }
    for (const std::uint32_t gpu : plan::nearest(fits, plan::Closeness::of_all, there, count)) {
        available[gpu] = 1;
    }
}

}  // namespace

bool is_idle(const domain::Snapshot& snapshot, std::uint32_t node) {
    return is_idle(snapshot, node, domain::gpus_of_node(snapshot.cluster, node));
}

AvailableGpus available_gpus(const Scope& scope, const Submission& submission,
                             const domain::Partition& partition, const domain::Snapshot& snapshot,
                             Capacity capacity) {
    const domain::Cluster& cluster = snapshot.cluster;
    const std::vector<char> wanted = wanted_devices(cluster, submission.gpus.type);
    const CpuNeed need = cpu_need(submission);
    const bool is_whole_needed = submission.is_exclusive && !capacity.as_if_idle;
    AvailableGpus result(cluster.gpus.size(), 0);
    plan::NodeFits fits(cluster);
    auto in_scope = scope.nodes.begin();
    for (Span gpus; gpus.last < cluster.gpus.size();) {
        gpus = node_from(cluster, gpus.last);
        const std::uint32_t node = cluster.gpus[gpus.first].node;
        while (in_scope != scope.nodes.end() && *in_scope < node) {
            ++in_scope;
        }
        if (in_scope == scope.nodes.end() || *in_scope != node ||
            (is_whole_needed &&
             !is_idle(snapshot, node, std::span(cluster.gpus).subspan(gpus.first, gpus.size())))) {
            continue;
        }
        std::size_t there = 0;
        for (std::size_t i = gpus.first; i < gpus.last; ++i) {
            const domain::Gpu& gpu = cluster.gpus[i];
            result[i] = (gpu.is_free || capacity.as_if_idle) && wanted[gpu.device] != 0 ? 1 : 0;
            there += static_cast<std::size_t>(result[i]);
        }
        const std::uint64_t left = gpu_bound(cluster.nodes[node], snapshot.states[node], partition,
                                             submission, need, capacity);
        if (left < there) {
            keep_nearest(result, gpus, fits, left);
        }
    }
    return result;
}

void leave_surplus(AvailableGpus& available, const domain::Snapshot& snapshot,
                   std::size_t most_nodes) {
    using Kind = std::pair<std::uint32_t, std::string_view>;
    const bool are_compared = !snapshot.alike.empty();
    std::map<Kind, std::size_t> seen;
    auto latest = seen.end();  // nodes next to each other are mostly of one kind
    for (Span gpus; are_compared && gpus.last < available.size();) {
        gpus = node_from(snapshot.cluster, gpus.last);
        char* const own = available.data() + gpus.first;
        const Kind kind{snapshot.alike[snapshot.cluster.gpus[gpus.first].node],
                        std::string_view(own, gpus.size())};
        if (latest == seen.end() || latest->first != kind) {
            // The view is of a node that is kept, so it stays as it is.
            latest = seen.try_emplace(kind, 0).first;
        }
        if (latest->second < most_nodes) {
            ++latest->second;
        } else {
            std::fill_n(own, gpus.size(), '\0');
        }
    }
}

}  // namespace hora::request
