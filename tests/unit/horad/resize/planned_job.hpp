// A job of two GPUs that Hora has planned, and the cluster on which it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/slurm/jobs/job.hpp"
#include "plugins/slurm/version.hpp"
#include "scripts/horad/observe/plans.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::horad {

inline constexpr std::uint32_t version = slurm::version_number(22, 5, 8);

// What Hora writes down of a job that said nothing of its shape.
inline domain::Decision decision_of(const std::vector<std::string>& open = {
                                        "min_nodes", "max_nodes", "num_tasks", "ntasks_per_node",
                                        "tres_per_node"}) {
    domain::Decision decision;
    decision.operating = "act";
    decision.partition = "p";
    decision.has_plan = true;
    decision.mode = domain::Mode::sync;
    decision.gpus = 2;
    decision.nodes = 1;
    for (const std::string& field : open) {
        decision.changes.push_back({field, "", "2"});
    }
    return decision;
}

// What horad knows of one of 1 to 6 GPUs.
inline std::shared_ptr<JobMemory> elastic_memory() {
    auto memory = std::make_shared<JobMemory>();
    memory->decision = decision_of();
    memory->options.is_elastic = true;
    memory->options.gpus = domain::GpuRange{.min = 1, .max = 6};
    return memory;
}

// Two GPUs of n1, and two CPUs beside each.
inline slurm::Job job_on_n1(const domain::Decision& decision = decision_of()) {
    slurm::Job job;
    job.id = 7;
    job.state = slurm::JobState::running;
    job.partition = "p";
    job.features = "titanx";
    job.admin_comment = report::to_token(decision);
    job.shape.cpus_per_task = 2;
    job.asked_gpus = 2;
    job.gpus = 2;
    job.allocation = {{.node = "n1", .gpus = 2, .indices = {0, 1}}};
    job.shape.nodes = 1;
    job.shape.tasks = 2;
    job.shape.tasks_per_node = 2;
    job.shape.cpus = 4;
    job.shape.tres_per_node = "gres:gpu:2";
    return job;
}

// The job's own GPUs are held in it, as slurmctld says.
inline std::shared_ptr<domain::Snapshot> snapshot_with(const std::vector<std::uint32_t>& free) {
    auto snapshot = std::make_shared<domain::Snapshot>(request::small_cluster());
    std::vector<std::uint32_t> left = free;
    for (domain::Gpu& gpu : snapshot->cluster.gpus) {
        const bool is_own = gpu.node == 0 && gpu.index < 2;
        std::uint32_t& rest = left[gpu.node];
        gpu.is_free = !is_own && rest > 0;
        rest -= gpu.is_free ? 1 : 0;
    }
    for (std::size_t node = 0; node < snapshot->states.size(); ++node) {
        snapshot->states[node].free_cpus = 2 * free[node];
    }
    return snapshot;
}

inline std::shared_ptr<const JobMemory> memory_in(const std::string& comment) {
    auto decision = read::find_decision(comment).value();
    return decision ? memory_from(*std::move(decision)) : nullptr;
}

}  // namespace hora::horad
