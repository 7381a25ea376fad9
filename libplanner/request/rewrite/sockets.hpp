// How do the GPUs of a node lie on what Slurm takes for its sockets?
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "libplanner/domain/snapshot.hpp"

namespace hora::request {

// One of Slurm's sockets that has GPUs; a site may declare one for each PCIe switch.
struct GpuSocket {
    std::uint32_t number = 0;
    std::uint32_t gpus = 0;
    std::uint32_t free = 0;
    std::uint32_t part = 0;  // the smallest part of the topology that holds its GPUs
};

struct NodeSockets {
    std::vector<GpuSocket> sockets;  // empty: Slurm does not tell the GPUs apart, or it is unknown
    std::uint32_t part = 0;          // the smallest part that holds all of the node's GPUs
    std::uint32_t cores_per_socket =
        1;  // that jobs may have on every socket, whichever is reserved
    std::uint32_t threads_per_core = 1;  // that count as CPUs
    std::uint32_t free_cores = 0;        // of all sockets together
};

// `type` empty: GPUs of any. The second form reuses the memory of an earlier answer, for a caller
// that asks of thousands of nodes while a submission waits.
NodeSockets sockets_of(std::uint32_t node, std::string_view type, const domain::Snapshot& snapshot);

void read_sockets(std::uint32_t node, std::string_view type, const domain::Snapshot& snapshot,
                  NodeSockets& answer);

// What tres_per_socket, sockets_per_node and cores_per_socket say together: the job's GPUs on each
// node come from so many sockets, and so do its CPUs.
struct SocketRule {
    std::uint32_t gpus_per_socket = 0;
    std::uint32_t sockets = 0;
    std::uint32_t cores_per_socket = 0;

    friend bool operator==(const SocketRule&, const SocketRule&) = default;
};

// The one that puts `gpus` on the fewest sockets, `cpus` beside them. Empty where Slurm has no
// words for that: over several sockets it can only name whole ones.
std::optional<SocketRule> rule_for(std::uint32_t gpus, std::uint32_t cpus, const NodeSockets& node);

// Could the node, once idle, give what the rule asks for?
bool is_satisfiable(const SocketRule& rule, const NodeSockets& node);

// Could it now, as far as the snapshot knows? Not which socket the free CPUs are of.
bool is_free(const SocketRule& rule, const NodeSockets& node);

// The slowest link that GPUs by the rule may have on the node, within a socket.
Bandwidth bandwidth_inside(const SocketRule& rule, const NodeSockets& node,
                           const domain::Cluster& cluster);

}  // namespace hora::request
