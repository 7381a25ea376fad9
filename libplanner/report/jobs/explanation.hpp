// Why was a job planned as it was, and did the prediction hold?
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/cost/measured.hpp"
#include "libplanner/domain/decision.hpp"
#include "libplanner/domain/status.hpp"
#include "libplanner/report/jobs/history.hpp"
#include "libplanner/report/jobs/rescale.hpp"

namespace hora::report {

struct ExplainedJob {
    std::string id;
    std::string name;
    std::string state;
    domain::Decision decision;
    std::optional<cost::Measured> measured;
    bool is_freed = false;                        // Slurm no longer holds the job to its placement
    std::vector<Rescale> rescales;                // oldest first
    std::vector<MeasuredSize> sizes = {};         // that it was measured at
    bool is_withheld = false;                     // what it measured only its owner may read
    std::optional<domain::StatusHold> held = {};  // by its time limit, now
    std::string stays = {};                       // why horad does nothing to it now
};

// One JSON object with "version": 1; plan and measured are null where there is none.
std::string to_json(const ExplainedJob& job);
// What changes in a request, field by field.
nlohmann::ordered_json json_of(const std::vector<domain::FieldChange>& changes);
std::string line_of(const domain::FieldChange& change);
std::string to_text(const ExplainedJob& job);

}  // namespace hora::report
