// How many GPUs are too many for a job, though nothing that is known beforehand says so?
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// A limit of the site's that Hora does not know (MaxCPUsPerNode, say) shows only when slurmctld
// finds that a job can never run. It would be restarted for nothing again and again if that were
// forgotten at once; for ever, a limit that was lifted would still hold.
class FoundLimits {
  public:
    // Points in time are seconds since the epoch.
    void learn(const Resized& resized, std::int64_t now);
    void forget_gone(const Observation& seen);

    // GPUs that it may have at most; empty: nothing was found.
    std::optional<std::uint32_t> most(std::uint32_t job) const;

  private:
    struct Limit {
        std::uint32_t most = 0;
        std::int64_t until = 0;
    };
    std::map<std::uint32_t, Limit> limits_;  // by job
};

}  // namespace hora::horad
