// Which jobs wait, what holds them to sockets, and how are they freed of it?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

struct PendingJob {
    std::string name;  // as slurmctld takes it: "12", "12_3", "12+1"
    std::string admin_comment;
    std::int64_t eligible = 0;  // since when it could run, seconds since the epoch; 0: it cannot
    bool is_bound_to_sockets = false;
};

// A record for each job, for each component, and for all tasks of an array that are alike.
Expected<std::vector<PendingJob>> load_pending_jobs();

enum class Freed { done, has_started };

// Why slurmctld did not change a job, by its error number, in words for who asked.
std::string why_unchanged(int error);

// Takes tres_per_socket and what goes with it off the request. A job that is gone, or tasks of an
// array that run, have started meanwhile.
Expected<Freed> free_of_sockets(const PendingJob& job);

// Only root and operators may: false where the caller may not.
Expected<bool> set_admin_comment(const std::string& job, const std::string& comment);

}  // namespace hora::slurm
