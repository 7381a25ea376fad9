// How do nodes, their GPUs and the switches between them become the planner's tree of parts?
//
// Let w be the bandwidth of a node (the least of its inside and its uplink) or of a switch. Two
// nodes get the least w on their way through the tree of switches. At a threshold t, those that
// reach each other with at least t are the connected pieces of what is left of the tree without
// everything below t; as t falls the pieces only grow together. Those pieces are the parts: they
// nest, and each pair of nodes finds its exact bandwidth at the smallest one that holds both.
// A slow node therefore joins late and makes no set slow that does without it. Among equals the
// switches give the order, so that a leaf is a part before its fabric, for the shorter latency.
// Time: O((switches + nodes) x different bandwidths), and there are few of these.
#include "libplanner/read/cluster/cluster_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/cluster/switch_order.hpp"
#include "libplanner/read/quantity.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::Cluster;
using domain::Link;
using domain::no_part;
using domain::Part;
using domain::PartKind;

// Two more hops through a switch, and their cables.
constexpr Seconds latency_of_a_level{1e-6};

// The switches as they are given, before parts are made of them.
domain::Fabric fabric_of(const ClusterDescription& given) {
    domain::Fabric fabric;
    for (const SwitchDescription& one : given.switches) {
        fabric.switches.push_back({one.name, one.parent});
    }
    for (const NodeDescription& node : given.nodes) {
        fabric.attached_to.push_back(node.attached_to);
    }
    return fabric;
}

// A piece of the fabric while it grows: a node, or several pieces joined.
struct Piece {
    std::uint32_t node = no_part;  // of a piece that is one node
    std::uint32_t at = no_switch;  // the switch that joined the others
    Link link;
    std::vector<std::uint32_t> inner;  // pieces
};

class Builder {
  public:
    explicit Builder(ClusterDescription description) : given_(std::move(description)) {}

    Expected<Cluster> build();

  private:
    std::optional<Error> check_nodes() const;
    void add_root_switch();
    void find_links();
    void grow_pieces();
    void join(std::uint32_t at, Bandwidth threshold);
    std::string name_of(const Piece& piece) const;
    void write_piece(std::uint32_t piece, std::uint32_t parent);
    void write_node(std::uint32_t node, std::uint32_t parent);

    ClusterDescription given_;
    SwitchOrder order_;
    std::vector<Link> switch_links_;                   // by switch
    std::vector<Link> insides_;                        // by layout: the slowest link
    std::vector<Link> node_links_;                     // by node: its inside and its uplink
    std::vector<Piece> pieces_;                        // those of nodes first
    std::vector<std::vector<std::uint32_t>> loose_;    // by switch: pieces that hang directly on it
    std::vector<std::vector<std::uint32_t>> waiting_;  // by switch: nodes, the slowest first
    std::vector<std::uint32_t> part_of_;               // by node: its own part
    Cluster cluster_;
};

std::optional<Error> Builder::check_nodes() const {
    for (const NodeDescription& node : given_.nodes) {
        const bool known =
            node.layout < given_.layouts.size() &&
            (node.attached_to == no_switch || node.attached_to < given_.switches.size());
        if (!known || given_.layouts[node.layout].group_of.size() != node.devices.size()) {
            return Error{fmt::format("node {} has {}, which its layout does not describe",
                                     quoted(node.name), counted(node.devices.size(), "GPU"))};
        }
        const auto out_of_range = [&](std::uint32_t index) { return index >= node.devices.size(); };
        const auto bad = std::find_if(node.busy.begin(), node.busy.end(), out_of_range);
        if (bad != node.busy.end()) {
            return Error{fmt::format("node {} has {}, so GPU {} cannot be busy", quoted(node.name),
                                     counted(node.devices.size(), "GPU"), *bad)};
        }
    }
    return std::nullopt;
}

