// Which switches does `scontrol show topology` tell of, and which nodes hang on them?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/read/cluster_builder.hpp"

namespace hora::slurm {

struct Switches {
    std::vector<read::SwitchDescription> list;
    std::vector<std::string> nodes;  // by switch: host list of what hangs on it directly
};

// One switch or block a line, as "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[1-2]"; lines of
// another kind are passed over.
Expected<Switches> parse_topology(std::string_view text);

}  // namespace hora::slurm
