// What does hora.toml say of the inside of the site's nodes?
// Keys: node[].name, and those of node_inside.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"
#include "libplanner/read/cluster/node_inside.hpp"

namespace hora::read {

using TopologyFileReader = Expected<domain::Topology> (*)(const std::string& path);

// A copy keeps its own topologies.
struct SiteNodes {
    std::vector<NodeInside> insides;                                    // by [[node]] table
    std::vector<std::optional<Expected<domain::Topology>>> topologies;  // where a table names one
    std::map<std::string, std::uint32_t, std::less<>> inside_of;        // by node: its table
};

// The [[node]] tables of hora.toml; the others are the settings'. Each topology file is read once,
// and one that cannot be read is no failure here.
// On failure: file:line:column and what is wrong there.
Expected<SiteNodes> read_site_nodes(std::string_view toml, const std::string& file_name,
                                    TopologyFileReader read_topology);

}  // namespace hora::read
