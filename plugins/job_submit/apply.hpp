// How are the changes carried into a job_desc_msg_t? In slurmctld's own memory.
#pragma once

#include <string>

#include "plugins/job_submit/contract.hpp"
#include "plugins/job_submit/rewrite.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::submit {

// Makes it possible that the job comes back at its checkpoints.
void keep_contract(const Contract& contract, job_desc_msg_t& job);

void apply(const Rewrite& rewrite, job_desc_msg_t& job);

// Puts the token beside what the comment holds already.
void keep_token(const std::string& token, job_desc_msg_t& job);

}  // namespace hora::submit
