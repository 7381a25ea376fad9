// What happens to one submission, from its request to the answer?
#pragma once

#include <cstdint>

#include "plugins/job_submit/site.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::submit {

// Slurm's answer: SLURM_SUCCESS, or an error with *message set for the user. Only a value that no
// option of Hora's takes is refused; in every other case of doubt the job passes unchanged. The
// text of *message is slurmctld's to free.
int handle(Site& site, job_desc_msg_t& job, std::uint32_t uid, char** message);

}  // namespace hora::submit
