// What becomes of a job that Hora has no plan for? One answer, whatever the cause. Setting:
// "submit.without_plan".
#pragma once

#include <cstdint>
#include <string>

#include "libplanner/domain/job_options.hpp"
#include "libplanner/read/setting_table.hpp"
#include "plugins/job_submit/rewrite.hpp"
#include "plugins/job_submit/submission.hpp"

namespace hora::submit {

struct Unplanned {
    enum class Kind { unchanged, requested, refused };

    Kind kind = Kind::unchanged;
    std::string text;   // one line for the user, without "hora: "
    Rewrite rewrite{};  // of `requested`; else empty
};

// `acts`: the mode of the job's partition is act, or is not known since no settings could be read.
// `why`: "no fresh snapshot of the cluster". A request that names its GPUs, be it none, is never
// changed nor refused. `version` as in plugins/slurm/version.hpp.
Unplanned without_plan(const Submission& submission, const domain::JobOptions& options,
                       read::WithoutPlan rule, bool acts, const std::string& why,
                       std::uint32_t version);

}  // namespace hora::submit
