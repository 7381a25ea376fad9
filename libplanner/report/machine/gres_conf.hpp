// Which lines in gres.conf and slurm.conf describe a machine?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"
#include "libplanner/plan/socket_split.hpp"

namespace hora::report {

struct SlurmNames {
    std::string node;  // empty: the lines of gres.conf name none, that of slurm.conf the machine's
    std::string type;  // of the GPUs; empty: not said
};

// Lines of gres.conf, with the bus id of each device file in a comment that read/gres_conf reads.
// `files` by GPU. Links= is there only where it harms in no release: from Slurm 24.05 on it makes
// jobs take the GPUs that are joined worst, unless Cores= distinguishes them.
// On failure: there is no GPU.
Expected<std::string> gres_conf(const domain::Topology& topology, const plan::SocketSplit& split,
                                const std::vector<std::string>& files, const SlurmNames& names);

// The NodeName line that goes with it.
// On failure: what such a line cannot say of the machine.
Expected<std::string> slurm_node(const domain::Topology& topology, const plan::SocketSplit& split,
                                 const SlurmNames& names);

// What the lines need of slurm.conf, and what they cannot give: a sentence each.
std::vector<std::string> split_remarks(const domain::Topology& topology,
                                       const plan::SocketSplit& split);

}  // namespace hora::report
