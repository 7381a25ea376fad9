// Which jobs keep the GPUs that they have only for the sake of their time limits?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/elastic/judge.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/elastic/state_of_jobs.hpp"

namespace hora::elastic {

struct HeldBack {
    std::uint64_t id = 0;
    std::uint32_t gpus = 0;       // that it is left with
    std::uint32_t otherwise = 0;  // that it would go to if no job had a time limit
    std::string why;

    friend bool operator==(const HeldBack&, const HeldBack&) = default;
};

// Asks the policy once more, without time limits, where these stood in its way. `verdict` is what
// judge() made of `answer`. The jobs are in the order of the question.
std::vector<HeldBack> held_back(const Pool& pool, const Question& question, const Policy& policy,
                                const Allocation& answer, const Verdict& verdict);

}  // namespace hora::elastic
