// How is a job_desc_msg_t read?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/job_submit/submission.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::submit {

// Is any of Hora's options there? The only question a job without them pays for.
bool names_hora(const job_desc_msg_t& job);

// As asked for, in that order; none: the default one.
std::vector<std::string> partitions_of(const job_desc_msg_t& job);

// Everything that a plan must know. Fails on text that no client of Slurm sends.
Expected<Submission> read_submission(const job_desc_msg_t& job, std::uint32_t uid);

}  // namespace hora::submit
