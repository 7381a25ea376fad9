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

// Each never falls when `members` rises or the link slows down; 0 for one member alone.
Seconds ring_exchange(Bytes size, std::uint64_t members, const domain::Link& link);
Seconds tree_exchange(Bytes size, std::uint64_t members, const domain::Link& link);
// `workers` push to and pull from one server over its link. Where the server sits on a member,
// that member is no worker: it has nothing to send.
Seconds server_exchange(Bytes size, std::uint64_t workers, const domain::Link& link);

// Nodes of as many GPUs each: a reduce-scatter inside each node, an all-reduce of the parts between
// the nodes, an all-gather inside. `between` is a node's link to the network, which its GPUs share.
// Never falls when the nodes or their GPUs rise or a link slows down; on one node a ring.
Seconds hierarchical_exchange(Bytes size, std::uint64_t nodes, std::uint64_t gpus_per_node,
                              const domain::Link& inside, const domain::Link& between);

// The one that `automatic` takes.
domain::Exchange cheaper_exchange(Bytes size, std::uint64_t members, const domain::Link& link);
Seconds exchange_time(domain::Exchange kind, Bytes size, std::uint64_t members,
                      const domain::Link& link);

}  // namespace hora::cost
