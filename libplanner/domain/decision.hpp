// What the controller's plugin decided about a job, as it is kept with the job and explained later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/domain/plan.hpp"

namespace hora::domain {

// One field of the request, before and after; an empty `before` was not said.
struct FieldChange {
    std::string field;
    std::string before;
    std::string after;

    friend bool operator==(const FieldChange&, const FieldChange&) = default;
};

struct TypeUse {
    std::string type;
    FlopRate attainable;
    Bound bound = Bound::memory;
};

struct Decision {
    std::string operating;                                     // "observe", "advise", "act"
    std::vector<std::pair<std::string, std::string>> options;  // "hora-batch", "256"
    std::string partition;
    bool has_plan = false;  // the fields up to `uses` hold only then
    Mode mode = Mode::independent;
    bool waits = false;  // not on the GPUs that were free, for the plan did not fit there
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 0;
    std::string where;  // the nodes it was planned on: "n[1-2]"
    std::optional<Seconds> seconds;
    Seconds step_seconds;
    Breakdown breakdown;
    std::vector<TypeUse> uses;
    std::vector<Alternative> rejected;
    std::vector<FieldChange> changes;  // done in "act", else what would have been done
    std::string remark;                // why nothing was planned, or what to watch out for
    std::int64_t submitted = 0;        // by the client's clock; 0: it did not say
    std::int64_t snapshot = 0;         // when the cluster was looked at, seconds since the epoch
};

}  // namespace hora::domain
