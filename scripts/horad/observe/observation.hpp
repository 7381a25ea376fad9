// What does the daemon see of the cluster at one moment?
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/domain/decision.hpp"
#include "libplanner/domain/job_options.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "plugins/slurm/jobs/job_list.hpp"

namespace hora::horad {

// What Hora keeps with a job of its own: what was decided, and what its owner said.
struct JobMemory {
    domain::Decision decision;
    domain::JobOptions options;
};

// What an administrator's comment keeps, or what is kept elsewhere by its word; null where that is
// nothing, or cannot be found.
using FindMemory = std::function<std::shared_ptr<const JobMemory>(const std::string& comment)>;

struct ObservedJob : slurm::Job {
    // Null for a job that Hora has not planned, or whose plan is not found any more.
    std::shared_ptr<const JobMemory> memory;
};

// Does it wait for nothing but GPUs, as far as Slurm says?
bool waits_for_gpus(const ObservedJob& job, std::int64_t now);

struct Observation {
    std::int64_t now = 0;           // seconds since the epoch
    std::vector<ObservedJob> jobs;  // ascending by id
    // Nodes, GPUs, partitions, limits; never null, but may be some seconds older than the jobs.
    std::shared_ptr<const domain::Snapshot> cluster;
    bool has_older_cluster = false;  // it was looked at before the jobs had come to be as they are
    // When nodes that are drained for it refused to start a job that they took for running, by
    // slurmctld's clock; as old as the cluster.
    std::vector<std::int64_t> refused_starts{};
    bool has_restart_reservation = false;  // as old as the cluster

    // Null where slurmctld has no such job (any more).
    const ObservedJob* find(std::uint32_t id) const;
};

// While nodes are reserved for a restart: of jobs that waited for GPUs before, those that wait for
// nodes that they cannot have wait for GPUs still.
void keep_waiting_for_gpus(const Observation& before, std::vector<ObservedJob>& jobs);

}  // namespace hora::horad
