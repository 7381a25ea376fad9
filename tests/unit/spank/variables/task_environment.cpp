#include "plugins/spank/variables/task_environment.hpp"

#include <gtest/gtest.h>

#include "plugins/spank/job/job_record.hpp"
#include "tests/unit/spank/some_variables.hpp"

namespace hora::spank {
namespace {

// The second of three tasks on two nodes, in job 17.
Variables task() {
    return {{"SLURM_JOB_ID", "17"},
            {"SLURM_STEP_ID", "4"},
            {"SLURM_CLUSTER_NAME", "blue"},
            {"SLURM_SUBMIT_DIR", "/home/ada"},
            {"SLURM_SPANK_HORA_SUBMIT", "1700000000"},
            {"SLURM_PROCID", "1"},
            {"SLURM_STEP_NUM_TASKS", "3"},
            {"SLURM_LOCALID", "1"},
            {"SLURM_NODEID", "0"},
            {"SLURM_STEP_NODELIST", "n[1-2]"},
            {"SLURM_STEP_TASKS_PER_NODE", "2,1"}};
}

TaskFacts facts_of_task() {
    TaskFacts facts;
    facts.options = {{"hora-model", "resnet50"}, {"hora-batch", "10"}};
    facts.job = 17;
    facts.tasks = 3;
    facts.uid = 1001;
    facts.user = "ada";
    facts.work_directory = "/home/ada/run";
    facts.master = "n1";
    return facts;
}

TaskFacts facts_of_script() {
    TaskFacts facts = facts_of_task();
    facts.is_batch = true;
    return facts;
}

TaskFacts without_options(TaskFacts facts) {
    facts.options.clear();
    return facts;
}

// What a task gets, of whoever's job.
Environment environment_of(const Variables& variables, const TaskFacts& facts,
                           const ComputeSettings& settings = {}) {
    const Environment own(variables);
    return is_hora_job(own, facts) ? prepare(own, facts, settings).environment
                                   : without_hora(own, settings.mpi_library);
}

Variables prepared(const Variables& variables, const TaskFacts& facts,
                   const ComputeSettings& settings = {}) {
    return environment_of(variables, facts, settings).variables();
}

void expect(const Variables& found, const Variables& expected, const char* sentence) {
    for (const auto& [name, wanted] : expected) {
        EXPECT_EQ(value(found, name), wanted) << sentence << ": " << name;
    }
}

TEST(TaskEnvironment, GivesATaskWhatLaunchersNeed) {
    const std::string folder = "/home/ada/.hora-1001/blue-17-1700000000";
    expect(prepared(task(), facts_of_task()),
           {{"MASTER_ADDR", "n1"},
            {"MASTER_PORT", "21092"},
            {"RANK", "1"},
            {"WORLD_SIZE", "3"},
            {"LOCAL_RANK", "1"},
            {"LOCAL_WORLD_SIZE", "2"},
            {"HORA_MODE", "sync"},
            {"HORA_BATCH", "10"},
            {"HORA_SHARE", "3"},
            {"HORA_CHECKPOINT_DIR", folder},
            {"HORA_PROGRESS", folder + "/progress.jsonl"}},
           "a task");
}

// The one task of the second of two nodes, with the GPUs that it sees.
Variables task_of_node(const char* gpus) {
    Variables variables = task();
    variables["SLURM_STEP_NUM_TASKS"] = "2";
    variables["SLURM_LOCALID"] = "0";
    variables["SLURM_NODEID"] = "1";
    variables["SLURM_STEP_TASKS_PER_NODE"] = "1(x2)";
    variables["SLURM_STEP_GPUS"] = gpus;
    variables["CUDA_VISIBLE_DEVICES"] = gpus;
    return variables;
}

TEST(TaskEnvironment, ALauncherStartsTheRanksItself) {
    struct Case {
        const char* sentence;
        const char* gpus;
        const char* option;   // --hora-launch; "": not said
        const char* told;     // by the controller's plugin
        const char* by_node;  // NPROC_PER_NODE
    };
    const char* const none = "(not set)";
    const Case cases[] = {
        {"one task with several GPUs on each node", "0,1", "", "", "2"},
        {"one with a single GPU is a rank", "1", "", "", none},
        {"unless it is to be a launcher", "1", "node", "", "1"},
        {"or the request says so", "1", "", "node", "1"},
        {"one that is to be a rank, whatever it sees", "0,1", "task", "", none},
        {"the option outweighs the request", "0,1", "task", "node", none},
    };
    for (const Case& test : cases) {
        TaskFacts facts = facts_of_task();
        Variables variables = task_of_node(test.gpus);
        if (*test.option != '\0') {
            facts.options.emplace_back("hora-launch", test.option);
        }
        if (*test.told != '\0') {
            variables["SLURM_SPANK_HORA_LAUNCH"] = test.told;
        }
        const bool is_launcher = test.by_node != none;
        expect(prepared(variables, facts),
               {{"MASTER_ADDR", "n1"},
                {"MASTER_PORT", "21092"},
                {"HORA_MODE", "sync"},
                {"NPROC_PER_NODE", test.by_node},
                {"NNODES", is_launcher ? "2" : none},
                {"NODE_RANK", is_launcher ? "1" : none},
                {"RANK", is_launcher ? none : "1"},
                {"WORLD_SIZE", is_launcher ? none : "2"},
                {"LOCAL_RANK", is_launcher ? none : "0"},
                {"LOCAL_WORLD_SIZE", is_launcher ? none : "1"},
                {"HORA_SHARE", is_launcher ? none : "5"}},
               test.sentence);
        EXPECT_EQ(value(prepared(variables, facts), "TF_CONFIG") == none, is_launcher)
            << test.sentence;
    }
}

TEST(TaskEnvironment, AScriptHandsTheCpusOfThisStartToItsLaunchers) {
    const Variables start{{"SLURM_JOB_ID", "17"}, {"SLURM_CPUS_PER_TASK", "8"}};
    TaskFacts facts = facts_of_script();
    EXPECT_EQ(value(prepared(start, facts), "SRUN_CPUS_PER_TASK"), "(not set)");
    facts.options.emplace_back("hora-launch", "node");
    EXPECT_EQ(value(prepared(start, facts), "SRUN_CPUS_PER_TASK"), "8");
    EXPECT_EQ(
        value(prepared(with(start, {{"SRUN_CPUS_PER_TASK", "2"}}), facts), "SRUN_CPUS_PER_TASK"),
        "2");
    expect(prepared(with(start, {{"SLURM_CPUS_PER_TASK", "4"}}), facts),
           {{"SLURM_CPUS_PER_TASK", "4"}, {"SRUN_CPUS_PER_TASK", "4"}}, "the user's");
}

TEST(TaskEnvironment, SeveralTasksOfANodeAreRanksInAJobOfLaunchersToo) {
    TaskFacts facts = facts_of_task();
    facts.options.emplace_back("hora-launch", "node");
    expect(prepared(with(task(), {{"SLURM_STEP_GPUS", "0,1"}, {"CUDA_VISIBLE_DEVICES", "0,1"}}),
                    facts),
           {{"RANK", "1"}, {"WORLD_SIZE", "3"}, {"NPROC_PER_NODE", "(not set)"}}, "a task");
}

TEST(TaskEnvironment, ALauncherLeavesNothingToARankOfAnInnerStep) {
    TaskFacts facts = facts_of_task();
    const Variables outer = prepared(task_of_node("0,1"), facts);
    const Variables inner = prepared(
        with(outer,
             {{"SLURM_STEP_ID", "5"}, {"SLURM_STEP_GPUS", "1"}, {"CUDA_VISIBLE_DEVICES", "1"}}),
        without_options(facts));
    expect(inner, {{"RANK", "1"}, {"NNODES", "(not set)"}, {"NPROC_PER_NODE", "(not set)"}},
           "a rank");
}

TEST(TaskEnvironment, LeavesAJobWithoutOptionsAlone) {
    TaskFacts off = facts_of_task();
    off.options.emplace_back("hora-off", "(null)");
    for (const TaskFacts& facts : {without_options(facts_of_task()), off}) {
        EXPECT_TRUE(environment_of(task(), facts).changes().empty());
        EXPECT_FALSE(is_hora_job(Environment(task()), facts));
    }
}

TEST(TaskEnvironment, OverridesNothing) {
    const Variables own{
        {"MASTER_ADDR", "mine"}, {"MASTER_PORT", "1"},  {"RANK", "9"},
        {"WORLD_SIZE", "8"},     {"LOCAL_RANK", "7"},   {"LOCAL_WORLD_SIZE", "6"},
        {"TF_CONFIG", "{}"},     {"HORA_MODE", "mine"}, {"HORA_BATCH", "5"},
        {"HORA_SHARE", "4"},     {"HORA_PROGRESS", ""}, {"HORA_CHECKPOINT_DIR", "/x"},
        {"NCCL_IB_HCA", "none"}};
    ComputeSettings settings;
    settings.ib_hca = "mlx5";
    settings.socket_interface = "ib0";
    const Variables found = prepared(with(task(), own), facts_of_task(), settings);
    expect(found, own, "the user's");
    EXPECT_EQ(value(found, "NCCL_SOCKET_IFNAME"), "ib0");
}

TEST(TaskEnvironment, GivesAScriptNoRank) {
    const Variables script{{"SLURM_JOB_ID", "17"},
                           {"SLURM_CLUSTER_NAME", "blue"},
                           {"SLURM_SPANK_HORA_SUBMIT", "1700000000"},
                           {"SLURM_SPANK_HORA_WORKLOAD", "..."},
                           {"SLURM_SPANK__SLURM_SPANK_OPTION_hora_hora_model", "resnet50"}};
    const Variables found = prepared(script, facts_of_script());
    expect(found,
           {{"MASTER_ADDR", "n1"},
            {"MASTER_PORT", "21151"},
            {"HORA_BATCH", "10"},
            {"HORA_CHECKPOINT_DIR", "/home/ada/run/.hora-1001/blue-17-1700000000"},
            {"HORA_MODE", "(not set)"},
            {"RANK", "(not set)"},
            {"WORLD_SIZE", "(not set)"},
            {"TF_CONFIG", "(not set)"},
            {"HORA_SHARE", "(not set)"},
            {"SLURM_SPANK_HORA_SUBMIT", "(not set)"},
            {"SLURM_SPANK_HORA_WORKLOAD", "(not set)"},
            {"SLURM_SPANK__SLURM_SPANK_OPTION_hora_hora_model", "(not set)"}},
           "a script");
}

// What a script leaves to its steps.
Variables step_after_script(const Variables& changed_by_user = {}) {
    const Variables script =
        prepared(with(task(), {{"SLURM_SPANK_HORA_MODE", "async"}}), facts_of_script());
    return with(script, changed_by_user);
}

TEST(TaskEnvironment, AStepKnowsTheJobByTheScriptsNote) {
    const Variables found = prepared(step_after_script(), without_options(facts_of_task()));
    expect(found,
           {{"MASTER_PORT", "21092"},
            {"RANK", "1"},
            {"HORA_MODE", "async"},
            {"HORA_SHARE", "3"},
            {"HORA_CHECKPOINT_DIR", "/home/ada/run/.hora-1001/blue-17-1700000000"}},
           "a step");
}

TEST(TaskEnvironment, AStepWithoutTheScriptsExportsGetsThemBack) {
    Variables left = task();
    left.emplace(record_variable, value(step_after_script(), record_variable));
    expect(prepared(left, without_options(facts_of_task())),
           {{"HORA_MODE", "async"},
            {"HORA_BATCH", "10"},
            {"HORA_PROGRESS", "/home/ada/run/.hora-1001/blue-17-1700000000/progress.jsonl"}},
           "--export=NONE");
}

TEST(TaskEnvironment, AStepKeepsWhatTheUserChangedInTheScript) {
    const Variables changes{{"MASTER_ADDR", "mine"}, {"HORA_CHECKPOINT_DIR", "/mine"}};
    expect(prepared(step_after_script(changes), without_options(facts_of_task())), changes,
           "changed in the script");
}

TEST(TaskEnvironment, AnInnerStepReplacesWhatTheOuterOneWasGiven) {
    const Variables outer = prepared(task(), facts_of_task());
    const Variables inner = prepared(with(outer, {{"SLURM_STEP_ID", "5"},
                                                  {"SLURM_PROCID", "0"},
                                                  {"SLURM_STEP_NUM_TASKS", "1"},
                                                  {"SLURM_LOCALID", "0"},
                                                  {"SLURM_STEP_NODELIST", "n2"},
                                                  {"SLURM_STEP_TASKS_PER_NODE", "1"}}),
                                     without_options(facts_of_task()));
    expect(inner,
           {{"RANK", "0"},
            {"WORLD_SIZE", "1"},
            {"HORA_MODE", "independent"},
            {"HORA_SHARE", "10"},
            {"TF_CONFIG", "(not set)"}},
           "an inner step");
}

TEST(TaskEnvironment, AJobTakesNothingFromTheJobThatSubmittedIt) {
    const Variables inherited = step_after_script({{"SLURM_JOB_ID", "18"}, {"HORA_BATCH", "11"}});
    expect(prepared(inherited, without_options(facts_of_script())),
           {{"HORA_CHECKPOINT_DIR", "(not set)"},
            {"HORA_PROGRESS", "(not set)"},
            {"MASTER_ADDR", "(not set)"},
            {"SLURM_SPANK_HORA_JOB", "(not set)"},
            {"HORA_BATCH", "11"}},
           "a plain job");
    expect(
        prepared(with(inherited, {{"SLURM_SPANK_HORA_SUBMIT", "1700000009"}}), facts_of_script()),
        {{"HORA_CHECKPOINT_DIR", "/home/ada/run/.hora-1001/blue-18-1700000009"}},
        "a job of Hora's");
}

TEST(TaskEnvironment, TheSmallestOfARangeOfBatchesIsTheJobsOwn) {
    TaskFacts facts = facts_of_script();
    facts.options = {{"hora-batch", "6-60"}, {"hora-elastic", ""}};
    const Variables script = prepared(task(), facts);
    expect(script, {{"HORA_BATCH", "6"}, {"HORA_BATCH_MIN", "6"}}, "a script");
    Variables step = task();
    step.emplace(record_variable, value(script, record_variable));
    expect(prepared(step, without_options(facts_of_task())),
           {{"HORA_BATCH", "6"}, {"HORA_BATCH_MIN", "6"}, {"HORA_SHARE", "2"}}, "--export=NONE");
    expect(prepared(with(script, {{"SLURM_JOB_ID", "18"}}), without_options(facts_of_script())),
           {{"HORA_BATCH", "(not set)"}, {"HORA_BATCH_MIN", "(not set)"}},
           "a job that the script submits");
    expect(prepared(with(task(), {{"HORA_BATCH_MIN", "5"}}), facts),
           {{"HORA_BATCH", "6"}, {"HORA_BATCH_MIN", "5"}}, "set by the user");
    facts.batch = 30;
    const Variables later = prepared(with(task(), {{"SLURM_SPANK_HORA_BATCH", "6"}}), facts);
    expect(later, {{"HORA_BATCH", "30"}, {"HORA_BATCH_MIN", "6"}}, "a later start");
    step[std::string(record_variable)] = value(later, record_variable);
    expect(prepared(step, without_options(facts_of_task())),
           {{"HORA_BATCH", "30"}, {"HORA_BATCH_MIN", "6"}, {"HORA_SHARE", "10"}},
           "--export=NONE in a later start");
    expect(prepared(with(task(), {{"HORA_BATCH", "7"}}), facts), {{"HORA_BATCH", "7"}},
           "a batch of the user's own");
}

TEST(TaskEnvironment, ADaemonOfMpirunGetsNoRank) {
    TaskFacts daemon = without_options(facts_of_task());
    daemon.is_launcher = true;
    expect(prepared(step_after_script(), daemon),
           {{"RANK", "(not set)"}, {"MASTER_PORT", "21151"}, {"HORA_BATCH", "10"}}, "a daemon");
}

TEST(TaskEnvironment, SharesFollowTheGpusOfTheAllocation) {
    const Variables planned = with(task(), {{"SLURM_SPANK_HORA_SPEEDS", "fast:3,slow:1"},
                                            {"SLURM_SPANK_HORA_MODE", "balanced"},
                                            {"SLURM_SPANK_HORA_BATCH", "70"}});
    const auto share = [](const Variables& script, const std::vector<NodeGpus>& gpus) {
        const std::string note = value(prepared(script, facts_of_script()), record_variable);
        const Variables step{{std::string(record_variable), note},
                             {std::string(gpus_variable), to_text(gpus)}};
        const Variables found = prepared(with(task(), step), without_options(facts_of_task()));
        EXPECT_EQ(value(found, gpus_variable), "(not set)");
        return value(found, "HORA_SHARE");
    };
    const std::vector<NodeGpus> gpus{{"n1", {"fast", "fast"}}, {"n2", {"slow"}}};
    EXPECT_EQ(share(planned, gpus), "30");
    EXPECT_EQ(share(planned, {}), "23") << "types not known";
    EXPECT_EQ(share(with(planned, {{"SLURM_SPANK_HORA_SPEEDS", "fast"}}), gpus), "23")
        << "speeds that are none";
}

TEST(TaskEnvironment, RanksInTheOrderOfAHostFileHaveAnotherFirstNode) {
    EXPECT_EQ(first_node(Environment(task()), false), "n1");
    const Variables ordered = with(task(), {{"SLURM_DISTRIBUTION", "arbitrary"}});
    EXPECT_EQ(first_node(Environment(ordered), false), "");
    const Variables told = with(ordered, {{"SLURM_SPANK_HORA_RANKS", "n[2,1]"}});
    EXPECT_EQ(first_node(Environment(told), false), "n2");
    EXPECT_EQ(first_node(Environment(with(told, {{"SLURM_SPANK_HORA_MASTER", "10.0.0.2"}})), false),
              "10.0.0.2");
    EXPECT_EQ(first_node(Environment(with(told, {{"SLURM_JOB_NODELIST", "n[1-2]"}})), true), "n1");
    EXPECT_EQ(first_node(Environment(with(task(), {{"SLURM_SPANK_HORA_RANKS", ""}})), false), "n1")
        << "srun was not told";
    EXPECT_EQ(first_node(Environment(Variables{{"SLURM_JOB_NODELIST", "n[7-9]"}}), true), "n7");
}

TEST(TaskEnvironment, TheHostFileOfSrunsOwnDoesNotReachATask) {
    const Variables file{{"SLURM_HOSTFILE", "/proc/self/fd/4"},
                         {"SLURM_DISTRIBUTION", "arbitrary"}};
    const Variables ours = with(with(task(), file), {{"SLURM_SPANK_HORA_RANKS", "n2,n1"},
                                                     {"SLURM_SPANK_HORA_MASTER", "10.0.0.2"}});
    for (const TaskFacts& facts : {facts_of_task(), without_options(facts_of_task())}) {
        expect(prepared(ours, facts),
               {{"SLURM_HOSTFILE", "(not set)"},
                {"SLURM_DISTRIBUTION", "(not set)"},
                {"SLURM_SPANK_HORA_RANKS", "(not set)"},
                {"SLURM_SPANK_HORA_MASTER", "(not set)"}},
               "Hora's");
        expect(prepared(with(task(), file), facts), file, "the user's");
        expect(prepared(with(ours, {{"SLURM_HOSTFILE", "hosts"}}), facts),
               {{"SLURM_HOSTFILE", "hosts"}, {"SLURM_DISTRIBUTION", "arbitrary"}}, "the user's");
    }
}

TEST(TaskEnvironment, PortsComeFromSlurmWhereItReservesThem) {
    const Variables found =
        prepared(with(task(), {{"SLURM_STEP_RESV_PORTS", "33501-33503"}}), facts_of_task());
    EXPECT_EQ(value(found, "MASTER_PORT"), "33501");
    EXPECT_EQ(value(found, "TF_CONFIG"),
              R"({"cluster":{"worker":["n1:33502","n1:33503","n2:33502"]},)"
              R"("task":{"index":1,"type":"worker"}})");
}

TEST(TaskEnvironment, PortsOfHeterogeneousSteps) {
    TaskFacts component = facts_of_task();
    component.job = 18;  // SLURM_JOB_ID says 17, the leader's
    EXPECT_EQ(value(prepared(task(), component), "MASTER_PORT"), "21156") << "within a component";
    component.tasks = 1;
    EXPECT_EQ(value(prepared(task(), component), "MASTER_PORT"), "21092") << "over components";
}

TEST(TaskEnvironment, NothingIsWrittenWhereNoFolderCanBe) {
    TaskFacts facts = facts_of_task();
    facts.has_folder = false;
    const Prepared without = prepare(Environment(task()), facts, {});
    EXPECT_EQ(value(without.environment.variables(), "HORA_PROGRESS"), "(not set)");
    EXPECT_TRUE(without.checkpoint_folder.empty());
    ComputeSettings wrong;
    wrong.checkpoint_path = "/scratch/{job}";
    EXPECT_EQ(prepare(Environment(task()), facts_of_task(), wrong).remarks,
              (std::vector<std::string>{"checkpoint.path \"/scratch/{job}\" lacks {submit}: jobs "
                                        "would share a folder; no HORA_CHECKPOINT_DIR"}));
}

TEST(TaskEnvironment, GarbageFromSlurmOrTheUserIsNotPassedOn) {
    for (const char* batch : {"0", "-1", "x", "99999999999999999999", "2"}) {
        const Variables found = prepared(with(task(), {{"HORA_BATCH", batch}}), facts_of_task());
        EXPECT_EQ(value(found, "HORA_SHARE"), "(not set)") << batch;
    }
    const Variables odd =
        prepared(with(task(), {{"SLURM_STEP_TASKS_PER_NODE", "2"}, {"SLURM_SPANK_HORA_JOB", "{"}}),
                 facts_of_task());
    EXPECT_EQ(value(odd, "RANK"), "(not set)");
    EXPECT_EQ(value(odd, "HORA_BATCH"), "10");
}

}  // namespace
}  // namespace hora::spank
