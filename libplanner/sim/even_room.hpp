// From when on can nodes give a job its GPUs evenly, if those that run go on until their limits?
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/sim/placement.hpp"

namespace hora::sim {

// Times are from now on.
class EvenRoom {
  public:
    // `placement` is looked at in each call.
    explicit EvenRoom(const Placement& placement) : placement_(&placement) {}

    // Held by a job that runs, for so long, or for a moment longer if it is past its limit. To be
    // called for every running job, and for each that starts afterwards. `shares` outlives this.
    void hold(const Shares& shares, Seconds left);
    // 0 if they can now. Precondition: placement.can_be_even(gpus), and all that is taken is held.
    // O(nodes + GPUs held * log nodes) for each number of GPUs after a hold(), then O(log numbers).
    Seconds from(std::uint32_t gpus);

  private:
    Seconds after_ends(std::uint32_t gpus);

    const Placement* placement_;
    std::vector<std::pair<Seconds, const Shares*>> held_;
    bool is_sorted_ = true;
    std::map<std::uint32_t, Seconds> known_;  // by number of GPUs
};

}  // namespace hora::sim
