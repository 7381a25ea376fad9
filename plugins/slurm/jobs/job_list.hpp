// Which jobs does slurmctld have, and in what state is each?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "plugins/slurm/jobs/charge.hpp"

namespace hora::slurm {

enum class JobState { pending, running, suspended, ended };

// launch: by slurmctld itself, since a node did not start the job.
enum class Hold { none, user, administrator, launch };

// What a pending job waits for, as far as it matters to others.
enum class WaitsFor {
    resources,   // it would start if there were enough of them, or is behind such a job
    time,        // its begin time
    dependency,  // another job, or tasks of its own array
    nodes,       // nodes that cannot be used now: down, drained, reserved
    limit,       // a limit of a QOS, an association or a partition, or licences
    other,       // held, a wrong request
};

// As slurmctld says; times are seconds since the epoch, 0 where there is none.
struct ListedJob {
    std::uint32_t id = 0;
    std::uint32_t uid = 0;
    std::string name;
    std::string account;
    std::string qos;
    std::string squeue_id;  // "12", of an array's task "12_3"
    std::string partition;  // of a pending job, may be several: "a,b"
    std::string reservation;
    std::string comment;
    std::string admin_comment;

    JobState state = JobState::ended;
    bool is_completing = false;  // its last run is being cleaned up; may be pending as well
    bool is_configuring = false;
    bool is_batch = true;
    bool is_array = false;
    bool is_het = false;
    bool may_requeue = true;
    std::uint32_t restarts = 0;

    std::uint32_t priority = 0;  // 0: held
    Hold hold = Hold::none;
    WaitsFor waits_for = WaitsFor::other;  // of a pending job

    // What it holds while it runs, else what it asks for.
    std::uint32_t nodes = 0;
    std::uint32_t gpus = 0;
    std::string where;  // the nodes that it holds: "n[1-2]"

    // Its request, as it stands now.
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 0;  // 0: not said
    std::uint32_t cpus_per_task = 0;   // 0: not said
    std::uint32_t cpus = 0;            // while it runs, those that it holds
    Charge charge{};                   // likewise
    std::string tres_per_node;         // "gres:gpu:2"
    std::string tres_per_socket;
    std::string features;

    std::int64_t submitted = 0;
    std::int64_t eligible = 0;          // since when, or from when on, it could run
    std::int64_t started = 0;           // of a pending job: expected, if known
    std::int64_t ends = 0;              // at the latest
    std::optional<Seconds> time_limit;  // empty: none
};

struct JobList {
    std::int64_t updated = 0;     // for the next load_jobs()
    std::vector<ListedJob> jobs;  // ascending by id; a record each array that is not split up
};

// Empty where nothing has changed since `updated` of an earlier list (0: always a list).
// slurm_init() has been called.
Expected<std::optional<JobList>> load_jobs(std::int64_t updated);

}  // namespace hora::slurm
