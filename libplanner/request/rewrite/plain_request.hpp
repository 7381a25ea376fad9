// How are a job's GPUs requested from Slurm without a plan, by a user's own means?
#pragma once

#include <cstdint>

#include "libplanner/domain/job_options.hpp"
#include "libplanner/request/rewrite/rewrite.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

// Is the number of GPUs left to Hora? A model or --hora-gpus says that there are to be some.
bool leaves_gpus_open(const Submission& submission, const domain::JobOptions& options);

struct PlainRequest {
    std::uint32_t gpus = 0;
    Rewrite rewrite;
};

// The fewest GPUs that the options and the request allow, with a task for each as a plan has them.
// Needs no knowledge of the cluster: where the nodes are not said, Slurm chooses them.
PlainRequest plain_request(const Submission& submission, const domain::JobOptions& options,
                           const SpellGpus& spell);

}  // namespace hora::request
