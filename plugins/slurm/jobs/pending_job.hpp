// Which jobs wait, what holds them to sockets, and how are they freed of it?
#pragma once

#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/jobs/job_list.hpp"

namespace hora::slurm {

// A record for each job, for each component, and for all tasks of an array that are alike.
Expected<std::vector<Job>> load_pending_jobs();

enum class Freed { done, has_started };

// Why slurmctld did not change a job, by its error number, in words for the caller.
std::string why_unchanged(int error);

// Takes tres_per_socket and what goes with it off the request. A job that is gone, or tasks of an
// array that run, have started meanwhile.
Expected<Freed> free_of_sockets(const Job& job);

// Only root and operators may: false where the caller may not.
Expected<bool> set_admin_comment(const std::string& job, const std::string& comment);

}  // namespace hora::slurm
