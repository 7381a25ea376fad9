// Which nodes can give a job so many GPUs, its own counted as free?
#include "scripts/horad/resize/node_fit.hpp"

#include <algorithm>
#include <iterator>

#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/request/scope/available_gpus.hpp"
#include "scripts/horad/observe/headroom.hpp"
#include "scripts/horad/observe/job_request.hpp"

namespace hora::horad {

NodeFit::NodeFit(const slurm::Job& job, const ResizeRules& rules, const domain::Snapshot& snapshot)
    : job_(job), rules_(rules), snapshot_(snapshot), limits_(limits_of(job, snapshot)) {
    free_own();
    for (const std::uint32_t node : nodes()) {
        rooms_.push_back({node, count(node, true), count(node, false)});
    }
}

std::optional<std::uint32_t> NodeFit::nodes_for(std::uint32_t gpus, bool now) const {
    for (std::uint32_t nodes = 1; nodes <= gpus; ++nodes) {
        if (has_room(nodes, gpus, now) && why_over(limits_, claim(nodes, gpus)).empty()) {
            return nodes;
        }
    }
    return std::nullopt;
}

std::string NodeFit::limit_of(std::uint32_t gpus, bool now) const {
    for (std::uint32_t nodes = 1; nodes <= gpus; ++nodes) {
        if (has_room(nodes, gpus, now)) {
            return why_over(limits_, claim(nodes, gpus));
        }
    }
    return {};
}

bool NodeFit::has_room(std::uint32_t nodes, std::uint32_t gpus, bool now) const {
    return gpus % nodes == 0 && is_allowed(nodes, gpus / nodes) &&
           candidates(gpus / nodes, now).size() >= nodes;
}

request::Claim NodeFit::claim(std::uint32_t nodes, std::uint32_t gpus) const {
    return with_charge({.nodes = nodes,
                        .gpus_per_node = gpus / nodes,
                        .cpus_per_node = rules_.cpus_with(gpus / nodes)},
                       job_);
}

std::vector<std::uint32_t> NodeFit::candidates(std::uint32_t gpus, bool now) const {
    std::vector<Room> fitting;
    std::copy_if(rooms_.begin(), rooms_.end(), std::back_inserter(fitting),
                 [&](const Room& room) { return (now ? room.free : room.all) >= gpus; });
    std::stable_sort(fitting.begin(), fitting.end(),
                     [](const Room& a, const Room& b) { return a.free < b.free; });
    std::vector<std::uint32_t> nodes;
    for (const Room& room : fitting) {
        nodes.push_back(room.node);
    }
    return nodes;
}

std::vector<std::uint32_t> NodeFit::scope() const {
    std::vector<std::uint32_t> nodes;
    for (const Room& room : rooms_) {
        nodes.push_back(room.node);
    }
    return nodes;
}

// Of a copy of the snapshot. On a node that does not answer Slurm would not start it again.
void NodeFit::free_own() {
    for (const slurm::GpusOfNode& own : job_.allocation) {
        for (domain::Gpu& gpu : snapshot_.cluster.gpus) {
            if (snapshot_.cluster.nodes[gpu.node].name == own.node &&
                std::binary_search(own.indices.begin(), own.indices.end(), gpu.index)) {
                gpu.is_free = snapshot_.states[gpu.node].answers;
                type_ = snapshot_.cluster.devices[gpu.device].name;
            }
        }
    }
    const std::uint32_t cpus =
        job_.allocation.empty() ? 0 : job_.shape.cpus / std::max(1U, job_.shape.nodes);
    for (std::size_t node = 0; node < snapshot_.states.size(); ++node) {
        const std::string& name = snapshot_.cluster.nodes[node].name;
        if (snapshot_.states[node].answers &&
            std::any_of(job_.allocation.begin(), job_.allocation.end(),
                        [&](const slurm::GpusOfNode& own) { return own.node == name; })) {
            std::uint32_t& free = snapshot_.states[node].free_cpus;
            free = job_.is_exclusive ? snapshot_.cluster.nodes[node].cpus : free + cpus;
        }
    }
    if (!rules_.gpu_type.empty()) {
        type_ = rules_.gpu_type;
    }
}

std::vector<std::uint32_t> NodeFit::nodes() const {
    const auto scope = scope_of(job_, snapshot_, window_of(job_, snapshot_, job_.updated));
    return scope ? scope->nodes : std::vector<std::uint32_t>();
}

std::uint32_t NodeFit::count(std::uint32_t node, bool now) const {
    if (now && job_.is_exclusive && !request::is_idle(snapshot_, node)) {
        return 0;
    }
    const domain::Cluster& cluster = snapshot_.cluster;
    const auto first =
        std::partition_point(cluster.gpus.begin(), cluster.gpus.end(),
                             [&](const domain::Gpu& gpu) { return gpu.node < node; });
    std::uint32_t gpus = 0;
    for (auto gpu = first; gpu != cluster.gpus.end() && gpu->node == node; ++gpu) {
        const bool is_meant = type_.empty() || cluster.devices[gpu->device].name == type_;
        gpus += is_meant && (!now || gpu->is_free) ? 1 : 0;
    }
    const std::uint32_t cpus = now ? snapshot_.states[node].free_cpus : cluster.nodes[node].cpus;
    const bool is_known = now || cpus > 0;
    while (is_known && gpus > 0 && rules_.cpus_with(gpus) > cpus) {
        --gpus;
    }
    return gpus;
}

bool NodeFit::is_allowed(std::uint32_t nodes, std::uint32_t per_node) const {
    const auto required = read::expand_hostlist(job_.required_nodes);
    return nodes >= rules_.least_nodes && nodes <= rules_.most_nodes &&
           (rules_.gpus_per_node == 0 || rules_.gpus_per_node == per_node) &&
           (job_.required_nodes.empty() || !required || required->size() <= nodes);
}

}  // namespace hora::horad
