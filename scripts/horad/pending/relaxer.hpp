// Which jobs have waited long enough for GPU locality, and when is that looked at?
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "scripts/horad/log/log.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/observe/plans.hpp"

namespace hora::horad {

// Frees them as `hora relax` does.
class Relaxer {
  public:
    using Clock = std::chrono::steady_clock;
    using Now = std::function<Clock::time_point()>;

    explicit Relaxer(Plans& plans, Now steady = Clock::now)
        : plans_(plans), steady_(std::move(steady)) {}

    // Some at each call, for slurmctld may take long for each.
    void step(const Observation& seen, Log& log);

    std::uint64_t relaxed() const { return relaxed_; }  // so far

  private:
    // Until all are done, or they have taken long, which it returns.
    bool relax_each(const std::vector<slurm::Job>& pending, std::int64_t now,
                    Clock::time_point begin, Log& log);

    Plans& plans_;
    const Now steady_;
    Clock::time_point next_;
    std::map<std::uint32_t, Clock::time_point> rests_;  // by job that was refused: not before
    std::uint64_t relaxed_ = 0;
};

// Could this job have run for as long as it may be held back for that?
bool is_overdue(const ObservedJob& job, std::int64_t now);

}  // namespace hora::horad
