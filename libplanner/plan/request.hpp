// What is to be planned, by what the user said and what the site decided?
#pragma once

#include "libplanner/domain/job_options.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/read/settings/settings.hpp"

namespace hora::plan {

// The one translation that a submission and `hora plan` share, so that both give the same answer.
// A job that does not say how many GPUs it may use gets at most plan.max_gpus, each of them worth
// plan.min_efficiency; --hora-gpus is taken as said. A batch that is not said is 0. With Hora's own
// all-reduce the exchange is a ring, whatever the site counts on; that no rank is late is assumed,
// so a bypass takes as long. The layout is the caller's to set.
domain::Request request_of(const domain::JobOptions& options, const domain::Workload& workload,
                           const read::Settings& settings);

}  // namespace hora::plan
