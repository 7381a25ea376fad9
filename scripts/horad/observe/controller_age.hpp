// Has slurmctld run for long enough to know of its nodes' GPUs?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/base/units.hpp"

namespace hora::horad {

// By its own clock, which may be set; so a start that came while we looked on is timed by the
// steady clock, too.
class ControllerAge {
  public:
    // `started` and `clock`: slurmctld's own, seconds since the epoch, 0: it does not say. `now`:
    // steady.
    void see(std::int64_t started, Seconds now);
    bool has_settled(std::int64_t started, std::int64_t clock, Seconds now);

  private:
    std::int64_t started_ = 0;     // 0: not looked at yet
    std::optional<Seconds> seen_;  // when another start was seen
};

}  // namespace hora::horad
