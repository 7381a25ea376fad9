// Out of eligible GPUs, which n lie on fewest nodes, evenly, closest together, and first?
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/plan/node_fit.hpp"

namespace hora::plan {

// What was picked, with all that decides between sets of one price (choose.hpp).
struct Pick {
    std::vector<std::uint32_t> gpus;  // ascending
    std::size_t nodes = 0;
    double slowest_link = std::numeric_limits<double>::infinity();  // inside the nodes
    std::vector<std::uint32_t> uneven;  // the node of each GPU; empty: the same number on each
    Broken broken;

    bool is_better(const Pick& other) const {
        const auto rank = [](const Pick& pick) {
            return std::tuple(pick.nodes, !pick.uneven.empty(), -pick.slowest_link);
        };
        return rank(*this) != rank(other) ? rank(*this) < rank(other)
                                          : std::tie(uneven, broken, gpus) <
                                                std::tie(other.uneven, other.broken, other.gpus);
    }
};

// Each takes eligible GPUs ascending, of which there are enough. Without `fits`, in short time, the
// first GPUs of each node are as good as others.

// Fewest nodes; among these the same number on each if possible; then as choose.hpp says.
Pick pick_compact(const domain::Cluster& cluster, NodeFits* fits,
                  std::span<const std::uint32_t> eligible, std::uint64_t wanted);
// `each` on every one of `nodes` nodes.
Pick pick_uniform(const domain::Cluster& cluster, NodeFits* fits,
                  std::span<const std::uint32_t> eligible, std::uint64_t nodes, std::uint64_t each);

// So many of the eligible GPUs of one node, over the fastest link and breaking least; none of none.
std::vector<std::uint32_t> nearest(NodeFits& fits, Closeness closeness,
                                   std::span<const std::uint32_t> eligible, std::size_t count);

// As a pick of which nothing is known but its nodes. The GPUs ascend.
Pick count_nodes(const domain::Cluster& cluster, std::vector<std::uint32_t> gpus);

// GPUs of one node: they follow each other, as the cluster lists GPUs by node.
using OnNode = std::span<const std::uint32_t>;
std::vector<OnNode> by_node(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

}  // namespace hora::plan
