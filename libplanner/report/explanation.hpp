// Why was a job planned as it was, and did the prediction hold?
#pragma once

#include <optional>
#include <string>

#include "libplanner/cost/measured.hpp"
#include "libplanner/domain/decision.hpp"

namespace hora::report {

struct ExplainedJob {
    std::string id;
    std::string name;
    std::string state;
    domain::Decision decision;
    std::optional<cost::Measured> measured;
    bool is_freed = false;  // Slurm no longer holds the job to its placement
};

// One JSON object with "version": 1; plan and measured are null where there is none.
std::string to_json(const ExplainedJob& job);
std::string to_text(const ExplainedJob& job);

}  // namespace hora::report
