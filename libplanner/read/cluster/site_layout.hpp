// How is a node of Slurm's built inside, by the site's word and by gres.conf?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/topology.hpp"
#include "libplanner/read/cluster/cluster_builder.hpp"
#include "libplanner/read/cluster/node_inside.hpp"
#include "libplanner/read/slurm/gres_conf.hpp"

namespace hora::read {

// What Slurm has of a node.
struct SlurmNode {
    std::vector<const domain::Device*> gpus;  // by Slurm's index
    std::vector<GresGpu> gres;                // by Slurm's index; empty: not known
    std::uint32_t sockets = 1;
    std::uint32_t cores_per_socket = 1;
    // The sockets that Slurm itself says its GPUs count to, "(S:0-1)"; none: it has no idea.
    std::vector<std::uint32_t> gpu_sockets;
};

// What the site says of a node.
struct SiteNode {
    const NodeInside* inside = nullptr;                    // null: nothing
    const Expected<domain::Topology>* topology = nullptr;  // where `inside` names a file
};

struct SiteLayout {
    NodeLayout layout;
    std::vector<std::uint32_t> gpu_sockets;  // domain::NodeState; empty: not known
    std::string problem;  // why the node's inside counts as unknown, which is flat; empty: none
};

// - gpu_sockets: by the cores of gres.conf; else, where Slurm found them out itself, by the
//   topology file.
// - The layout: as the site says; else GPUs that count to one socket of Slurm's are a group, as
//   they are nearer to each other than to those of another; else flat.
// What contradicts Slurm or gres.conf (another number of GPUs, or a bus id that gres.conf notes and
// the topology file has not), and a file that cannot be read, make the node's inside unknown.
SiteLayout site_layout(const SlurmNode& node, const SiteNode& site);

}  // namespace hora::read
