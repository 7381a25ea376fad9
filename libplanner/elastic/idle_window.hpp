// How many GPUs have idled for a while? Growing into those that have only just become idle would be
// a restart for what the next job takes back.
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::elastic {

class IdleWindow {
  public:
    // So many idle from `now` on. Calls come in the order of `now`; after one that does not, for a
    // clock was set back, nothing is known of the time before. O(1) amortised.
    void see(Seconds now, std::uint32_t idle);

    // As last seen; 0 before.
    std::uint32_t now() const { return spans_.empty() ? 0 : spans_.back().idle; }

    // So many have idled for the last `length`, up to the last call of see(); 0: it is not known
    // for so long. O(log of the idle GPUs), as the next.
    std::uint32_t least(Seconds length) const;

    // For so long as many have idled, up to the last call of see(), as far as it is known.
    Seconds lasted(std::uint32_t gpus) const;

  private:
    struct Span {
        Seconds until;
        std::uint32_t idle = 0;
    };

    // The one that lasts is the last; before it only those with fewer idle than any after them.
    std::vector<Span> spans_;
    Seconds since_{};
    Seconds now_{};
};

}  // namespace hora::elastic
