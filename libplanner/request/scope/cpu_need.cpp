// How many CPUs does a job need beside its GPUs, as far as its owner said?
#include "libplanner/request/scope/cpu_need.hpp"

#include <algorithm>

#include "libplanner/domain/request.hpp"

namespace hora::request {
namespace {

std::uint64_t rounded_up(std::uint64_t whole, std::uint64_t parts) {
    return (whole + parts - 1) / std::max<std::uint64_t>(1, parts);
}

// Of a job whose tasks do not follow its GPUs.
std::optional<std::uint64_t> tasks_of_node(const Submission& submission) {
    // Beside -n Slurm takes --ntasks-per-node as a maximum: the GPUs of such tasks are where these
    // run.
    const GpuRequest& gpus = submission.gpus;
    const bool follow_gpus = submission.tasks && (gpus.per_task || gpus.per_job) && !gpus.per_node;
    if (submission.tasks_per_node && !follow_gpus) {
        return std::min(*submission.tasks_per_node,
                        submission.tasks.value_or(*submission.tasks_per_node));
    }
    if (submission.has_client_tasks()) {
        return 1;
    }
    if (submission.tasks && submission.has_fixed_nodes() && gpus.per_node) {
        return rounded_up(*submission.tasks, submission.min_nodes.value_or(1));
    }
    return std::nullopt;
}

}  // namespace

std::uint64_t CpuNeed::with(std::uint32_t gpus_there) const {
    return std::max({of_node, rounded_up(gpus_there * tasks, gpus) * of_task, gpus_there * of_gpu});
}

std::uint32_t CpuNeed::most_gpus(std::uint64_t cpus) const {
    std::uint64_t most = cpus < of_node ? 0 : domain::unlimited_gpus;
    if (tasks > 0) {
        most = std::min(most, cpus / of_task * gpus / tasks);
    }
    if (of_gpu > 0) {
        most = std::min(most, cpus / of_gpu);
    }
    return static_cast<std::uint32_t>(most);
}

CpuNeed cpu_need(const Submission& submission) {
    if (submission.cpus_per_gpu) {
        return {.of_gpu = std::max(1U, *submission.cpus_per_gpu), .of_job = std::nullopt};
    }
    const GpuRequest& gpus = submission.gpus;
    const bool has_shared_gpus = submission.has_client_tasks() && !gpus.is_named();
    CpuNeed need;
    need.of_task = std::max(1U, submission.cpus_per_task.value_or(1));
    need.of_gpu = !submission.cpus_per_task || has_shared_gpus ? 1 : 0;
    if (submission.tasks) {
        need.of_job = *submission.tasks * need.of_task;
    }
    if (const auto tasks = tasks_of_node(submission)) {
        need.of_node = *tasks * need.of_task;
        return need;
    }
    need.tasks = 1;
    if (gpus.per_task) {
        need.gpus = std::max(1U, *gpus.per_task);
    } else if (gpus.per_job && submission.tasks) {
        need.tasks = std::max(1U, *submission.tasks);
        need.gpus = std::max(1U, *gpus.per_job);
    }
    return need;
}

}  // namespace hora::request
