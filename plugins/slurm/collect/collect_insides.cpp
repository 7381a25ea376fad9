// How is each of Slurm's nodes built inside? Nodes that are alike share one layout.
#include "plugins/slurm/collect/collect_insides.hpp"

#include <fmt/format.h>

#include <utility>

#include "libplanner/read/slurm/hostlist.hpp"

namespace hora::slurm {
namespace {

constexpr std::uint32_t no_table = 0xffffffff;

}  // namespace

const Insides::Found& Insides::work_out(const Key& key, const read::SlurmNode& node,
                                        std::string_view name) {
    if (const auto known = known_.find(key); known != known_.end()) {
        return known->second;
    }
    read::SlurmNode whole = node;
    whole.gres = gres_.gpus_of(name);
    if (gres_.detects(name) && whole.gres.size() != whole.gpus.size()) {
        whole.gres.clear();  // the lines do not list all that there are
    }
    read::SiteNode site;
    if (const std::uint32_t table = std::get<0>(key); table != no_table) {
        site.inside = &nodes_.insides[table];
        const auto& topology = nodes_.topologies[table];
        site.topology = topology ? &*topology : nullptr;
    }
    read::SiteLayout found = read::site_layout(whole, site);
    const auto layout = static_cast<std::uint32_t>(layouts_.size());
    layouts_.push_back(std::move(found.layout));
    Found kept{{layout, std::move(found.gpu_sockets)}, std::move(found.problem)};
    return known_.emplace(key, std::move(kept)).first->second;
}

const CollectedInside& Insides::find(std::string_view name, read::SlurmNode node,
                                     const std::vector<std::uint32_t>& devices) {
    const auto table = nodes_.inside_of.find(name);
    const Key key{table == nodes_.inside_of.end() ? no_table : table->second,
                  gres_.lines_for(name),
                  gres_.detects(name),
                  devices,
                  node.sockets,
                  node.cores_per_socket,
                  node.gpu_sockets};
    const Found& found = work_out(key, node, name);
    if (!found.problem.empty()) {
        troubled_[found.problem].emplace_back(name);
    }
    return found.inside;
}

std::vector<std::string> Insides::remarks() const {
    std::vector<std::string> remarks;
    for (const auto& [problem, nodes] : troubled_) {
        remarks.push_back(fmt::format("the inside of node \"{}\" counts as unknown: {}",
                                      read::fold_hostlist(nodes), problem));
    }
    return remarks;
}

}  // namespace hora::slurm
