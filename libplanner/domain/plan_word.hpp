// What does a job itself carry of a decision that is kept elsewhere?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/plan.hpp"

namespace hora::domain {

// Where to find it, and enough to be of use without it.
struct PlanWord {
    std::string key;
    std::string operating;
    bool has_plan = false;  // the fields below hold only then
    Mode mode = Mode::independent;
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 0;
    std::string type;  // of the GPUs, the first of several
    Seconds step_seconds;
    std::optional<Seconds> seconds;

    friend bool operator==(const PlanWord&, const PlanWord&) = default;
};

}  // namespace hora::domain
