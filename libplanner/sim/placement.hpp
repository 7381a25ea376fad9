// Which nodes hold whose GPUs?
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "libplanner/domain/elastic.hpp"

namespace hora::sim {

using Share = domain::NodeGpus;
using Shares = std::vector<Share>;

// Nodes that are alike. P5's best fit: the fullest node that holds the whole job; if none does, the
// emptiest node whole, and so on with the rest.
class Placement {
  public:
    Placement(std::uint32_t nodes, std::uint32_t gpus_per_node);

    std::uint32_t idle() const { return idle_; }
    const std::vector<std::uint32_t>& free() const { return free_; }  // GPUs, by node
    // Precondition: gpus <= idle().
    Shares take(std::uint32_t gpus);
    // The same number on each of the fewest nodes that can give it, the fullest of these; empty:
    // none can. What `held` says counts as free, and stays taken.
    Shares find_even(std::uint32_t gpus, const Shares& held = {}) const;
    // Could find_even() ever find it?
    bool can_be_even(std::uint32_t gpus) const;
    // Precondition: find_even() finds it.
    Shares take_even(std::uint32_t gpus);
    void give_back(const Shares& shares);

  private:
    Shares find_on(std::uint32_t nodes, std::uint32_t each, const Shares& held) const;
    void set_free(std::uint32_t node, std::uint32_t free);

    std::vector<std::uint32_t> free_;                 // by node
    std::vector<std::set<std::uint32_t>> with_free_;  // nodes, by their number of free GPUs
    std::uint32_t idle_;
};

}  // namespace hora::sim
