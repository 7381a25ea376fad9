#include "libplanner/request/contradiction.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/request/cluster.hpp"

namespace hora::request {
namespace {

struct Case {
    const char* sentence;
    domain::GpuRange range;
    std::function<void(Submission&)> change;
    const char* contradiction;  // what is named; "" where there is none
};

void fix_nodes(Submission& job, std::uint32_t nodes) {
    job.min_nodes = job.max_nodes = nodes;
}

const Case cases[] = {
    {"nothing said", {1, 2}, [](Submission&) {}, ""},
    {"--gpus in the range", {1, 4}, [](Submission& job) { job.gpus.per_job = 3; }, ""},
    {"more GPUs by the task than can be counted",
     {1, 2},
     [](Submission& job) {
         job.tasks = 65536;
         job.gpus.per_task = 65536;
     },
     "--gpus-per-task=65536 -n65536 contradicts --hora-gpus=1-2"},
    {"--gpus above it",
     {1, 2},
     [](Submission& job) { job.gpus.per_job = 3; },
     "--gpus=3 contradicts --hora-gpus=1-2"},
    {"--gpus below it",
     {4, 4},
     [](Submission& job) { job.gpus.per_job = 3; },
     "--gpus=3 contradicts --hora-gpus=4"},
    {"no GPUs at all",
     {1, 2},
     [](Submission& job) { job.gpus.is_none = true; },
     "a request for no GPUs contradicts --hora-gpus=1-2"},
    {"--gres on one node below it",
     {2, 4},
     [](Submission& job) { job.gpus.per_node = 1; },
     "--gres=gpu:1 (one node without -N) contradicts --hora-gpus=2-4"},
    {"--gres on as many nodes as are needed",
     {2, 4},
     [](Submission& job) {
         job.gpus.per_node = 1;
         fix_nodes(job, 2);
     },
     ""},
    {"--gres on too many nodes",
     {2, 4},
     [](Submission& job) {
         job.gpus.per_node = 2;
         fix_nodes(job, 4);
     },
     "--gres=gpu:2 -N4 contradicts --hora-gpus=2-4"},
    {"--gres on nodes by name is not counted",
     {2, 4},
     [](Submission& job) {
         job.gpus.per_node = 1;
         job.required_nodes = "n[1-2]";
     },
     ""},
    {"GPUs by the task",
     {1, 2},
     [](Submission& job) {
         job.gpus.per_task = 1;
         job.tasks = 4;
     },
     "--gpus-per-task=1 -n4 contradicts --hora-gpus=1-2"},
    {"tasks count GPUs",
     {1, 2},
     [](Submission& job) { job.tasks = 4; },
     "-n4 contradicts --hora-gpus=1-2"},
    {"tasks of a node count GPUs",
     {1, 2},
     [](Submission& job) { job.tasks_per_node = 4; },
     "--ntasks-per-node=4 contradicts --hora-gpus=1-2"},
    {"each node has a GPU",
     {1, 2},
     [](Submission& job) { fix_nodes(job, 4); },
     "-N4 contradicts --hora-gpus=1-2"},
    {"the one task of a salloc counts none",
     {2, 2},
     [](Submission& job) {
         job.is_batch = false;
         job.tasks = 1;
     },
     ""},
    {"tasks of an srun count GPUs",
     {1, 2},
     [](Submission& job) {
         job.is_batch = false;
         job.tasks = 4;
     },
     "-n4 contradicts --hora-gpus=1-2"},
};

std::string found(const Submission& job, const domain::JobOptions& options) {
    const auto agreed = check_contradictions(job, options);
    const std::string message = agreed ? std::string() : agreed.error().message;
    return message.substr(0, message.find(": leave one of them out, or make them agree"));
}

TEST(Contradiction, NamesBoth) {
    for (const Case& test : cases) {
        Submission job = batch_job();
        test.change(job);
        domain::JobOptions options;
        options.gpus = test.range;
        EXPECT_EQ(found(job, options), test.contradiction) << test.sentence;
    }
}

struct LaunchCase {
    const char* sentence;
    domain::Launch launch;
    std::function<void(Submission&)> change;
    const char* contradiction;
};

const LaunchCase launches[] = {
    {"one task a node, said in both ways", domain::Launch::node,
     [](Submission& job) { job.tasks_per_node = 1; }, ""},
    {"several tasks a node", domain::Launch::node, [](Submission& job) { job.tasks_per_node = 4; },
     "--ntasks-per-node=4 contradicts --hora-launch=node"},
    {"a task on each of four nodes", domain::Launch::node, [](Submission& job) { job.tasks = 4; },
     ""},
    {"more tasks than nodes", domain::Launch::node,
     [](Submission& job) {
         job.tasks = 4;
         fix_nodes(job, 2);
     },
     "-n4 -N2 contradicts --hora-launch=node"},
    {"GPUs by the task", domain::Launch::node, [](Submission& job) { job.gpus.per_task = 2; },
     "--gpus-per-task=2 contradicts --hora-launch=node"},
    {"srun starts one task a node", domain::Launch::node,
     [](Submission& job) {
         job.is_batch = false;
         job.tasks = 2;
         fix_nodes(job, 2);
     },
     ""},
    {"srun with more of them", domain::Launch::node,
     [](Submission& job) {
         job.is_batch = false;
         job.tasks = 4;
     },
     "-n4 contradicts --hora-launch=node"},
    {"a task a GPU, and one a node with several GPUs", domain::Launch::task,
     [](Submission& job) {
         job.tasks_per_node = 1;
         job.gpus.per_node = 4;
     },
     "--ntasks-per-node=1 contradicts --hora-launch=task"},
    {"a task a GPU, and one a node with as many GPUs as Hora chooses", domain::Launch::task,
     [](Submission& job) { job.tasks_per_node = 1; },
     "--ntasks-per-node=1 contradicts --hora-launch=task"},
    {"a task a GPU, and one of each a node", domain::Launch::task,
     [](Submission& job) {
         job.tasks_per_node = 1;
         job.gpus.per_node = 1;
     },
     ""},
    {"a task a GPU by the node", domain::Launch::task,
     [](Submission& job) { job.tasks_per_node = 4; }, ""},
};

TEST(Contradiction, NamesTheLaunchAndWhatSpeaksAgainstIt) {
    for (const LaunchCase& test : launches) {
        Submission job = batch_job();
        test.change(job);
        domain::JobOptions options;
        options.launch = test.launch;
        EXPECT_EQ(found(job, options), test.contradiction) << test.sentence;
    }
}

TEST(Contradiction, LooksAtTheSizesToo) {
    Submission job = batch_job();
    job.gpus.per_job = 3;
    domain::JobOptions options;
    options.sizes.kind = domain::SizeRule::Kind::powers;
    EXPECT_EQ(found(job, options), "--gpus=3 contradicts --hora-sizes=powers");
    job.gpus.per_job = 4;
    EXPECT_EQ(found(job, options), "");
}

}  // namespace
}  // namespace hora::request
