// What becomes of a job that Hora has no plan for? One answer, whatever the cause. Setting:
// "submit.without_plan".
#pragma once

#include <string>

#include "libplanner/domain/decision.hpp"
#include "libplanner/domain/job_options.hpp"
#include "libplanner/read/settings/setting_table.hpp"
#include "libplanner/request/rewrite/rewrite.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

struct Unplanned {
    enum class Kind { unchanged, requested, refused };

    Kind kind = Kind::unchanged;
    std::string text;   // one line for the user, without "hora: "
    Rewrite rewrite{};  // of `requested`; else empty
};

// `acts`: the mode of the job's partition is act, or is not known since no settings could be read.
// `why`: "no fresh snapshot of the cluster". A request that names its GPUs, be it none, is never
// changed nor refused.
Unplanned without_plan(const Submission& submission, const domain::JobOptions& options,
                       read::WithoutPlan rule, bool acts, const std::string& why,
                       const SpellGpus& spell);

// Why, of a decision without a plan: "no plan fits in partition "p": 16 x titanx: only 16 of 16
// free".
std::string why_no_plan(const domain::Decision& decision);

}  // namespace hora::request
