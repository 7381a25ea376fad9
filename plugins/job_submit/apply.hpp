// How are the changes carried into a job_desc_msg_t? In slurmctld's own memory.
#pragma once

#include <string>

#include "plugins/job_submit/rewrite.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::submit {

void apply(const Rewrite& rewrite, job_desc_msg_t& job);

// Puts the token beside what the comment holds already.
void keep_token(const std::string& token, job_desc_msg_t& job);

}  // namespace hora::submit
