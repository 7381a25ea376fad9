// Do Hora's options and the rest of the request contradict each other?
#pragma once

#include "libplanner/base/error.hpp"
#include "libplanner/domain/job_options.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

// Fails, in words for the user, naming both and what to do. Needs no knowledge of the cluster.
Expected<void> check_contradictions(const Submission& submission,
                                    const domain::JobOptions& options);

}  // namespace hora::request
