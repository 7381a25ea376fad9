// What does a job that waits ask for now, word for word?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"

namespace hora::slurm {

// 0 and "" are "not said"; times are seconds since the epoch.
struct WaitingJob {
    std::uint32_t id = 0;
    std::uint32_t uid = 0;
    std::uint32_t restarts = 0;
    bool is_pending = false;  // and its last run, if any, is cleaned up
    bool is_held = false;
    bool is_impossible = false;  // held by slurmctld: it can never run as it asks
    bool is_batch = false;
    bool is_array = false;
    bool is_het = false;
    std::uint32_t priority = 0;
    std::int64_t eligible = 0;
    std::int64_t starts = 0;  // as slurmctld expects; 0: it does not know
    std::string admin_comment;

    std::string partition;  // may be several: "a,b"
    std::string account;
    std::string qos;
    std::string reservation;
    std::string features;
    std::string prefer;
    std::string required_nodes;
    std::string excluded_nodes;
    JobShape shape;
    std::uint32_t max_nodes = 0;
    std::uint32_t cpus_per_task = 0;
    std::string cpus_per_tres;
    std::string tres_per_job;
    std::string tres_per_task;
    std::optional<std::uint64_t> memory_per_node;  // MiB
    std::optional<std::uint64_t> memory_per_cpu;   // MiB
    std::optional<Seconds> time_limit;
    bool is_exclusive = false;
    bool has_own_layout = false;  // of cores or threads, or how GPUs and CPUs are bound
};

// Empty where slurmctld has no such job (any more). slurm_init() has been called.
Expected<std::optional<WaitingJob>> load_waiting_job(std::uint32_t job);

}  // namespace hora::slurm
