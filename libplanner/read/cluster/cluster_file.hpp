// Which machines does a cluster file describe?
#pragma once

#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/read/cluster/cluster_builder.hpp"
#include "libplanner/read/settings/settings.hpp"

namespace hora::read {

// Reads the inside of a node from a file that a [[node]] names; `device` is the type of its GPUs.
using TopologyReader = Expected<NodeLayout> (*)(const std::string& path,
                                                const domain::Device& device);

// The text of a cluster file (hora-cluster(5)). What it leaves open of GPUs and network comes from
// the settings; topology files are looked for beside it. On failure: file:line:column and what is
// wrong there.
Expected<domain::Cluster> read_cluster(std::string_view toml, const std::string& file_name,
                                       const Settings& settings, TopologyReader read_layout);

}  // namespace hora::read
