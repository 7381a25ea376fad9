// What does slurmctld say of a job?
#pragma once

#include <slurm/slurm.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/units.hpp"
#include "plugins/slurm/jobs/charge.hpp"

namespace hora::slurm {

enum class JobState { pending, running, suspended, ended };

// launch: by slurmctld, since a node did not start the job. impossible: by slurmctld, which has
// found that the job can never run as it asks.
enum class Hold { none, user, administrator, launch, impossible };

// What a pending job waits for, as far as it matters to others.
enum class WaitsFor {
    resources,   // it would start if there were enough of them, or is behind such a job
    time,        // its begin time
    dependency,  // another job, or tasks of its own array
    nodes,       // nodes that cannot be used now: down, drained, reserved
    limit,       // a limit of a QOS, an association or a partition, or licences
    other,       // held, a wrong request
};

// The fields of a request that together are its size.
struct JobShape {
    std::uint32_t nodes = 0;
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 0;
    std::uint32_t cpus = 0;  // of all nodes
    std::uint32_t cpus_per_task = 0;
    std::string tres_per_node;  // "gres:gpu:2"
    // These three keep the GPUs of a node together, and its CPUs with them.
    std::string tres_per_socket;
    std::uint32_t sockets_per_node = 0;
    std::uint32_t cores_per_socket = 0;

    friend bool operator==(const JobShape&, const JobShape&) = default;
};

// How many nodes and CPUs a job will get that does not run is Slurm's guess, which changes by
// itself, also while its last run is cleaned up.
bool asks_alike(const JobShape& a, const JobShape& b);

// That it asks for by the node or the socket; 0: by neither.
std::uint32_t gpus_of(const JobShape& shape);

struct GpusOfNode {
    std::string node;
    std::uint32_t gpus = 0;
    std::vector<std::uint32_t> indices;  // ascending; may be empty where Slurm does not say

    friend bool operator==(const GpusOfNode&, const GpusOfNode&) = default;
};

// 0 and "" are "not said"; times are seconds since the epoch. The last two fields are known only
// of a job that was looked at alone (resize_job.hpp).
struct Job {
    std::uint32_t id = 0;
    std::uint32_t uid = 0;
    // As requests to slurmctld name it: "12", "12_3" for the task of an array, whose own number
    // may mean all of it, "12+1" for a component of a heterogeneous job.
    std::string target;
    std::string squeue_id;  // as squeue shows it: "12_[4-7]" for tasks that wait
    std::string job_name;
    std::string comment;
    std::string admin_comment;

    JobState state = JobState::ended;
    bool is_completing = false;  // its last run is being cleaned up; may be pending as well
    bool is_configuring = false;
    bool is_preempted = false;   // this start is ended for another job; till it is cleaned up
    bool was_cancelled = false;  // it has ended so
    bool has_failed = false;     // it has ended, and its batch script was ended by a signal
    // Of a job that has failed: the signal that ended its script or, by the script's status (128
    // more), the program in it; 0: none.
    int failed_by = 0;
    bool is_batch = true;
    bool is_array = false;
    bool is_het = false;
    bool may_requeue = true;
    std::uint32_t restarts = 0;

    std::uint32_t priority = 0;  // 0: held
    std::int64_t nice = 0;       // taken off it; slurmctld forgets it at each new priority
    Hold hold = Hold::none;
    Hold former_hold = Hold::none;  // that Slurm still gives as the reason, though it was taken off
    WaitsFor waits_for = WaitsFor::other;  // of a pending job
    std::string reason;                    // likewise, in Slurm's words: "Resources", "Licenses"

    std::int64_t submitted = 0;         // of the newest start: a requeue sets it anew
    std::int64_t eligible = 0;          // since when, or from when on, it could run
    std::int64_t started = 0;           // of a pending job: expected, if known
    std::int64_t began = 0;             // of a running job: as if it had never been suspended
    std::int64_t ran = 0;               // of a suspended job: until it was, in seconds
    std::int64_t ends = 0;              // at the latest
    std::optional<Seconds> time_limit;  // of one start; empty: none, or not known yet

    std::string partition;  // of a pending job, may be several: "a,b"
    std::string account;
    std::string qos;
    std::string reservation;  // of its request
    bool is_in_restart_reservation =
        false;  // it is in the reservation of restarts (restart_name.hpp)
    std::string features;
    std::string prefer;
    std::string required_nodes;
    std::string excluded_nodes;

    // Its request as it stands now; of a running job, nodes and CPUs are those that it holds.
    JobShape shape;
    std::uint32_t max_nodes = 0;
    std::string tres_per_job;  // these three are said besides the shape, if at all
    std::string tres_per_task;
    std::string cpus_per_tres;
    std::optional<std::uint64_t> memory_per_node;  // MiB
    std::optional<std::uint64_t> memory_per_cpu;   // MiB
    std::optional<std::uint64_t> memory_per_gpu;   // MiB
    bool is_exclusive = false;
    bool has_own_layout = false;   // of cores or threads, or how GPUs and CPUs are bound
    std::uint32_t asked_gpus = 0;  // by the request
    Charge charge{};

    std::uint32_t gpus = 0;  // that it holds while it runs, else what it asks for
    std::string where;       // the nodes that it holds: "n[1-2]"

    std::vector<GpusOfNode> allocation;  // a node each, in the order of the nodes
    // All that decides where and when it starts besides its size, as one text.
    std::string rest_of_request;
    std::int64_t updated = 0;  // slurmctld's clock when it answered

    bool is_held() const { return hold != Hold::none && hold != Hold::impossible; }
    bool is_impossible() const { return hold == Hold::impossible; }
    bool runs() const { return state == JobState::running && !is_completing; }
    // And its last run, if any, is cleaned up.
    bool waits() const { return state == JobState::pending && !is_completing; }
    // One that is cleaned up after its end may go back to the queue yet, by RequeueExit of
    // slurm.conf.
    bool is_over() const { return state == JobState::ended && !is_completing; }
    // Since when it could run; 0: it cannot.
    std::int64_t runnable_since() const {
        return priority == 0 || eligible == 0 ? 0 : std::max(eligible, submitted);
    }
    bool holds_nodes() const { return state == JobState::running || state == JobState::suspended; }
    // For how long this start has run by then, as Slurm counts it: without the time for which it
    // was suspended. Below 0 where a clock was set; 0 where the job does not run.
    Seconds ran_by(std::int64_t now) const {
        const std::int64_t since = began > 0 ? began : started;
        const std::int64_t time = state == JobState::suspended ? ran : runs() ? now - since : 0;
        return Seconds(static_cast<double>(time));
    }
};

// Job::target.
std::string target_of(const slurm_job_info_t& record);
// All but the last three fields.
Job job_of(const slurm_job_info_t& record);
// All but the time of the answer.
Job whole_job_of(const slurm_job_info_t& record);

}  // namespace hora::slurm
