// What did the owner of a waiting job ask for before Hora rewrote it, and has anybody changed it
// since?
#pragma once

#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"
#include "libplanner/request/scope/submission.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"

namespace hora::horad {

// By what Hora wrote down, `decision`, and the job as it stands. Fails, in words for a person,
// where somebody has changed what Hora had set, and where it cannot be told from the owner's own
// words. The CPUs of a task are taken for the owner's, since the script has been told them.
Expected<request::Submission> own_request(const slurm::Job& job, const domain::Decision& decision);

// The request as it stands now, with all that Hora set as if the owner had said so himself.
request::Submission standing_request(const slurm::Job& job, const request::Submission& own);

}  // namespace hora::horad
