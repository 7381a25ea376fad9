// Which nodes of a pool could give a job so many GPUs at this moment?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

// A job has as many GPUs on each of its nodes.
class FreeNodes {
  public:
    // `free`: idle GPUs by node, of at most `gpus_per_node`; outlives this. O(nodes).
    FreeNodes(std::span<const std::uint32_t> free, std::uint32_t gpus_per_node);

    // Nothing is known of the nodes: nothing is said of them.
    bool is_known() const { return !free_.empty(); }

    // The fewest nodes that can give so many, what the job holds counted as idle; 0: none can.
    // O(nodes with an idle GPU, and for each divisor of `gpus` the nodes held).
    std::uint32_t fewest(std::uint32_t gpus, std::span<const domain::NodeGpus> held = {}) const;

  private:
    bool can_give(std::uint32_t nodes, std::uint32_t each,
                  std::span<const domain::NodeGpus> held) const;

    std::span<const std::uint32_t> free_;
    std::vector<std::uint32_t> with_free_;  // nodes that have so many idle GPUs, or more
};

}  // namespace hora::elastic
