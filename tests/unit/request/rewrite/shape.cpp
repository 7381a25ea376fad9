// Are nodes, tasks and CPUs those that the plan, the request and the limits leave?
#include "libplanner/request/rewrite/shape.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/request/cluster.hpp"

namespace hora::request {
namespace {

// Two GPUs on each of n1 and n2, which have 8 CPUs and 4 GPUs each.
struct Setting {
    domain::Snapshot snapshot = small_cluster();
    Submission job = batch_job();
    Limits limits;
    domain::Partition partition;
    bool as_if_idle = false;
    domain::Plan plan;

    Setting() { take({{0, 16}, {1, 16}, {4, 16}, {5, 16}}); }

    void take(std::vector<domain::Member> members) { plan.members = std::move(members); }
    Shape shape() const { return shape_of(plan, job, limits, partition, snapshot, as_if_idle); }
};

struct Case {
    const char* sentence;
    std::function<void(Setting&)> change;
    std::uint32_t tasks;
    std::uint32_t tasks_per_node;
    std::uint32_t cpus_per_task;
};

const Case cases[] = {
    {"a task for each GPU, with its part of the CPUs", [](Setting&) {}, 4, 2, 2},
    {"a launcher on each node has those of all its GPUs",
     [](Setting& with) { with.job.tasks_per_node = 1; }, 2, 1, 4},
    {"tasks that are counted are spread", [](Setting& with) { with.job.tasks = 2; }, 2, 1, 4},
    {"unevenly if need be", [](Setting& with) { with.job.tasks = 3; }, 3, 2, 2},
    {"tasks and tasks of a node",
     [](Setting& with) {
         with.job.tasks = 3;
         with.job.tasks_per_node = 4;
     },
     3, 4, 1},
    {"the user's CPUs stay", [](Setting& with) { with.job.cpus_per_task = 3; }, 4, 2, 0},
    {"and those by the GPU", [](Setting& with) { with.job.cpus_per_gpu = 3; }, 4, 2, 0},
    {"CPUs that are not free", [](Setting& with) { with.snapshot.states[1].free_cpus = 2; }, 4, 2,
     1},
    {"a task has one at the least", [](Setting& with) { with.snapshot.states[1].free_cpus = 0; }, 4,
     2, 1},
    {"are counted where the job waits for them",
     [](Setting& with) {
         with.snapshot.states[1].free_cpus = 0;
         with.as_if_idle = true;
     },
     4, 2, 2},
    {"a node whose CPUs are not known",
     [](Setting& with) { with.snapshot.cluster.nodes[1].cpus = 0; }, 4, 2, 0},
    {"MaxCPUsPerNode", [](Setting& with) { with.partition.max_cpus_per_node = 3; }, 4, 2, 1},
    {"a limit of the CPUs of a node", [](Setting& with) { with.limits.cpus_of_node.most = 2; }, 4,
     2, 1},
    {"a limit of the CPUs of the job", [](Setting& with) { with.limits.cpus.most = 7; }, 4, 2, 1},
    {"that leaves none", [](Setting& with) { with.limits.cpus.most = 0; }, 4, 2, 1},
    {"memory by the CPU", [](Setting& with) { with.job.memory_per_cpu = 400; }, 4, 2, 1},
    {"without a number of memory", [](Setting& with) { with.job.memory_per_cpu = 0; }, 4, 2, 2},
    {"whole cores",
     [](Setting& with) {
         with.take({{0, 16}, {4, 16}});
         with.snapshot.cluster.nodes[0].cpus = with.snapshot.cluster.nodes[1].cpus = 12;
         with.snapshot.states[0].free_cpus = with.snapshot.states[1].free_cpus = 12;
         with.snapshot.states[0].threads_per_core = 2;
     },
     2, 1, 2},
    {"whole cores of what a limit leaves as well",
     [](Setting& with) {
         with.take({{0, 16}, {4, 16}});
         with.snapshot.cluster.nodes[0].cpus = with.snapshot.cluster.nodes[1].cpus = 16;
         with.snapshot.states[0].free_cpus = with.snapshot.states[1].free_cpus = 16;
         with.snapshot.states[0].threads_per_core = 2;
         with.limits.cpus.most = 7;
     },
     2, 1, 2},
    {"of a single core there is no whole one less",
     [](Setting& with) {
         with.snapshot.states[0].threads_per_core = 2;
         with.limits.cpus.most = 4;
     },
     4, 2, 1},
};

TEST(Shape, HasTheTasksAndCpusOfTheRequest) {
    for (const Case& test : cases) {
        Setting with;
        test.change(with);
        const Shape shape = with.shape();
        EXPECT_EQ(shape.tasks, test.tasks) << test.sentence;
        EXPECT_EQ(shape.tasks_per_node, test.tasks_per_node) << test.sentence;
        EXPECT_EQ(shape.cpus_per_task, test.cpus_per_task) << test.sentence;
    }
}

TEST(Shape, NamesNodesAndTypes) {
    Setting with;
    with.take({{20, 8}, {4, 32}, {16, 8}, {5, 32}, {21, 8}, {17, 8}});  // n6, n2, n5
    const Shape shape = with.shape();
    EXPECT_EQ(shape.nodes, 3U);
    EXPECT_EQ(shape.gpus, 6U);
    EXPECT_EQ(shape.gpus_per_node, 2U);
    EXPECT_EQ(shape.names, (std::vector<std::string>{"n2", "n5", "n6"}));
    ASSERT_EQ(shape.types.size(), 2U);
    EXPECT_EQ(shape.types[0].name, "k80");
    EXPECT_EQ(shape.types[0].nodes, 2U);
    EXPECT_EQ(shape.types[0].speed, 0.25);
    EXPECT_EQ(shape.types[1].name, "titanx");
    EXPECT_EQ(shape.types[1].nodes, 1U);
    EXPECT_EQ(shape.types[1].speed, 1);
}

// Of GPUs that Slurm does not have of the node, more are planned than the snapshot has.
TEST(Shape, GivesNoMoreThanAllCpus) {
    Setting with;
    with.take({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
    EXPECT_EQ(with.shape().cpus_per_task, 2U);
    with.job.tasks_per_node = 1;
    EXPECT_EQ(with.shape().cpus_per_task, 8U);
    with.snapshot.cluster.nodes[0].cpus = 70000;
    with.snapshot.states[0].free_cpus = 70000;
    EXPECT_EQ(with.shape().cpus_per_task, 65533U) << "Slurm's field has 16 bits";
}

}  // namespace
}  // namespace hora::request
