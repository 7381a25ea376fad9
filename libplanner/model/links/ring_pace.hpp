// How fast does a ring inside one machine run, where several of its links share a cable?
#pragma once

#include <cstdint>
#include <span>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::model {

// A closed ring of these GPUs (indices into Topology::gpus, each once): the least share that one of
// its links gets. Links that leave the same bridge, host bridge, NUMA node or socket in the same
// direction share what it carries: its own PCIe link, or where that is not known the fastest path
// out of it. NVLink paths share nothing. By NCCL's model (bandwidth = channels x bandwidth of a
// channel) the bus bandwidth of an all-reduce of long messages is at most this.
// 0 where the ring has no link, or one of unknown speed. Time: O(n^2 x depth).
Bandwidth ring_pace(const domain::Topology& machine, std::span<const std::uint32_t> order);

}  // namespace hora::model
