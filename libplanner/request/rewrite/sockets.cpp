// How do the GPUs of a node lie on what Slurm takes for its sockets?
#include "libplanner/request/rewrite/sockets.hpp"

#include <algorithm>

namespace hora::request {
namespace {

constexpr std::uint32_t nowhere = domain::no_part;

std::uint32_t spanning(const domain::Cluster& cluster, std::uint32_t part, std::uint32_t other) {
    if (part == nowhere) {
        return other;
    }
    while (part != other) {  // parents come before their children
        std::uint32_t& lower = part > other ? part : other;
        lower = cluster.parts[lower].parent;
    }
    return part;
}

GpuSocket& socket_at(std::vector<GpuSocket>& sockets, std::uint32_t number) {
    const auto found = std::find_if(sockets.begin(), sockets.end(), [&](const GpuSocket& socket) {
        return socket.number == number;
    });
    if (found != sockets.end()) {
        return *found;
    }
    sockets.push_back({.number = number, .gpus = 0, .free = 0, .part = nowhere});
    return sockets.back();
}

bool holds(const SocketRule& rule, std::uint32_t gpus) {
    return rule.sockets == 1 ? gpus >= rule.gpus_per_socket : gpus == rule.gpus_per_socket;
}

std::uint32_t per(std::uint32_t whole, std::uint32_t parts) {
    return (whole + parts - 1) / std::max(1U, parts);
}

// CoreSpecCount and CpuSpecList reserve cores, of which socket the snapshot does not know. A node
// with as many CPUs as cores counts each core as one, however many threads it has.
void count_cores(const domain::NodeState& state, std::uint32_t cpus, NodeSockets& answer) {
    const std::uint32_t cores = state.sockets * state.cores_per_socket;
    answer.threads_per_core = cpus != 0 && cpus <= cores ? 1 : std::max(1U, state.threads_per_core);
    const std::uint32_t usable = cpus == 0 ? cores : cpus / answer.threads_per_core;
    const std::uint32_t reserved = cores - std::min(cores, usable);
    answer.cores_per_socket = state.cores_per_socket - std::min(state.cores_per_socket, reserved);
    answer.free_cores = state.free_cpus / answer.threads_per_core;
}

}  // namespace

void read_sockets(std::uint32_t node, std::string_view type, const domain::Snapshot& snapshot,
                  NodeSockets& answer) {
    const domain::Cluster& cluster = snapshot.cluster;
    const domain::NodeState& state = snapshot.states[node];
    answer.sockets.clear();
    answer.part = nowhere;
    count_cores(state, cluster.nodes[node].cpus, answer);
    if (state.gpu_sockets.empty()) {
        return;
    }
    for (const domain::Gpu& gpu : domain::gpus_of_node(cluster, node)) {
        if (gpu.index >= state.gpu_sockets.size()) {
            answer.sockets.clear();
            return;
        }
        if (!type.empty() && cluster.devices[gpu.device].name != type) {
            continue;
        }
        GpuSocket& socket = socket_at(answer.sockets, state.gpu_sockets[gpu.index]);
        ++socket.gpus;
        socket.free += gpu.is_free ? 1 : 0;
        socket.part = spanning(cluster, socket.part, gpu.part);
        answer.part = spanning(cluster, answer.part, gpu.part);
    }
}

NodeSockets sockets_of(std::uint32_t node, std::string_view type,
                       const domain::Snapshot& snapshot) {
    NodeSockets answer;
    read_sockets(node, type, snapshot, answer);
    return answer;
}

std::optional<SocketRule> rule_for(std::uint32_t gpus, std::uint32_t cpus,
                                   const NodeSockets& node) {
    std::uint32_t most = 0;
    for (const GpuSocket& socket : node.sockets) {
        most = std::max(most, socket.gpus);
    }
    if (gpus == 0 || most == 0 || (gpus > most && gpus % most != 0)) {
        return std::nullopt;
    }
    SocketRule rule;
    rule.sockets = gpus > most ? gpus / most : 1;
    rule.gpus_per_socket = gpus / rule.sockets;
    rule.cores_per_socket = std::max(1U, per(per(cpus, node.threads_per_core), rule.sockets));
    return is_satisfiable(rule, node) ? std::optional(rule) : std::nullopt;
}

bool is_satisfiable(const SocketRule& rule, const NodeSockets& node) {
    const auto count =
        std::count_if(node.sockets.begin(), node.sockets.end(),
                      [&](const GpuSocket& socket) { return holds(rule, socket.gpus); });
    return count >= rule.sockets && rule.cores_per_socket <= node.cores_per_socket;
}

bool is_free(const SocketRule& rule, const NodeSockets& node) {
    const auto count =
        std::count_if(node.sockets.begin(), node.sockets.end(),
                      [&](const GpuSocket& socket) { return socket.free >= rule.gpus_per_socket; });
    return is_satisfiable(rule, node) && count >= rule.sockets &&
           node.free_cores >= rule.cores_per_socket;
}

Bandwidth bandwidth_inside(const SocketRule& rule, const NodeSockets& node,
                           const domain::Cluster& cluster) {
    std::optional<Bandwidth> slowest;
    for (const GpuSocket& socket : node.sockets) {
        const Bandwidth own = cluster.parts[socket.part].link.bandwidth;
        if (holds(rule, socket.gpus) && (!slowest || own < *slowest)) {
            slowest = own;
        }
    }
    return slowest.value_or(Bandwidth(0));
}

}  // namespace hora::request
