// What happens to one submission, from its request to the answer?
#pragma once

#include <cstdint>

#include "plugins/job_submit/site.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::submit {

// Slurm's answer: SLURM_SUCCESS, or an error with *message set for the user. Refused are a value
// that no option of Hora's takes, options that contradict each other and, where
// submit.without_plan says so, jobs whose GPUs Hora was to choose and cannot. `site` null: neither
// settings nor a snapshot can be had. The text of *message is slurmctld's to free.
int handle(Site* site, job_desc_msg_t& job, std::uint32_t uid, char** message);

}  // namespace hora::submit
