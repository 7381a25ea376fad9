// Which GPUs may a plan of this job count on, now or once the partition is idle?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "libplanner/domain/request.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/request/scope/scope.hpp"

namespace hora::request {

// Does nothing run on this node, so that a job can have all of it (--exclusive) now?
bool is_idle(const domain::Snapshot& snapshot, std::uint32_t node);

// By GPU of the cluster: 1 where the chooser may take it.
using AvailableGpus = std::vector<char>;

// A node gives no more GPUs than it has CPUs (cpu_need()) and memory for, within the limits of a
// node, and then those that lie closest together. The memory is all of the node's (RealMemory): the
// snapshot does not say how much of it running jobs hold. With `as_if_idle` the GPUs and CPUs of
// running jobs count as free as well.
struct Capacity {
    bool as_if_idle = false;
    std::uint32_t max_gpus_of_node = domain::unlimited_gpus;
    std::uint32_t max_cpus_of_node = domain::unlimited_gpus;
};
AvailableGpus available_gpus(const Scope& scope, const Submission& submission,
                             const domain::Partition& partition, const domain::Snapshot& snapshot,
                             Capacity capacity);

// Takes surplus nodes out of the choice: of nodes that are alike and give the same, a plan over at
// most `most_nodes` nodes can use no more than the first so many, and the others are no better. So
// the best plan is still in, and the one with the lowest indices, which is the one that the chooser
// prefers.
void leave_surplus(AvailableGpus& available, const domain::Snapshot& snapshot,
                   std::size_t most_nodes);

}  // namespace hora::request
