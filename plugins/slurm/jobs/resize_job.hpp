// How is one job brought to another size, and what has become of it?
//
// Each function is one call to slurmctld; slurm_init() has been called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "plugins/slurm/jobs/charge.hpp"

namespace hora::slurm {

// The fields of a request that together are its size. 0 and "" are "not said".
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

enum class JobStage { pending, running, suspended, ended };

struct GpusOfNode {
    std::string node;
    std::uint32_t gpus = 0;
    std::vector<std::uint32_t> indices;  // ascending; may be empty where Slurm does not say

    friend bool operator==(const GpusOfNode&, const GpusOfNode&) = default;
};

// Times are seconds since the epoch.
struct JobView {
    std::uint32_t id = 0;
    // What Slurm is to be told: "120_7" for the task of an array, whose number may mean all of it.
    std::string name;
    std::uint32_t uid = 0;
    std::int64_t submitted = 0;  // Slurm's, of the newest start: a requeue sets it anew
    std::uint32_t restarts = 0;
    JobStage stage = JobStage::ended;
    bool is_completing = false;  // its last run is being cleaned up; may be pending as well
    bool has_failed = false;     // it is over, and its batch script was ended by a signal
    bool is_batch = true;
    bool is_array = false;
    bool is_het = false;
    bool may_requeue = true;
    std::uint32_t priority = 0;
    bool is_impossible = false;  // priority 0, by slurmctld: it can never run as it asks
    std::int64_t nice = 0;  // taken off its priority; slurmctld forgets it at each new priority
    bool is_held = false;   // priority 0, whoever did it
    bool is_held_by_user = false;
    bool is_held_by_launch = false;  // by slurmctld itself: a node did not start it
    bool was_held = false;     // Slurm still gives a hold for the reason, and the priority is not 0
    std::string waits_for;     // of a pending job, in Slurm's words: "Resources", "Licenses"
    std::int64_t begins = 0;   // of a pending job: not before
    std::int64_t updated = 0;  // slurmctld's clock when it answered
    std::int64_t began = 0;    // of a running job: as if it had never been suspended
    std::optional<Seconds> time_limit{};  // of one start; empty: none, or not known yet
    std::string partition;
    std::string account;
    std::string qos;
    std::string reservation;
    std::string features;
    std::string required_nodes;
    std::string excluded_nodes;
    std::string admin_comment;
    std::uint32_t cpus_per_task = 0;
    std::uint32_t max_nodes = 0;    // by the request; 0: not said
    std::string rest_of_request{};  // all else that decides where and when it starts, as one text
    std::uint32_t asked_gpus = 0;   // by the request
    Charge charge{};
    std::vector<GpusOfNode> gpus;  // that it holds, a node each, in the order of the nodes
    std::string tres_per_job;      // these are said besides the shape, if at all
    std::string tres_per_task;
    JobShape shape;

    std::uint32_t held_gpus() const {
        std::uint32_t sum = 0;
        for (const GpusOfNode& node : gpus) {
            sum += node.gpus;
        }
        return sum;
    }
};

// Is that only for its turn, or for GPUs that others have now?
constexpr bool is_in_turn(std::string_view waits_for) {
    return waits_for == "Priority" || waits_for == "Resources" || waits_for == "None";
}

// Empty where slurmctld knows no such job. Fails where it cannot be asked.
Expected<std::optional<JobView>> look_at(std::uint32_t job);

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
    // slurmctld has found that the job can never run. It then takes no priority together with
    // anything else, and any other change frees the job.
    bool is_of_impossible = false;
    std::optional<Seconds> time_limit{};  // whole minutes
    // From now on this user, its owner, can change little of it.
    std::optional<std::uint32_t> kept_from{};
    std::string key{};  // of a job that its owner is kept from: see Hands

    friend bool operator==(const JobChange&, const JobChange&) = default;
};

// The highest that a job can have; no job is given it.
constexpr std::uint32_t top_priority = 0xfffffffdU;

enum class Reply { done, refused, unreachable };

struct Answered {
    Reply reply = Reply::done;
    std::string why;  // empty where it is done
};

// Its owner's limits hold for what it becomes: nodes, CPUs, GPUs, features and time are changed in
// the owner's name, and only the rest in that of this process. Killed in between, the job asks for
// the size that it had or for the new one, with the larger number of tasks a node: see
// is_between(). `job` is the name of a JobView.
Answered change_job(const std::string& job, const JobChange& change);

// As `scontrol hold` (or `uhold`) does.
Answered hold_job(std::uint32_t job, bool by_user);

// To the processes of all its steps, not to the batch script.
Answered signal_steps(std::uint32_t job, int signal);

// Back to the queue, but only while it runs: one that was cancelled meanwhile is not brought back.
// `done` also where nothing was done: `restarts` tells. Its owner may ask for it too. `job` is the
// name of a JobView.
Answered requeue_running(const std::string& job);

// Likewise one that is over; which one that may be is the caller's to judge.
Answered requeue_failed(const std::string& job);

// May this user do with every job what root may? By slurm.conf and by Slurm's accounting.
Expected<bool> is_operator(std::uint32_t uid);

// Does slurmctld compute priorities from age, size and shares, again and again?
Expected<bool> computes_priorities();

}  // namespace hora::slurm
