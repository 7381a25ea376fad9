#include "libplanner/request/scope/cpu_need.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/unit/request/cluster.hpp"

namespace hora::request {
namespace {

Submission with_cpus(std::uint32_t of_task) {
    Submission submission = batch_job();
    submission.cpus_per_task = of_task;
    return submission;
}

TEST(CpuNeed, OfWhatIsSaidIsTheLargest) {
    Submission submission = with_cpus(3);
    EXPECT_EQ(cpu_need(submission).with(4), 12U) << "a task a GPU";
    submission.tasks_per_node = 1;
    EXPECT_EQ(cpu_need(submission).with(4), 3U) << "a launcher";
    submission.cpus_per_task.reset();
    EXPECT_EQ(cpu_need(submission).with(4), 4U) << "a launcher without -c";
    submission.tasks_per_node = 8;
    submission.gpus.per_node = 4;
    EXPECT_EQ(cpu_need(submission).with(4), 8U) << "tasks that share GPUs";
    submission.cpus_per_gpu = 5;
    EXPECT_EQ(cpu_need(submission).with(4), 20U) << "--cpus-per-gpu";
}

TEST(CpuNeed, TasksPerNodeAreAMaximumBesideCountedTasks) {
    Submission submission = with_cpus(8);
    submission.tasks = 4;
    submission.tasks_per_node = 4;
    submission.gpus.per_task = 1;
    EXPECT_EQ(cpu_need(submission).with(2), 16U) << "GPUs by the task";
    submission.gpus.per_task.reset();
    submission.gpus.per_job = 4;
    EXPECT_EQ(cpu_need(submission).with(2), 16U) << "GPUs by the job";
    submission.gpus.per_node = 2;
    EXPECT_EQ(cpu_need(submission).with(2), 32U) << "GPUs by the node too";
    submission.gpus = {};
    EXPECT_EQ(cpu_need(submission).with(2), 32U) << "a GPU for each task of a node";
    submission.gpus.per_task = 1;
    submission.tasks.reset();
    EXPECT_EQ(cpu_need(submission).with(2), 32U) << "tasks counted by the node alone";
}

std::uint32_t any(std::uint32_t least, std::uint32_t most) {
    return *rc::gen::inRange(least, most + 1);
}

std::optional<std::uint32_t> maybe(std::uint32_t least, std::uint32_t most) {
    return *rc::gen::arbitrary<bool>() ? std::optional(any(least, most)) : std::nullopt;
}

// What sbatch, srun and salloc may send.
Submission any_submission() {
    Submission submission = batch_job();
    submission.is_batch = any(0, 2) > 0;
    submission.tasks = maybe(1, 9);
    submission.tasks_per_node = maybe(1, 4);
    submission.cpus_per_task = maybe(1, 5);
    submission.cpus_per_gpu = any(0, 3) == 0 ? maybe(1, 4) : std::nullopt;
    submission.min_nodes = maybe(1, 3);
    submission.max_nodes = any(0, 1) == 0 ? submission.min_nodes : std::nullopt;
    submission.gpus.per_node = maybe(1, 4);
    submission.gpus.per_job = maybe(1, 8);
    submission.gpus.per_task = any(0, 3) == 0 ? maybe(1, 3) : std::nullopt;
    return submission;
}

RC_GTEST_PROP(CpuNeed, TheMostGpusAreTheLastForWhichTheCpusDo, ()) {
    const CpuNeed need = cpu_need(any_submission());
    const std::uint64_t cpus = any(0, 40);
    std::uint32_t most = 0;
    for (std::uint32_t gpus = 1; gpus <= 1000 && need.with(gpus) <= cpus; ++gpus) {
        most = gpus;
    }
    RC_ASSERT(std::min(need.most_gpus(cpus), 1000U) == most);
}

RC_GTEST_PROP(CpuNeed, TheGpusOfCountedTasksNeedNoMoreThanTheTasks, ()) {
    Submission submission = with_cpus(any(1, 5));
    submission.tasks = any(1, 9);
    submission.gpus.per_job = any(1, 8);
    const CpuNeed need = cpu_need(submission);
    RC_ASSERT(need.of_job == need.with(*submission.gpus.per_job));
}

}  // namespace
}  // namespace hora::request
