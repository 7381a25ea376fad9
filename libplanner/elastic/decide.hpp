// Which jobs of a pool are to grow and shrink, and why does each other one stay as it is? The one
// way from what is seen to changes: of the daemon, and of each event of a simulation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/elastic/held_back.hpp"
#include "libplanner/elastic/judge.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/elastic/state_of_jobs.hpp"

namespace hora::elastic {

// A job that stays as it is.
struct Unchanged {
    std::uint64_t id = 0;
    std::string why;

    friend bool operator==(const Unchanged&, const Unchanged&) = default;
};

struct Decision {
    std::vector<Change> now;           // at once
    std::vector<Change> later;         // when GPUs have become free
    std::vector<HeldBack> held;        // by a time limit
    std::vector<Unchanged> unchanged;  // the others, in the order of the pool
};

// question -> policy -> judgement. Pure: the same pool and policy give the same decision.
Decision decide(const Pool& pool, const Policy& policy);

}  // namespace hora::elastic
