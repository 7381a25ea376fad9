// What would have been predicted of a step at the size that a job has now?
//
// settings: cost.*
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/domain/plan.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

struct HeldSize {
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 0;
    std::string where;        // the nodes, a Slurm hostlist
    std::uint64_t batch = 0;  // of this start of a job with a range of them; else 0

    friend bool operator==(const HeldSize&, const HeldSize&) = default;
};

// Without what earlier runs had corrected, or corrections would follow themselves. At the size of
// its plan, what the plan said; else by the cost model where the network is a built-in one, and of
// a user's own file, which is not here any more, by the parts of the plan's step where it says
// enough. With another batch than the plan's, by the cost model alone. Empty: nothing can be said.
std::optional<domain::Breakdown> predicted_step(const JobMemory& memory, const HeldSize& size,
                                                const domain::Snapshot& cluster,
                                                const read::Settings& settings);

}  // namespace hora::horad
