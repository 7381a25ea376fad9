// How long do n members take to sum their gradients over a link?
#pragma once

#include <cstdint>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::cost {

// Bytes of the gradients: as many as the weights (the parameters, not P1's M, cross the network).
Bytes gradient_bytes(const domain::Workload& workload);

// GPUs on one node or several. `link` is the slowest between any two of them; `inside`, of several
// nodes, is the slowest link inside one of them and no slower than `link`.
struct Members {
    std::uint64_t count = 1;
    std::uint64_t nodes = 1;
    domain::Link link;
    domain::Link inside{};
    std::uint64_t on_each = 0;  // GPUs on each node; 0: not the same on all
};

constexpr Members one_on_each_node(std::uint64_t count, const domain::Link& link) {
    return {.count = count, .nodes = count, .link = link, .inside = link, .on_each = 1};
}

// Each never falls when the members or their nodes rise or a link slows down; 0 for one member
// alone.
Seconds ring_exchange(Bytes size, std::uint64_t members, const domain::Link& link);
// NCCL's double binary tree: two trees over the nodes (graph/trees.cc), each for K / 2, and in each
// node a chain of its GPUs. From three nodes on, 2 K leave a node that has two children in one tree
// and is a leaf of the other (on exactly three it is 3/2 K). Of two nodes each is the root of one
// tree and the leaf of the other: K leaves it. A GPU inside a chain sends K up and K down, so 2 K
// over the links inside, which is what NCCL itself counts on at most two nodes (graph/tuning.cc);
// of two GPUs alone each is an end, and sends K.
Seconds tree_exchange(Bytes size, const Members& members);
// `workers` push to and pull from one server over its link. Where the server sits on a member,
// that member is no worker: it has nothing to send.
Seconds server_exchange(Bytes size, std::uint64_t workers, const domain::Link& link);

// Nodes of as many GPUs each: a reduce-scatter inside each node, an all-reduce of the parts between
// the nodes, an all-gather inside. `between` is a node's link to the network, which its GPUs share.
// Never falls when the nodes or their GPUs rise or a link slows down; on one node a ring.
Seconds hierarchical_exchange(Bytes size, std::uint64_t nodes, std::uint64_t gpus_per_node,
                              const domain::Link& inside, const domain::Link& between);

// As many GPUs on each of several nodes, and more than one.
bool has_hierarchy(const Members& members);

struct PricedExchange {
    domain::Exchange kind = domain::Exchange::ring;  // never automatic
    Seconds time{};
};

// The one that `automatic` takes; hierarchy only where it is accepted.
PricedExchange cheapest_exchange(Bytes size, const Members& members, bool accepts_hierarchy);
// Without has_hierarchy() a hierarchy is a ring.
Seconds exchange_time(domain::Exchange kind, Bytes size, const Members& members);

}  // namespace hora::cost
