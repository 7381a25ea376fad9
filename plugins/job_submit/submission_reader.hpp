// How is a job_desc_msg_t read?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/request/scope/submission.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::submit {

// Is any of Hora's options there? The only question a job without them pays for.
bool names_hora(const job_desc_msg_t& job);

// Fails where Hora's client cannot have sent all of Hora's entries: too many or too long. Nothing
// of such a request may be read: with a part of it, the last of an option would not be the one that
// counts, and the request would mean what its owner did not say.
Expected<void> check_entries(const job_desc_msg_t& job);

// As asked for, in that order; none: the default one.
std::vector<std::string> partitions_of(const job_desc_msg_t& job);

// Everything that a plan must know. Fails on text that no client of Slurm sends. Each option is
// there once, with its last value.
Expected<request::Submission> read_submission(const job_desc_msg_t& job, std::uint32_t uid);

}  // namespace hora::submit
