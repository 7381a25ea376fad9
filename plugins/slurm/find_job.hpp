// What do Slurm's controller and its accounting know of one job?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// "12", "12_3" (a task of an array) or "12+1" (a component of a heterogeneous job).
struct JobNumber {
    std::uint32_t job = 0;
    std::optional<std::uint32_t> task;
    std::optional<std::uint32_t> component;
};

Expected<JobNumber> parse_job_number(std::string_view text);
// As requests to slurmctld name it, without leading zeros.
std::string target_of(const JobNumber& number);

struct FoundJob {
    std::uint32_t job = 0;  // the number it runs under, of an array's task its own
    std::string squeue_id;  // "12", of an array's task "12_3"
    std::string name;
    std::string state;
    std::string user;
    std::uint32_t uid = 0;
    std::string work_directory;
    std::string admin_comment;
    // Does Slurm hold it to sockets? Accounting does not know.
    std::optional<bool> is_bound_to_sockets;
    std::int64_t submitted = 0;  // seconds since the epoch; 0 where accounting says it otherwise
};

// Of what sacct prints of a job, between the fields: JobIDRaw, JobID, State, User, UID,
// AdminComment, JobName, WorkDir.
constexpr char accounting_separator = '\x1f';

// The first line of that; empty where it is something else. The job's owner chooses the last two
// fields, and may put separators there: the others stay Slurm's.
std::optional<FoundJob> read_accounting(std::string_view text);

// The controller's own record; where it has forgotten the job, the accounting's, asked for by
// `sacct`. Fails, in words for the user, where neither knows it or one cannot be asked.
Expected<FoundJob> find_job(const JobNumber& number);

}  // namespace hora::slurm
