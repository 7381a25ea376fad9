// What would Slurm be asked for, to get this plan?
#include "libplanner/request/rewrite/shape.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace hora::request {
namespace {

std::vector<std::uint32_t> nodes_of(const domain::Plan& plan, const domain::Cluster& cluster) {
    std::vector<std::uint32_t> nodes;
    for (const domain::Member& member : plan.members) {
        nodes.push_back(cluster.gpus[member.gpu].node);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

std::vector<PlannedType> types_of(const domain::Plan& plan, const domain::Cluster& cluster) {
    struct Use {
        std::set<std::uint32_t> nodes;
        std::uint64_t share = 0;
    };
    std::map<std::string, Use> uses;
    std::uint64_t largest = 1;
    for (const domain::Member& member : plan.members) {
        const domain::Gpu& gpu = cluster.gpus[member.gpu];
        Use& use = uses[cluster.devices[gpu.device].name];
        use.nodes.insert(gpu.node);
        use.share = std::max(use.share, member.share);
        largest = std::max(largest, member.share);
    }
    std::vector<PlannedType> types;
    for (const auto& [name, use] : uses) {
        types.push_back({.name = name,
                         .nodes = static_cast<std::uint32_t>(use.nodes.size()),
                         .speed = static_cast<double>(use.share) / static_cast<double>(largest)});
    }
    return types;
}

struct ByNode {
    bool operator()(const domain::Gpu& gpu, std::uint32_t node) const { return gpu.node < node; }
    bool operator()(std::uint32_t node, const domain::Gpu& gpu) const { return node < gpu.node; }
};

std::uint32_t gpus_on(const domain::Cluster& cluster, std::uint32_t node) {
    const auto [first, last] =
        std::equal_range(cluster.gpus.begin(), cluster.gpus.end(), node, ByNode());
    return static_cast<std::uint32_t>(last - first);
}

// What a node can give to this job: the part of its CPUs that goes with its GPUs, of what is free.
std::uint32_t cpus_on(std::uint32_t node, std::uint32_t gpus, const Submission& submission,
                      const domain::Partition& partition, const domain::Snapshot& snapshot,
                      bool as_if_idle) {
    const std::uint32_t all = snapshot.cluster.nodes[node].cpus;
    const domain::NodeState& state = snapshot.states[node];
    const std::uint32_t fitted = std::max(gpus, gpus_on(snapshot.cluster, node));
    std::uint64_t cpus = std::uint64_t{all} * gpus / std::max(1U, fitted);
    if (!as_if_idle) {
        cpus = std::min<std::uint64_t>(cpus, state.free_cpus);
    }
    cpus = std::min<std::uint64_t>(cpus, partition.max_cpus_per_node.value_or(all));
    cpus = std::min(cpus, memory_bound(state, submission.memory_per_cpu));
    return static_cast<std::uint32_t>(cpus);
}

std::uint32_t cpus_per_task(const Shape& shape, const std::vector<std::uint32_t>& nodes,
                            const Submission& submission, const Limits& limits,
                            const domain::Partition& partition, const domain::Snapshot& snapshot,
                            bool as_if_idle) {
    std::uint32_t least = std::numeric_limits<std::uint16_t>::max() - 2;
    std::uint32_t threads = 1;
    for (const std::uint32_t node : nodes) {
        if (snapshot.cluster.nodes[node].cpus == 0) {
            return 0;
        }
        const std::uint32_t cpus =
            cpus_on(node, shape.gpus_per_node, submission, partition, snapshot, as_if_idle) /
            std::max(1U, shape.tasks_per_node);
        least = std::min(least, cpus);
        threads = std::max(threads, snapshot.states[node].threads_per_core);
    }
    if (limits.cpus_of_node.most) {
        least = std::min(least, *limits.cpus_of_node.most / std::max(1U, shape.tasks_per_node));
    }
    if (limits.cpus.most) {
        least = std::min(least, *limits.cpus.most / std::max(1U, shape.tasks));
    }
    return std::max(1U, whole_cores(least, threads));
}

}  // namespace

std::uint32_t whole_cores(std::uint32_t cpus, std::uint32_t threads) {
    return threads > 1 && cpus > threads ? cpus - cpus % threads : cpus;
}

Shape shape_of(const domain::Plan& plan, const Submission& submission, const Limits& limits,
               const domain::Partition& partition, const domain::Snapshot& snapshot,
               bool as_if_idle) {
    const std::vector<std::uint32_t> nodes = nodes_of(plan, snapshot.cluster);
    Shape shape;
    shape.nodes = static_cast<std::uint32_t>(nodes.size());
    shape.gpus = static_cast<std::uint32_t>(plan.members.size());
    shape.gpus_per_node = shape.gpus / std::max(1U, shape.nodes);
    shape.tasks_per_node = submission.tasks_per_node.value_or(shape.gpus_per_node);
    shape.tasks = submission.tasks.value_or(shape.tasks_per_node * shape.nodes);
    if (submission.tasks && !submission.tasks_per_node) {
        shape.tasks_per_node = (shape.tasks + shape.nodes - 1) / shape.nodes;
    }
    shape.types = types_of(plan, snapshot.cluster);
    for (const std::uint32_t node : nodes) {
        shape.names.push_back(snapshot.cluster.nodes[node].name);
    }
    if (!submission.cpus_per_task && !submission.cpus_per_gpu) {
        shape.cpus_per_task =
            cpus_per_task(shape, nodes, submission, limits, partition, snapshot, as_if_idle);
    }
    return shape;
}

}  // namespace hora::request
