// Which nodes can give a job so many GPUs, its own counted as free?
#include "scripts/horad/node_fit.hpp"

#include <algorithm>
#include <iterator>

#include "libplanner/read/hostlist.hpp"
#include "plugins/job_submit/features.hpp"

namespace hora::horad {

NodeFit::NodeFit(const slurm::JobView& job, const ResizeRules& rules,
                 const domain::Snapshot& snapshot)
    : job_(job), rules_(rules), snapshot_(snapshot) {
    free_own();
    for (const std::uint32_t node : nodes()) {
        rooms_.push_back({node, count(node, true), count(node, false)});
    }
}

std::optional<std::uint32_t> NodeFit::nodes_for(std::uint32_t gpus, bool now) const {
    for (std::uint32_t nodes = 1; nodes <= gpus; ++nodes) {
        if (gpus % nodes == 0 && is_allowed(nodes, gpus / nodes) &&
            candidates(gpus / nodes, now).size() >= nodes) {
            return nodes;
        }
    }
    return std::nullopt;
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
    for (const slurm::GpusOfNode& own : job_.gpus) {
        for (domain::Gpu& gpu : snapshot_.cluster.gpus) {
            if (snapshot_.cluster.nodes[gpu.node].name == own.node &&
                std::binary_search(own.indices.begin(), own.indices.end(), gpu.index)) {
                gpu.is_free = snapshot_.states[gpu.node].answers;
                type_ = snapshot_.cluster.devices[gpu.device].name;
            }
        }
    }
    const std::uint32_t cpus =
        job_.gpus.empty() ? 0 : job_.shape.cpus / std::max(1U, job_.shape.nodes);
    for (std::size_t node = 0; node < snapshot_.states.size(); ++node) {
        const std::string& name = snapshot_.cluster.nodes[node].name;
        if (snapshot_.states[node].answers &&
            std::any_of(job_.gpus.begin(), job_.gpus.end(),
                        [&](const slurm::GpusOfNode& own) { return own.node == name; })) {
            snapshot_.states[node].free_cpus += cpus;
        }
    }
    if (!rules_.gpu_type.empty()) {
        type_ = rules_.gpu_type;
    }
}

// Usable ones of its partition, as its constraint and its node lists say.
std::vector<std::uint32_t> NodeFit::nodes() const {
    const auto excluded = read::expand_hostlist(job_.excluded_nodes);
    const auto required = read::expand_hostlist(job_.required_nodes);
    const auto names = [](const auto& list, const std::string& name) {
        return list && std::find(list->begin(), list->end(), name) != list->end();
    };
    std::vector<std::uint32_t> nodes;
    for (const domain::Partition& partition : snapshot_.partitions) {
        if (partition.name != job_.partition) {
            continue;
        }
        for (const std::uint32_t node : partition.nodes) {
            const std::string& name = snapshot_.cluster.nodes[node].name;
            const domain::NodeState& state = snapshot_.states[node];
            const bool is_required = job_.required_nodes.empty() || names(required, name);
            if (state.is_usable && is_required && !names(excluded, name) &&
                submit::satisfies(job_.features, state.features).value_or(true)) {
                nodes.push_back(node);
            }
        }
    }
    return nodes;
}

std::uint32_t NodeFit::count(std::uint32_t node, bool now) const {
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
    if (rules_.tasks_per_node > 0) {
        const bool has_room = cpus >= rules_.tasks_per_node * rules_.cpus_per_task;
        return is_known && !has_room ? 0 : gpus;
    }
    return is_known ? std::min(gpus, cpus / rules_.cpus_per_task) : gpus;
}

bool NodeFit::is_allowed(std::uint32_t nodes, std::uint32_t per_node) const {
    const auto required = read::expand_hostlist(job_.required_nodes);
    return nodes >= rules_.least_nodes && nodes <= rules_.most_nodes &&
           (rules_.gpus_per_node == 0 || rules_.gpus_per_node == per_node) &&
           (job_.required_nodes.empty() || !required || required->size() <= nodes);
}

}  // namespace hora::horad
