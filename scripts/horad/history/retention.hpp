// Which rows of the history are old enough to be forgotten, though the clock may be wrong?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/base/units.hpp"

namespace hora::horad {

// A clock that jumps ahead must not empty the history: with each hour at most ten hours of it grow
// old, and a tenth of what is kept at the start.
class Retention {
  public:
    // What is older than the answer is to be forgotten; all times but `steady` are seconds since
    // the epoch. `first`: of the oldest row; empty: there is none. `steady`: of a clock that nobody
    // sets.
    std::int64_t oldest(std::int64_t now, Seconds keep, std::optional<std::int64_t> first,
                        Seconds steady);

  private:
    std::optional<double> reached_;
    Seconds looked_;
};

}  // namespace hora::horad
