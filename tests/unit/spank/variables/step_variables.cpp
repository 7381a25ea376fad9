// Does each task of a step learn its rank, its share and its ports, and a launcher none of them?
#include "plugins/spank/variables/step_variables.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/unit/spank/some_variables.hpp"

namespace hora::spank {
namespace {

const ComputeSettings settings;

struct Step {
    StepLayout layout;
    Variables environment{};
    JobRecord record{};
    std::uint32_t job = 17;
    std::uint32_t tasks = 0;  // of the component; 0: the whole step
};

Variables variables_of(const Step& step) {
    TaskFacts facts;
    facts.job = step.job;
    facts.tasks = step.tasks == 0 ? step.layout.world : step.tasks;
    facts.master = "n0";
    return step_variables(Environment(step.environment), step.layout, step.record, facts, settings);
}

struct Case {
    const char* sentence;
    Step step;
    Variables expected;
};

const char* const none = "(not set)";

JobRecord launching(const char* what) {
    JobRecord record;
    record.launch = what;
    return record;
}

const Case cases[] = {
    {"a rank among others",
     {layout_of({2, 1}, 1, 0)},
     {{"RANK", "2"},
      {"WORLD_SIZE", "3"},
      {"LOCAL_RANK", "0"},
      {"LOCAL_WORLD_SIZE", "1"},
      {"HORA_MODE", "sync"},
      {"MASTER_ADDR", "n0"},
      {"NNODES", none},
      {"HORA_SHARE", none}}},
    {"a task alone",
     {layout_of({1}, 0, 0), {{"HORA_BATCH", "64"}}},
     {{"RANK", "0"}, {"HORA_MODE", "independent"}, {"TF_CONFIG", none}, {"HORA_SHARE", "64"}}},
    {"the plan's mode stays",
     {layout_of({1}, 0, 0), {{"HORA_MODE", "sync"}}},
     {{"HORA_MODE", "sync"}}},
    {"one task a node that has several GPUs starts the ranks itself",
     {layout_of({1, 1}, 1, 0), {{"CUDA_VISIBLE_DEVICES", "0,1,2,3"}, {"HORA_BATCH", "64"}}},
     {{"NNODES", "2"},
      {"NODE_RANK", "1"},
      {"NPROC_PER_NODE", "4"},
      {"HORA_MODE", "sync"},
      {"MASTER_ADDR", "n0"},
      {"RANK", none},
      {"LOCAL_WORLD_SIZE", none},
      {"HORA_SHARE", none},
      {"TF_CONFIG", none}}},
    {"unless its owner says that it is a rank",
     {layout_of({1, 1}, 1, 0), {{"CUDA_VISIBLE_DEVICES", "0,1,2,3"}}, launching("task")},
     {{"RANK", "1"}, {"NNODES", none}}},
    {"one task a node with one GPU is a rank",
     {layout_of({1, 1}, 0, 0), {{"CUDA_VISIBLE_DEVICES", "3"}}},
     {{"RANK", "0"}, {"NNODES", none}}},
    {"unless its owner says that it is a launcher",
     {layout_of({1, 1}, 0, 0), {{"CUDA_VISIBLE_DEVICES", "3"}}, launching("node")},
     {{"NNODES", "2"}, {"NPROC_PER_NODE", "1"}, {"RANK", none}}},
    {"a launcher is told of no GPUs where they are not known",
     {layout_of({1, 1}, 0, 0), {}, launching("node")},
     {{"NNODES", "2"}, {"NPROC_PER_NODE", none}}},
    {"tasks that share a node are ranks whatever the owner says",
     {layout_of({2, 1}, 0, 1), {{"CUDA_VISIBLE_DEVICES", "0,1"}}, launching("node")},
     {{"RANK", "1"}, {"NNODES", none}}},
    {"a launcher alone with several GPUs has ranks that exchange",
     {layout_of({1}, 0, 0), {{"CUDA_VISIBLE_DEVICES", "0,1"}}},
     {{"NNODES", "1"}, {"HORA_MODE", "sync"}}},
    {"and with one it has none",
     {layout_of({1}, 0, 0), {{"CUDA_VISIBLE_DEVICES", "0"}}, launching("node")},
     {{"NNODES", "1"}, {"HORA_MODE", "independent"}}},
    {"the first ranks take what of the batch does not divide",
     {layout_of({2, 2}, 0, 1), {{"HORA_BATCH", "10"}}},
     {{"HORA_SHARE", "3"}}},
    {"and the last ones less",
     {layout_of({2, 2}, 1, 0), {{"HORA_BATCH", "10"}}},
     {{"HORA_SHARE", "2"}}},
    {"a batch below the ranks is not shared",
     {layout_of({2, 2}, 0, 0), {{"HORA_BATCH", "3"}}},
     {{"HORA_SHARE", none}}},
    {"a batch that is no number is not shared",
     {layout_of({2, 2}, 0, 0), {{"HORA_BATCH", "10 or so"}}},
     {{"HORA_SHARE", none}}},
};

TEST(StepVariables, TellATaskItsPlace) {
    for (const Case& row : cases) {
        const Variables found = variables_of(row.step);
        for (const auto& [name, wanted] : row.expected) {
            EXPECT_EQ(value(found, name), wanted) << row.sentence << ": " << name;
        }
    }
}

JobRecord with_speeds() {
    JobRecord record;
    record.speeds = "fast:3,slow:1";
    record.gpus = {{"n0", {"slow", "slow"}}, {"n1", {"fast", "fast"}}, {"n2", {"slow"}}};
    return record;
}

std::vector<std::string> shares(const char* mode, const JobRecord& record) {
    std::vector<std::string> found;
    const std::vector<std::uint32_t> tasks{2, 2, 1};
    for (std::uint32_t node = 0; node < tasks.size(); ++node) {
        for (std::uint32_t task = 0; task < tasks[node]; ++task) {
            found.push_back(
                value(variables_of({.layout = layout_of(tasks, node, task),
                                    .environment = {{"HORA_MODE", mode}, {"HORA_BATCH", "90"}},
                                    .record = record}),
                      "HORA_SHARE"));
        }
    }
    return found;
}

TEST(StepVariables, SharesAreUnequalOnlyWhereTheModeIsBalanced) {
    const std::vector<std::string> equal{"18", "18", "18", "18", "18"};
    EXPECT_EQ(shares("balanced", with_speeds()),
              (std::vector<std::string>{"10", "10", "30", "30", "10"}));
    EXPECT_EQ(shares("sync", with_speeds()), equal);
    EXPECT_EQ(shares("balanced", {}), equal) << "speeds are not known";
}

// A task's place goes by its GPUs' node; its rank is dealt out cyclically.
TEST(StepVariables, SharesOfRanksDealtOutCyclicallyGoByTheGpus) {
    StepLayout layout = layout_of({2, 2, 1}, 1, 0);
    layout.rank = 1;
    EXPECT_EQ(value(variables_of({.layout = layout,
                                  .environment = {{"HORA_MODE", "balanced"}, {"HORA_BATCH", "90"}},
                                  .record = with_speeds()}),
                    "HORA_SHARE"),
              "30");
}

std::string server_of(const JobRecord& record) {
    const Variables found = variables_of({.layout = layout_of({2, 2, 1}, 0, 0),
                                          .environment = {{"HORA_MODE", "async"}},
                                          .record = record});
    const std::string config = value(found, "TF_CONFIG");
    return config == none ? config : nlohmann::json::parse(config)["cluster"]["ps"].dump();
}

TEST(StepVariables, TheServerIsTheLastTaskOfTheFastestNode) {
    const auto port = [](std::uint32_t local_rank) {
        return std::to_string(task_port(settings.ports, {17, 0}, local_rank));
    };
    EXPECT_EQ(server_of(with_speeds()), "[\"n1:" + port(1) + "\"]");
    EXPECT_EQ(server_of({}), "[\"n0:" + port(1) + "\"]") << "of nodes alike, the first";
    const Variables sync = variables_of({.layout = layout_of({2, 2, 1}, 0, 0)});
    EXPECT_FALSE(nlohmann::json::parse(value(sync, "TF_CONFIG"))["cluster"].contains("ps"));
}

std::vector<std::string> workers(const Variables& variables) {
    return nlohmann::json::parse(value(variables, "TF_CONFIG"))["cluster"]["worker"];
}

TEST(StepVariables, PortsThatSlurmReservesComeFirst) {
    const Variables reserved =
        variables_of({.layout = layout_of({3}, 0, 0),
                      .environment = {{"SLURM_STEP_RESV_PORTS", "33504-33506"}}});
    EXPECT_EQ(value(reserved, "MASTER_PORT"), "33504");
    EXPECT_EQ(
        workers(reserved),
        (std::vector<std::string>{"n0:33505", "n0:33506",
                                  "n0:" + std::to_string(task_port(settings.ports, {17, 0}, 2))}));
}

TEST(StepVariables, AStepOverSeveralComponentsMeetsOnOnePort) {
    const Variables environment{{"SLURM_JOB_ID", "17"}, {"SLURM_STEP_ID", "4"}};
    const auto port = [&](std::uint32_t job, std::uint32_t tasks) {
        return value(variables_of({.layout = layout_of({2, 2}, 0, 0),
                                   .environment = environment,
                                   .job = job,
                                   .tasks = tasks}),
                     "MASTER_PORT");
    };
    const auto wanted = [](std::uint32_t job) {
        return std::to_string(master_port(settings.ports, {job, 4}));
    };
    EXPECT_EQ(port(18, 2), wanted(17)) << "by the first component's id";
    EXPECT_EQ(port(18, 4), wanted(18)) << "a step within one component by that one's";
}

TEST(BatchVariables, TellAScriptNoRank) {
    TaskFacts facts;
    facts.job = 18;
    const Environment environment({{"SLURM_JOB_ID", "17"}, {"SLURM_STEP_ID", "4"}});
    const std::string port = std::to_string(master_port(settings.ports, {17, batch_step}));
    EXPECT_EQ(batch_variables(environment, facts, settings), (Variables{{"MASTER_PORT", port}}));
    facts.master = "n0";
    EXPECT_EQ(batch_variables(environment, facts, settings),
              (Variables{{"MASTER_ADDR", "n0"}, {"MASTER_PORT", port}}));
}

}  // namespace
}  // namespace hora::spank
