// What gives a job back what it asked for before it was planned anew?
#pragma once

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/pending/replaced_plans.hpp"

namespace hora::horad {

// What `job` asks for, to be kept before it gets the plan `next`.
ReplacedPlan plan_of(const slurm::Job& job, const domain::Decision& next);

// What gives `job`, as it stands, back what it asked for before. Fails, in words for a person,
// where somebody has changed it since Hora did.
Expected<slurm::JobChange> roll_back(const slurm::Job& job, const domain::Decision& decision,
                                     const ReplacedPlan& before, bool computes_priorities);

}  // namespace hora::horad
