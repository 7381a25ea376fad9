// In which order does a ring visit the nodes, so that it crosses few links between switches?
#include "libplanner/plan/ring/node_order.hpp"

#include <cstddef>

namespace hora::plan {
namespace {

// The switches of a fabric, and behind them the outside where its roots meet.
class Tree {
  public:
    explicit Tree(const Fabric& fabric) : fabric_(fabric), outside_(fabric.switches.size()) {}

    std::size_t outside() const { return outside_; }
    std::size_t above(std::size_t at) const { return known(fabric_.switches[at].parent); }
    std::size_t holder(std::uint32_t node) const {
        return node < fabric_.attached_to.size() ? known(fabric_.attached_to[node]) : outside_;
    }

    // Links between each switch and the outside.
    std::vector<std::size_t> depths() const {
        constexpr auto open = static_cast<std::size_t>(-1);
        std::vector<std::size_t> depths(outside_ + 1, open);
        depths[outside_] = 0;
        std::vector<std::size_t> way;
        for (std::size_t start = 0; start < outside_; ++start) {
            for (std::size_t at = start; depths[at] == open && way.size() <= outside_;
                 at = above(at)) {
                way.push_back(at);
            }
            for (; !way.empty(); way.pop_back()) {
                const std::size_t next = depths[above(way.back())];
                depths[way.back()] = next == open ? 1 : next + 1;
            }
        }
        return depths;
    }

  private:
    std::size_t known(std::uint32_t index) const { return index < outside_ ? index : outside_; }

    const Fabric& fabric_;
    std::size_t outside_;
};

// What hangs below a switch: nodes and switches, in the order in which they were met.
struct Below {
    bool is_node = false;
    std::size_t index = 0;
};

std::vector<std::uint32_t> walk(const std::vector<std::vector<Below>>& below, std::size_t outside,
                                std::size_t nodes) {
    struct Visit {
        std::size_t at = 0;
        std::size_t next = 0;
    };
    std::vector<std::uint32_t> order;
    order.reserve(nodes);
    std::vector<Visit> way{{outside, 0}};
    while (!way.empty()) {
        Visit& visit = way.back();
        if (visit.next == below[visit.at].size()) {
            way.pop_back();
            continue;
        }
        const Below& one = below[visit.at][visit.next++];
        if (one.is_node) {
            order.push_back(static_cast<std::uint32_t>(one.index));
        } else {
            way.push_back({one.index, 0});
        }
    }
    return order;
}

}  // namespace

std::vector<std::uint32_t> order_nodes(const Fabric& fabric, std::span<const std::uint32_t> nodes) {
    const Tree tree(fabric);
    std::vector<std::vector<Below>> below(tree.outside() + 1);
    std::vector<bool> is_met(tree.outside() + 1, false);
    is_met[tree.outside()] = true;
    for (const std::uint32_t node : nodes) {
        std::size_t at = tree.holder(node);
        below[at].push_back({true, node});
        for (; !is_met[at]; at = tree.above(at)) {
            is_met[at] = true;
            below[tree.above(at)].push_back({false, at});
        }
    }
    std::vector<std::uint32_t> order = walk(below, tree.outside(), nodes.size());
    // Switches that are above each other are never reached from the outside.
    return order.size() == nodes.size() ? order
                                        : std::vector<std::uint32_t>(nodes.begin(), nodes.end());
}

std::uint64_t crossings(const Fabric& fabric, std::span<const std::uint32_t> order) {
    const Tree tree(fabric);
    const std::vector<std::size_t> depths = tree.depths();
    std::uint64_t links = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::size_t a = tree.holder(order[i]);
        std::size_t b = tree.holder(order[(i + 1) % order.size()]);
        // The deeper one climbs until both are at the same switch. A depth of 0 is the outside.
        for (std::size_t left = 2 * tree.outside(); a != b && left > 0; --left, ++links) {
            std::size_t& deeper = depths[a] >= depths[b] ? a : b;
            deeper = tree.above(deeper);
        }
    }
    return links;
}

}  // namespace hora::plan
