// How are the changes carried into a job_desc_msg_t? In slurmctld's own memory.
#pragma once

#include <string>

#include "libplanner/request/contract.hpp"
#include "libplanner/request/rewrite/rewrite.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::submit {

// Makes it possible that the job comes back at its checkpoints.
void keep_contract(const request::Contract& contract, job_desc_msg_t& job);

void apply(const request::Rewrite& rewrite, job_desc_msg_t& job);

// Puts the token beside what the comment holds already.
void keep_token(const std::string& token, job_desc_msg_t& job);

}  // namespace hora::submit
