// How is one job brought to another size, and what has become of it?
//
// Each function is one call to slurmctld; slurm_init() has been called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "plugins/slurm/jobs/job.hpp"

namespace hora::slurm {

// Is that only for its turn, or for GPUs that others have now?
constexpr bool is_in_turn(std::string_view reason) {
    return reason == "Priority" || reason == "Resources" || reason == "None";
}

// The whole job; empty where slurmctld knows none of this number. Fails where it cannot be asked.
Expected<std::optional<Job>> look_at(std::uint32_t job);

// Of a pending job, what its owner may change while it is decided on.
struct SeenRequest {
    JobShape shape;
    std::string features;
    std::string prefer;

    friend bool operator==(const SeenRequest&, const SeenRequest&) = default;
};

SeenRequest seen_request(const Job& job);
// Its nodes and CPUs may be other ones: see asks_alike().
bool still_asks_for(const SeenRequest& seen, const Job& job);

// What is to be other; an empty optional leaves a field as it is. Nothing at all still makes
// slurmctld look for jobs to start.
struct JobChange {
    std::optional<JobShape> shape;
    std::optional<std::uint32_t> priority;
    bool forgets_priority = false;  // slurmctld computes it anew
    std::optional<std::int64_t> nice{};
    std::optional<std::int64_t> begins;
    std::optional<std::string> features{};  // "" clears
    std::optional<std::string> prefer{};
    std::optional<std::string> admin_comment{};
    std::optional<std::string> reservation{};  // "" clears
    bool is_comment_first = false;  // before the size, with which the job may start at once
    // slurmctld has found that the job can never run. It then takes no priority together with
    // anything else, and any other change frees the job.
    bool is_of_impossible = false;
    std::optional<Seconds> time_limit{};  // whole minutes
    // From now on this user, its owner, can change little of it.
    std::optional<std::uint32_t> kept_from{};
    std::string key{};  // of a job that its owner is kept from: see RestartLocks
    // A size or time limit is refused where the job asks for something else by now, which slurmctld
    // is asked for at the last moment.
    std::optional<SeenRequest> seen{};

    friend bool operator==(const JobChange&, const JobChange&) = default;
};

// The highest that a job can have; no job is given it.
constexpr std::uint32_t top_priority = 0xfffffffdU;

enum class Reply { done, refused, unreachable };

struct Answered {
    Reply reply = Reply::done;
    std::string why;  // empty where it is done
};

// What slurmctld means by this error number.
Answered answer_of(int error);

// Its owner's limits hold for what it becomes: nodes, CPUs, GPUs, features and time are changed in
// the owner's name, and only the rest in that of this process. Killed in between, the job asks for
// the size that it had or for the new one, with the larger number of tasks a node: see
// is_between(). `job` is the target of a Job.
Answered change_job(const std::string& job, const JobChange& change);

// As `scontrol hold` (or `uhold`) does.
Answered hold_job(std::uint32_t job, bool by_user);

// To the processes of all its steps, not to the batch script.
Answered signal_steps(std::uint32_t job, int signal);

// Back to the queue, but only while it runs: one that was cancelled meanwhile is not brought back.
// `done` also where nothing was done: `restarts` tells. Its owner may ask for it too. `job` is the
// target of a Job.
Answered requeue_running(const std::string& job);

// Likewise one that is over; which one that may be is the caller's to judge.
Answered requeue_failed(const std::string& job);

// May this user do with every job what root may? By slurm.conf and by Slurm's accounting.
Expected<bool> is_operator(std::uint32_t uid);

// Does slurmctld compute priorities from age, size and shares, again and again?
Expected<bool> computes_priorities();

// May users give one job of theirs the priority of another (`scontrol top`, enable_user_top)?
// job_submit plugins are not asked then.
Expected<bool> users_swap_priorities();

}  // namespace hora::slurm
