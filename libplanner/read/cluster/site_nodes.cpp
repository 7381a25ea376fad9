// What does hora.toml say of the inside of the site's nodes?
// Keys: node[].name, and those of node_inside.cpp.
#include "libplanner/read/cluster/site_nodes.hpp"

#include <fmt/format.h>

#include <utility>

#include "libplanner/read/format/toml_table.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/hostlist.hpp"

namespace hora::read {
namespace {

constexpr std::size_t most_nodes = 100'000;

void add_names(TomlTable& table, std::string_view names, SiteNodes& site) {
    auto hosts = expand_hostlist(names, most_nodes - site.inside_of.size());
    if (!hosts) {
        table.reject("name", hosts.error().message);
        return;
    }
    const auto own = static_cast<std::uint32_t>(site.insides.size());
    for (std::string& host : *hosts) {
        const auto [known, is_new] = site.inside_of.emplace(std::move(host), own);
        if (!is_new) {
            const std::string& first =
                known->second < own ? site.insides[known->second].where : table.where();
            table.reject("name", fmt::format("node {} is there twice, first at {}",
                                             quoted(known->first), first));
            return;
        }
    }
}

}  // namespace

Expected<SiteNodes> read_site_nodes(std::string_view toml, const std::string& file_name,
                                    TopologyFileReader read_topology) {
    auto root = read_toml(toml, file_name);
    if (!root) {
        return unexpected(root.error());
    }
    SiteNodes site;
    std::map<std::string, Expected<domain::Topology>> known;  // by path
    for (TomlTable& table : root->take_tables("node")) {
        std::string names;
        if (table.require("name", names)) {
            add_names(table, names, site);
        }
        auto inside = take_inside(table);
        auto good = inside ? table.finish() : unexpected(inside.error());
        if (!good) {
            return unexpected(good.error());
        }
        site.topologies.emplace_back();
        if (!inside->topology.empty()) {
            auto found = known.find(inside->topology);
            if (found == known.end()) {
                found = known.emplace(inside->topology, read_topology(inside->topology)).first;
            }
            site.topologies.back() = found->second;
        }
        site.insides.push_back(*std::move(inside));
    }
    return site;
}

}  // namespace hora::read
