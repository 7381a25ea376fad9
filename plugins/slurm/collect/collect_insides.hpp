// How is each of Slurm's nodes built inside? Nodes that are alike share one layout.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "libplanner/read/cluster/cluster_builder.hpp"
#include "libplanner/read/cluster/site_layout.hpp"
#include "libplanner/read/cluster/site_nodes.hpp"
#include "libplanner/read/slurm/gres_conf.hpp"

namespace hora::slurm {

struct CollectedInside {
    std::uint32_t layout = 0;  // index into layouts()
    std::vector<std::uint32_t> gpu_sockets;
};

class Insides {
  public:
    // Both outlive this.
    Insides(const read::SiteNodes& nodes, const read::GresConf& gres)
        : nodes_(nodes), gres_(gres) {}

    // `devices` are the ids of node.gpus, by which nodes are found to be alike; node.gres is
    // filled in here.
    const CollectedInside& find(std::string_view name, read::SlurmNode node,
                                const std::vector<std::uint32_t>& devices);

    std::vector<read::NodeLayout> take_layouts() { return std::move(layouts_); }
    // What makes the inside of nodes unknown, each problem once.
    std::vector<std::string> remarks() const;

  private:
    // All that the inside depends on: the site's table, lines of gres.conf and whether AutoDetect=
    // fills them in, devices, sockets.
    using Key =
        std::tuple<std::uint32_t, std::vector<std::uint32_t>, bool, std::vector<std::uint32_t>,
                   std::uint32_t, std::uint32_t, std::vector<std::uint32_t>>;

    struct Found {
        CollectedInside inside;
        std::string problem;
    };

    const Found& work_out(const Key& key, const read::SlurmNode& node, std::string_view name);

    const read::SiteNodes& nodes_;
    const read::GresConf& gres_;
    std::map<Key, Found> known_;
    std::vector<read::NodeLayout> layouts_;
    std::map<std::string, std::vector<std::string>> troubled_;  // by problem: nodes
};

}  // namespace hora::slurm