// Nodes without a switch, and several topmost switches, meet in a switch of our own.
void Builder::add_root_switch() {
    const auto is_top = [](const SwitchDescription& one) { return one.parent == no_switch; };
    const auto is_free = [](const NodeDescription& node) { return node.attached_to == no_switch; };
    const auto tops = std::count_if(given_.switches.begin(), given_.switches.end(), is_top);
    if (tops == 1 && std::none_of(given_.nodes.begin(), given_.nodes.end(), is_free)) {
        return;
    }
    const auto root = static_cast<std::uint32_t>(given_.switches.size());
    for (SwitchDescription& one : given_.switches) {
        one.parent = is_top(one) ? root : one.parent;
    }
    for (NodeDescription& node : given_.nodes) {
        node.attached_to = is_free(node) ? root : node.attached_to;
    }
    given_.switches.push_back({"network", no_switch, std::nullopt, std::nullopt});
}

void Builder::find_links() {
    std::vector<unsigned> height(given_.switches.size(), 0);
    switch_links_.resize(given_.switches.size());
    for (const std::uint32_t i : order_.bottom_up) {
        const SwitchDescription& one = given_.switches[i];
        const Seconds usual = given_.network.latency + latency_of_a_level * height[i];
        switch_links_[i] = {one.bandwidth.value_or(given_.network.bandwidth),
                            one.latency.value_or(usual)};
        if (one.parent != no_switch) {
            height[one.parent] = std::max(height[one.parent], height[i] + 1);
        }
    }
    for (NodeLayout& layout : given_.layouts) {
        // A part is never faster than a part inside it.
        for (std::size_t i = layout.groups.size(); i-- > 1;) {
            Link& outer = layout.groups[layout.groups[i].parent].link;
            outer = slower_of(outer, layout.groups[i].link);
        }
        insides_.push_back(layout.groups.front().link);
    }
    for (const NodeDescription& node : given_.nodes) {
        const Link uplink{node.bandwidth.value_or(given_.network.bandwidth), Seconds(0)};
        // One GPU alone crosses nothing inside its node.
        node_links_.push_back(node.devices.size() < 2 ? uplink
                                                      : slower_of(uplink, insides_[node.layout]));
    }
}

// The pieces that hang on one switch become one, if the switch carries this much.
void Builder::join(std::uint32_t at, Bandwidth threshold) {
    std::vector<std::uint32_t>& loose = loose_[at];
    while (!waiting_[at].empty() && node_links_[waiting_[at].back()].bandwidth >= threshold) {
        loose.push_back(waiting_[at].back());
        waiting_[at].pop_back();
    }
    if (switch_links_[at].bandwidth < threshold || loose.empty()) {
        return;
    }
    if (loose.size() > 1) {
        std::sort(loose.begin(), loose.end());
        Piece joined{no_part, at, {threshold, switch_links_[at].latency}, std::move(loose)};
        for (const std::uint32_t inner : joined.inner) {
            joined.link = slower_of(joined.link, pieces_[inner].link);
        }
        loose = {static_cast<std::uint32_t>(pieces_.size())};
        pieces_.push_back(std::move(joined));
    }
    const std::uint32_t parent = given_.switches[at].parent;
    if (parent != no_switch && switch_links_[parent].bandwidth >= threshold) {
        loose_[parent].push_back(loose.front());
        loose.clear();
    }
}

void Builder::grow_pieces() {
    std::vector<Bandwidth> thresholds;
    loose_.resize(given_.switches.size());
    waiting_.resize(given_.switches.size());
    for (std::uint32_t i = 0; i < given_.nodes.size(); ++i) {
        pieces_.push_back({i, no_switch, node_links_[i], {}});
        if (!given_.nodes[i].devices.empty()) {
            waiting_[given_.nodes[i].attached_to].push_back(i);
            thresholds.push_back(node_links_[i].bandwidth);
        }
    }
    for (std::vector<std::uint32_t>& nodes : waiting_) {
        std::sort(nodes.begin(), nodes.end(), [this](std::uint32_t a, std::uint32_t b) {
            return std::pair(node_links_[a].bandwidth, b) < std::pair(node_links_[b].bandwidth, a);
        });
    }
    for (const Link& link : switch_links_) {
        thresholds.push_back(link.bandwidth);
    }
    std::sort(thresholds.begin(), thresholds.end(), std::greater<>());
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    for (const Bandwidth threshold : thresholds) {
        for (const std::uint32_t one : order_.bottom_up) {
            join(one, threshold);
        }
    }
}

