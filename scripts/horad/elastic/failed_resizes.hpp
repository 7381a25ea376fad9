// For how long is a job left alone whose resize came to nothing?
#pragma once

#include <cstdint>
#include <map>

#include "libplanner/base/units.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

class FailedResizes {
  public:
    // In seconds; `cooldown` is elastic.cooldown. A program that does not answer, or a size that
    // Slurm refuses, is not tried again for the longest rest. Where others took the GPUs meanwhile
    // it is twice `cooldown`, and each time in a row twice as long as the time before.
    std::int64_t rest_after(const Resized& failed, std::int64_t now, Seconds cooldown);
    static std::int64_t longest_rest(Seconds cooldown);

    // Has this start of a job been asked for a checkpoint, and wrote none?
    bool is_unanswered(std::uint32_t job, std::uint32_t restarts) const;

    void forget_gone(const Observation& seen);

  private:
    struct InARow {
        std::uint32_t times = 0;
        std::int64_t last = 0;
    };

    std::map<std::uint32_t, InARow> to_others_;          // by job: what it lost to them
    std::map<std::uint32_t, std::uint32_t> unanswered_;  // by job: the start
};

}  // namespace hora::horad
