// Which nodes, GPUs and switches does Slurm have, and what of them is free?
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "libplanner/read/slurm/gres_conf.hpp"
#include "plugins/slurm/collect/collect.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

// Fills cluster and states; a node's GPUs of unknown type are left out and remarked on.
Expected<void> collect_nodes(node_info_msg_t& nodes, std::string_view topology,
                             const SiteFacts& site, const read::GresConf& gres,
                             Collected& collected);

// Whether jobs can be planned on a node that Slurm has in this state. Later: it does not answer, as
// none does for a while after a restart of slurmctld, and is not given up; nothing of it is free.
enum class NodeUse { none, later, now };
NodeUse use_of(std::uint32_t node_state);

// Has slurmctld drained it, since it refused to start a job that it took for running?
bool has_refused_a_start(std::uint32_t node_state, std::string_view reason);

// The GPUs of one node as Slurm writes them: "gpu:titanx:4(S:0-1)", "gpu:titanx:2(IDX:0,2)".
struct NodeGpus {
    std::vector<std::string> types;  // of each GPU by its index, empty where none is said
    std::vector<std::uint32_t> busy;
    std::vector<std::uint32_t> sockets;  // of all together, where Slurm says them; ascending
};
Expected<NodeGpus> read_node_gpus(std::string_view gres, std::string_view gres_used);

}  // namespace hora::slurm
