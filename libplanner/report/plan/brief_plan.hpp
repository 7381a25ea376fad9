// What can be said of a job's plan where only its word is at hand?
#pragma once

#include <string>

#include "libplanner/domain/plan_word.hpp"

namespace hora::report {

struct BriefJob {
    std::string id;
    std::string name;
    std::string state;
    domain::PlanWord word;
};

// One JSON object with "version": 1; "is_brief" is true, and "plan" is null where there is none.
std::string to_json(const BriefJob& job);
std::string to_text(const BriefJob& job);

}  // namespace hora::report
