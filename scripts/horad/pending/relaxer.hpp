// Which jobs have waited long enough for GPU locality, and when is that looked at?
#pragma once

#include <chrono>

#include "scripts/horad/log/log.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/observe/plans.hpp"

namespace hora::horad {

// Frees them as `hora relax` does.
class Relaxer {
  public:
    explicit Relaxer(Plans& plans) : plans_(plans) {}

    void step(const Observation& seen, Log& log);

    std::uint64_t relaxed() const { return relaxed_; }  // so far

  private:
    Plans& plans_;
    std::chrono::steady_clock::time_point next_;
    std::uint64_t relaxed_ = 0;
};

// Could this job have run for as long as it may be held back for that?
bool is_overdue(const ObservedJob& job, std::int64_t now);

}  // namespace hora::horad
