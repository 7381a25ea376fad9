// Which free GPUs should a job get, in which mode, and what else was weighed?
#pragma once

#include <optional>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/plan/price/search_limit.hpp"

namespace hora::plan {

// The exact optimum, under the rules of the request, over every set of free GPUs:
//
// - independent: one GPU trains the whole batch. Considered if min_gpus <= 1.
// - sync: n >= max(2, min_gpus) members share the batch; each step is priced at ceil(batch / n).
// - balanced, async: only if accepted or forced by request.mode.
//
// A run takes the largest over the members of (steps * step + overhead of its node); without
// samples or epochs one step counts, and the overhead only breaks ties. A set pays the link of the
// smallest part that holds it; inside a mesh, what the mesh says of that set. On two nodes a tree
// is faster than on more, as far as the slower one of them is inside (cost/exchange.hpp).
//
// Sets of equal time, one after the other:
// - fewer GPUs; fewer nodes; the same number on each node;
// - the fastest link of a set on one node; of a set on several the fastest slowest link inside the
//   nodes: of what it has on each, the smallest part that holds it gives the bandwidth, in a mesh
//   as well; a GPU alone on its node crosses nothing;
// - with another number on each: lower nodes, the first ones with all that they can give;
// - the fewest whole groups broken, then the fewest rests: a group is a part inside a node, or the
//   node; it is broken if the set takes some of its free GPUs and leaves some; whole if all its
//   GPUs are free. So a single GPU is taken beside a busy one, and pairs stay for who needs them;
// - lower indices.
// Of balanced and async sets the price, the number of nodes and of GPUs on each are decided so, and
// then, on each node of one type of GPU, which of its GPUs.
//
// Hierarchy, where the request accepts it and forces no other exchange, counts in layout uniform,
// for sets of more than one GPU on each of several nodes. The slowest of the nodes inside decides.
//
// Layout uniform: every node used gives the same number of GPUs, over min_nodes to max_nodes nodes,
// and gpus_per_node of them where that is said.
//
// min_efficiency e > 0: for each mode the sizes are walked up from the smallest one (independent
// counts as size 1 of each mode), and a size is taken only if
// (speed - speed of the size taken last) / (GPUs - GPUs of the size taken last) >= e,
// the speed being that of so many GPUs of the best set of the smallest size: where that has s GPUs
// and takes t0, a set that takes t has the speed s t0 / t.
//
// P1's rule, when async is accepted and no mode is forced: the best sync set stays only if the
// coefficient of variation of its members' rates is at most async_threshold, the best async set
// only if it is above; if neither stays, or only one of them can be had, that is sync or the one.
//
// Async forced over a link on which serving costs more than it wins gives a set that is no faster
// than its strongest member alone (cost/server.hpp).
//
// Of what is left the objective decides: the fewest GPU-seconds among all that takes at most
// (1 + slowdown) times as long as the fastest for efficiency, at most (1 + tolerance) times for
// time; without a tolerance the fastest.
//
// A network with tables of a row a word: all of this is done for each of sample_rates from
// min_sample_rate to max_sample_rate, with the bytes that a step then exchanges
// (cost/sampled_gradient.hpp); where none is within these bounds, for max_sample_rate. The fastest
// is then the fastest at any of these rates, and the objective's limit holds at each. Of the rates
// that have a set within it the highest is taken; for efficiency the highest at which such a set
// takes at most (1 + tolerance) times the fewest GPU-seconds: the more rows travel, the more a step
// learns.
//
// What a share needs of memory is known to about cost::memory_error. A set of which a member needs
// more than its device has is taken only where no other set can be had, and only up to
// (1 + memory_error) times what the device has.
//
// Nothing fits: no members, and `rejected` says why.
domain::Plan choose(const domain::Request& request, const domain::Cluster& cluster);

inline constexpr double sample_rates[] = {1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01};

// The same within a limit; empty where the search was over it. One limit may hold for several
// searches.
std::optional<domain::Plan> choose_within(SearchLimit& limit, const domain::Request& request,
                                          const domain::Cluster& cluster);

}  // namespace hora::plan
