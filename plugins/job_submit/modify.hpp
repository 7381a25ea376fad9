// May this user change this job now?
#pragma once

#include <cstdint>

#include "plugins/job_submit/set_meanwhile.hpp"
#include "plugins/job_submit/site.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::submit {

// Slurm's answer to one update: refused where the owner of a job that horad restarts at another
// size changes anything but a hold and the time limit, and where a user but root, SlurmUser
// and horad names the reservation of restarts. All others pass: Slurm itself keeps others out, and
// what an operator does horad notices. `now`: seconds since the epoch. A word of horad's in the
// request is taken off it, and a time limit or a begin of horad's where the owner or root has set
// one since horad looked.
int modify(Site* site, job_desc_msg_t& job, std::uint32_t uid, char** message, std::int64_t now);

// The same by the folder of such jobs.
int modify_in(const std::string& folder, SetMeanwhile& meanwhile, job_desc_msg_t& job,
              std::uint32_t uid, char** message, std::int64_t now);

}  // namespace hora::submit
