// At which bandwidth do some GPUs of a machine sum what each of them has?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::model {

struct SetBandwidth {
    Bandwidth bandwidth;         // of all channels together; 0: no link, or not known
    Bandwidth channel;           // of each
    std::uint32_t channels = 0;  // rings at once
    bool is_exact = true;        // false: it may be more

    friend bool operator==(const SetBandwidth&, const SetBandwidth&) = default;
};

// What NCCL's search finds for these GPUs (indices into Topology::gpus, each once), whatever their
// order. Channels are rings of equal speed over all GPUs, side by side; each takes its speed from
// every link that it crosses, in its direction. By NCCL's model the bus bandwidth of an all-reduce
// of long messages is at most this.
//
// Where there are NVLinks the speed is one of the architecture's list (NCCL, graph/search.cc),
// tried from the fastest on: first with hops between GPUs that share links or a switch, then, while
// that finds nothing better, through a third GPU, then over PCIe. The list is followed down to half
// the speed of the best so far, which is the one of most channels x speed, the fastest of equals.
// Over PCIe alone there is one channel, as fast as the least share in the best order
// (ring_pace.hpp).
//
// Exact up to 8 GPUs, and beyond where all NVLinks go to switches; else the slowest path between
// any two, which PCIe trees do have.
SetBandwidth set_bandwidth(const domain::Topology& machine, std::span<const std::uint32_t> gpus);

// Of every set of the machine's GPUs, which are at most 8: bit i of the index is GPU i. 2^n
// searches.
std::vector<Bandwidth> all_set_bandwidths(const domain::Topology& machine);

}  // namespace hora::model
