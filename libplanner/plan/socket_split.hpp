// As which sockets should Slurm see a machine, so that each holds GPUs that are joined fastest?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/domain/topology.hpp"

namespace hora::plan {

enum class SplitKind {
    hardware,      // Slurm's sockets are the machine's
    numa_nodes,    // they are its NUMA nodes
    caches,        // they are its L3 caches
    declared,      // they are nothing that Slurm could find by itself
    not_possible,  // a socket per switch cannot be: they are the machine's, and hold several
};

struct SocketSplit {
    SplitKind kind = SplitKind::hardware;
    std::uint32_t sockets = 1;
    std::uint32_t cores_per_socket = 0;  // 0: not the same on all, or not known
    std::uint32_t threads_per_core = 1;  // 0: not the same on all
    // By GPU, as in the topology.
    std::vector<std::uint32_t> group_of;   // GPUs of one PCIe switch, or joined by NVLink
    std::vector<std::uint32_t> socket_of;  // not_known: near several, or not known
    // Slurm's numbers, ascending, of whole sockets: 24.11 and later refuse a node whose Cores= cut
    // one. Empty: not known, or not to be had in whole sockets.
    std::vector<std::vector<std::uint32_t>> cores;
    std::uint32_t widened = 0;       // GPUs that are near only a part of these
    std::uint32_t most_groups = 0;   // in one socket of the machine
    std::uint32_t idle_sockets = 0;  // without a GPU
};

// The fewest sockets such that no two groups share one, each socket's cores are near its GPUs, and
// all have equally many cores. GPUs that share no switch and no NVLink with another one of their
// socket form one group, and so does what NVLink joins: to tell those apart gains nothing.
SocketSplit split_sockets(const domain::Topology& topology);

// By GPU: the cores near it, as Slurm numbers them, ascending; empty: not known.
std::vector<std::vector<std::uint32_t>> near_cores(const domain::Topology& topology);

// All cores of the machine's sockets that have one of these; ascending, as `cores` is.
std::vector<std::uint32_t> cores_of_sockets(const domain::Topology& topology,
                                            const std::vector<std::uint32_t>& cores);

}  // namespace hora::plan