std::string Builder::name_of(const Piece& piece) const {
    const std::string& name = given_.switches[piece.at].name;
    const bool is_all = piece.link.bandwidth >= switch_links_[piece.at].bandwidth;
    return is_all ? name : fmt::format("{} at {}", name, format_quantity(piece.link.bandwidth));
}

void Builder::write_node(std::uint32_t node, std::uint32_t parent) {
    const NodeDescription& given = given_.nodes[node];
    const NodeLayout& layout = given_.layouts[given.layout];
    const auto first = static_cast<std::uint32_t>(cluster_.parts.size());
    for (const GpuGroup& group : layout.groups) {
        std::string name =
            group.name.empty() ? given.name : fmt::format("{}:{}", given.name, group.name);
        cluster_.parts.push_back({group.kind,
                                  group.parent == no_part ? parent : first + group.parent,
                                  group.link, std::move(name)});
    }
    // What one GPU alone could reach over PCIe makes no part outside it the faster one.
    if (Part& own = cluster_.parts[first]; given.devices.size() < 2 && parent != no_part) {
        own.link.bandwidth = std::max(own.link.bandwidth, cluster_.parts[parent].link.bandwidth);
    }
    part_of_[node] = first;
}

void Builder::write_piece(std::uint32_t which, std::uint32_t parent) {
    const Piece& piece = pieces_[which];
    if (piece.node != no_part) {
        write_node(piece.node, parent);
        return;
    }
    const auto own = static_cast<std::uint32_t>(cluster_.parts.size());
    const PartKind kind = order_.is_leaf[piece.at] ? PartKind::leaf_switch : PartKind::fabric;
    cluster_.parts.push_back({kind, parent, piece.link, name_of(piece)});
    for (const std::uint32_t inner : piece.inner) {
        write_piece(inner, own);
    }
}

Expected<Cluster> Builder::build() {
    cluster_.fabric = fabric_of(given_);
    add_root_switch();
    if (auto problem = check_nodes()) {
        return unexpected(std::move(*problem));
    }
    auto order = order_switches(given_.switches);
    if (!order) {
        return unexpected(std::move(order.error()));
    }
    order_ = std::move(*order);
    find_links();
    grow_pieces();
    std::vector<std::uint32_t> mesh_of(given_.layouts.size(), domain::no_mesh);
    for (std::size_t i = 0; i < given_.layouts.size(); ++i) {
        if (auto& mesh = given_.layouts[i].mesh) {
            mesh_of[i] = static_cast<std::uint32_t>(cluster_.meshes.size());
            cluster_.meshes.push_back(std::move(*mesh));
        }
    }
    part_of_.assign(given_.nodes.size(), 0);
    const std::vector<std::uint32_t>& whole = loose_[order_.bottom_up.back()];
    if (whole.empty()) {  // no GPU at all
        cluster_.parts.push_back({PartKind::fabric, no_part, given_.network, "network"});
    } else {
        write_piece(whole.front(), no_part);
    }
    for (std::uint32_t i = 0; i < given_.nodes.size(); ++i) {
        NodeDescription& node = given_.nodes[i];
        const NodeLayout& layout = given_.layouts[node.layout];
        for (std::uint32_t gpu = 0; gpu < node.devices.size(); ++gpu) {
            const bool is_free =
                std::find(node.busy.begin(), node.busy.end(), gpu) == node.busy.end();
            cluster_.gpus.push_back(
                {i, gpu, node.devices[gpu], part_of_[i] + layout.group_of[gpu], is_free});
        }
        cluster_.nodes.push_back(
            {std::move(node.name), node.overhead, node.cpus, mesh_of[node.layout]});
    }
    cluster_.devices = std::move(given_.devices);
    return std::move(cluster_);
}

}  // namespace

Expected<Cluster> build_cluster(ClusterDescription description) {
    return Builder(std::move(description)).build();
}

}  // namespace hora::read
