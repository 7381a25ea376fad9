#include "plugins/spank/srun/step_request.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hora::spank {
namespace {

struct Case {
    const char* sentence;
    std::vector<std::string> words;  // between "srun" and the program
    Variables variables;
    std::optional<StepRequest> expected;
};

std::optional<StepRequest> request_of(const Case& c) {
    std::vector<std::string> words{"srun"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    words.push_back("./train");
    return read_step_request(words, Environment(c.variables));
}

TEST(StepRequest, FollowsSrunsRules) {
    const Variables four_nodes{{"SLURM_NNODES", "4"}};
    const Variables eight_tasks{
        {"SLURM_NNODES", "4"}, {"SLURM_NTASKS", "8"}, {"SLURM_NTASKS_PER_NODE", "2"}};
    const Case cases[] = {
        {"one task a node without any number", {}, four_nodes, StepRequest{4, 4, 1}},
        {"the job's tasks", {}, eight_tasks, StepRequest{4, 8, 1}},
        {"more tasks", {"-n16"}, four_nodes, StepRequest{4, 16, 1}},
        {"fewer tasks than nodes take as many nodes", {"-n3"}, four_nodes, StepRequest{3, 3, 1}},
        {"fewer nodes", {"-N2"}, four_nodes, StepRequest{2, 2, 1, true}},
        {"tasks a node", {"--ntasks-per-node=2"}, four_nodes, StepRequest{4, 8, 1}},
        {"fewer nodes, and the tasks that fit the job's per node",
         {"-N2", "-n4"},
         eight_tasks,
         StepRequest{2, 4, 1, true}},
        {"one task a node whatever the job's",
         {"-N3", "-n3"},
         eight_tasks,
         StepRequest{3, 3, 1, true}},
        {"several CPUs a task", {"-c3"}, four_nodes, StepRequest{4, 4, 3}},
        {"CPUs a task from the environment",
         {},
         {{"SLURM_NNODES", "2"}, {"SRUN_CPUS_PER_TASK", "5"}},
         StepRequest{2, 2, 5}},
        {"more tasks than a step can have",
         {"-N65536", "--ntasks-per-node=65537"},
         {{"SLURM_NNODES", "65536"}},
         std::nullopt},
        {"one node has no order", {"-N1"}, four_nodes, std::nullopt},
        {"one task has no order", {"-n1"}, four_nodes, std::nullopt},
        {"a range of nodes is Slurm's to choose", {"-N2-4"}, four_nodes, std::nullopt},
        {"tasks a node that contradict the number of tasks",
         {"--ntasks-per-node=3"},
         eight_tasks,
         std::nullopt},
        {"the job's tasks on fewer nodes", {"-N2"}, eight_tasks, std::nullopt},
        {"a distribution of the user's",
         {},
         {{"SLURM_NNODES", "4"}, {"SLURM_DISTRIBUTION", "cyclic"}},
         std::nullopt},
        {"a list of nodes of the user's", {"-w", "n[1-2]"}, four_nodes, std::nullopt},
        {"a host file of the user's",
         {},
         {{"SLURM_NNODES", "4"}, {"SLURM_HOSTFILE", "hosts"}},
         std::nullopt},
        {"a heterogeneous job", {}, {{"SLURM_NNODES", "4"}, {"SLURM_HET_SIZE", "2"}}, std::nullopt},
        {"a script that names its own job",
         {"--jobid", "17"},
         {{"SLURM_NNODES", "4"}, {"SLURM_JOB_ID", "17"}},
         StepRequest{4, 4, 1}},
        {"a script that starts a step in another job",
         {"--jobid=18"},
         {{"SLURM_NNODES", "4"}, {"SLURM_JOB_ID", "17"}},
         std::nullopt},
        {"a step within a step", {}, {{"SLURM_NNODES", "4"}, {"SLURM_STEP_ID", "0"}}, std::nullopt},
        {"a step in an interactive shell on a node",
         {},
         {{"SLURM_NNODES", "4"}, {"SLURM_STEP_ID", "4294967290"}},
         StepRequest{4, 4, 1}},
        {"a step in a shell of 26.05",
         {},
         {{"SLURM_NNODES", "4"}, {"SLURM_STEP_ID", "-6"}},
         StepRequest{4, 4, 1}},
        {"a step of a batch script of 26.05",
         {},
         {{"SLURM_NNODES", "4"}, {"SLURM_STEP_ID", "-5"}},
         StepRequest{4, 4, 1}},
        {"a step of a batch script",
         {},
         {{"SLURM_NNODES", "4"}, {"SLURM_STEP_ID", "4294967291"}},
         StepRequest{4, 4, 1}},
        {"a number that is none", {"-n", "two"}, four_nodes, std::nullopt},
        {"no number of nodes", {}, {}, std::nullopt},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(request_of(c), c.expected) << c.sentence;
    }
}

TEST(StepRequest, LeavesTheBindingOpenOrNot) {
    const std::vector<std::string> plain{"srun", "-w", "n1", "./train"};
    EXPECT_TRUE(leaves_binding_open(plain, Environment(Variables{{"SLURM_NNODES", "4"}})));
    for (const char* const name : {"SLURM_CPU_BIND", "SLURM_MEM_BIND", "SLURM_HINT"}) {
        EXPECT_FALSE(leaves_binding_open(plain, Environment(Variables{{name, "none"}}))) << name;
    }
    for (const char* const option :
         {"--cpu-bind=none", "--mem-bind=local", "-mblock", "--whatever"}) {
        const std::vector<std::string> words{"srun", option, "./train"};
        EXPECT_FALSE(leaves_binding_open(words, Environment(Variables()))) << option;
    }
}

}  // namespace
}  // namespace hora::spank
