// How many rings of one speed do the NVLinks between some GPUs carry at once?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::model {

// The NVLinks of a set of GPUs, one way; the other way carries as much beside it.
struct NvlinkGraph {
    std::size_t gpus = 0;
    std::vector<Bandwidth> direct;       // gpus x gpus, row by row, symmetric; 0: no link
    std::vector<Bandwidth> to_switches;  // by GPU: all links to NVSwitches; 0: none
    // PCIe and what is between sockets, each direction a lane of its own.
    std::vector<Bandwidth> lanes{};
    std::vector<std::vector<std::uint16_t>> over_lanes{};  // gpus x gpus: lanes on the way
    std::vector<Bandwidth> on_the_way{};  // gpus x gpus: what one channel can have at most there
};

// From one GPU of a ring to the next: over their own links or a switch; or, where they share
// neither, through the GPU that both reach fastest (the first of equals), or over PCIe.
enum class Hop { own_links, through_a_gpu, over_pcie };

// So many GPUs with links of their own are searched through; over switches alone any number is
// exact.
constexpr std::size_t most_searched_gpus = 8;

struct Channels {
    std::uint32_t count = 0;
    bool is_exact = true;  // there are no more; false where the search was cut off

    friend bool operator==(const Channels&, const Channels&) = default;
};

// The most rings over all GPUs, each taking `speed` of every link that it crosses, in its
// direction, and at most 32 as in NCCL. What is not above `beaten` is not searched for, and 0 is
// answered.
//
// Only over_pcie looks at the lanes. Rings that cross the same links count as one. The search
// starts with as many as the least cut between the GPUs carries, which is mostly the answer, and
// chooses ring after ring, none before the one chosen last, as long as every cut carries those that
// are missing; what failed once with the same links left is not tried again. O((n - 1)!) for the
// rings. The choice is cut off after 5,000 steps for each number of rings; the meshes of known
// machines need far fewer.
Channels most_channels(const NvlinkGraph& graph, Bandwidth speed, Hop hop, std::uint32_t beaten);

}  // namespace hora::model
