#include "plugins/spank/variables/watch_call.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/spank/variables/task_environment.hpp"

namespace hora::spank {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

const Variables script{{"SLURM_JOB_ID", "17"},
                       {"SLURM_CLUSTER_NAME", "blue"},
                       {"SLURM_RESTART_COUNT", "2"},
                       {"SLURMD_NODENAME", "n1"},
                       {"LD_PRELOAD", "/home/ada/own.so"},
                       {"HORA_CHECKPOINT_DIR", "/home/ada/run"},
                       {"HORA_PROGRESS", "/home/ada/run/progress.jsonl"}};

TaskFacts facts() {
    TaskFacts facts;
    facts.options = {{"hora-requeue", "(null)"}};
    facts.job = 17;
    facts.is_batch = true;
    facts.is_batch_script = true;
    return facts;
}

ComputeSettings settings() {
    ComputeSettings settings;
    settings.watcher = "/usr/libexec/hora/hora-watch-job";
    settings.file = "/etc/hora/hora.toml";
    return settings;
}

Variables without(Variables variables, const char* name) {
    variables.erase(name);
    return variables;
}

TEST(WatchCall, TellsTheProgramWhatItNeeds) {
    const auto call = watch_call(Environment(script), facts(), settings(), "5:3600", 4711);
    ASSERT_TRUE(call);
    EXPECT_THAT(
        call->words,
        ElementsAre("/usr/libexec/hora/hora-watch-job", "--job", "17", "--cluster", "blue",
                    "--restarts", "2", "--shell", "4711", "--shell-fd", "3", "--settings",
                    "/etc/hora/hora.toml", "--progress", "/home/ada/run/progress.jsonl", "--folder",
                    "/home/ada/run", "--requeue", "--max-restarts", "5", "--max-time", "3600"));
    EXPECT_EQ(
        call->environment,
        (Variables{{"PATH", "/usr/bin:/bin"}, {"SLURMD_NODENAME", "n1"}, {"SLURM_JOB_ID", "17"}}));
}

TEST(WatchCall, AnElasticJobHasOneTimeLimitForAllItsStartsUnlessItIsRequeuedAtIt) {
    TaskFacts elastic = facts();
    elastic.options = {{"hora-elastic", "(null)"}};
    const auto call = watch_call(Environment(script), elastic, settings(), "5:3600", 4711);
    ASSERT_TRUE(call);
    EXPECT_THAT(call->words, Contains("--lower-limit"));
    elastic.options.emplace_back("hora-requeue", "(null)");
    const auto both = watch_call(Environment(script), elastic, settings(), "5:3600", 4711);
    ASSERT_TRUE(both);
    EXPECT_THAT(both->words, Not(Contains("--lower-limit")));
}

TEST(WatchCall, OnlyFollowsAJobThatMayNotComeBack) {
    for (const char* const allowed : {"", "5", "5:", ":5", "5:x", "-1:5", "5:3600:1"}) {
        const auto call = watch_call(Environment(script), facts(), settings(), allowed, 4711);
        ASSERT_TRUE(call) << allowed;
        EXPECT_THAT(call->words, Not(Contains("--requeue"))) << allowed;
    }
    const auto without_folder = watch_call(Environment(without(script, "HORA_CHECKPOINT_DIR")),
                                           facts(), settings(), "5:3600", 4711);
    ASSERT_TRUE(without_folder);
    EXPECT_THAT(without_folder->words, Not(Contains("--requeue")));
}

TEST(WatchCall, IsNotMadeWhereNothingCanBeFollowed) {
    const Environment blind(without(without(script, "HORA_CHECKPOINT_DIR"), "HORA_PROGRESS"));
    EXPECT_FALSE(watch_call(blind, facts(), settings(), "5:3600", 4711));
    ComputeSettings none = settings();
    none.watcher.clear();
    EXPECT_FALSE(watch_call(Environment(script), facts(), none, "5:3600", 4711));
}

TEST(WatchCall, TheControllersWordIsHeardOnceAndHandedOnToNobody) {
    Variables variables = script;
    variables["SLURM_SPANK_HORA_RESTARTS"] = "5:3600";
    const Prepared prepared = prepare(Environment(variables), facts(), settings());
    EXPECT_EQ(prepared.allowed_restarts, "5:3600");
    EXPECT_EQ(prepared.environment.find("SLURM_SPANK_HORA_RESTARTS"), nullptr);
    EXPECT_EQ(prepared.ignored_signal, 0) << "the script may have a trap of its own";
}

TEST(WatchCall, OneStandsInEachStepForItsFirstTask) {
    Variables variables = script;
    variables["SLURM_SPANK_HORA_RESTARTS"] = "5:3600";
    variables["SLURM_STEP_ID"] = "4294967291";
    Prepared prepared = prepare(Environment(variables), facts(), settings());
    const auto of_script = step_call(prepared, facts(), settings(), 4711);
    ASSERT_TRUE(of_script);
    EXPECT_THAT(of_script->words,
                ElementsAre("/usr/libexec/hora/hora-watch-job", "--job", "17", "--restarts", "2",
                            "--shell", "4711", "--shell-fd", "3", "--folder", "/home/ada/run",
                            "--step", "4294967291", "--signal", "USR1", "--script"));
    TaskFacts task = facts();
    task.is_batch = task.is_batch_script = false;
    prepared.environment.set("SLURM_STEP_ID", "0");
    prepared = prepare(prepared.environment, task, settings());
    prepared.environment.set("SLURM_LOCALID", "1");
    EXPECT_FALSE(step_call(prepared, task, settings(), 4711)) << "the node has one already";
    prepared.environment.set("SLURM_LOCALID", "0");
    const auto of_step = step_call(prepared, task, settings(), 4711);
    ASSERT_TRUE(of_step);
    EXPECT_THAT(of_step->words, Not(Contains("--script")));
    prepared.checkpoint_signal.clear();
    EXPECT_FALSE(step_call(prepared, task, settings(), 4711)) << "nothing asks this program";
}

TEST(WatchCall, TasksOutliveAnEarlySignal) {
    TaskFacts task = facts();
    task.is_batch = task.is_batch_script = false;
    EXPECT_EQ(prepare(Environment(script), task, settings()).ignored_signal, SIGUSR1);
    task.options = {{"hora-batch", "8"}};
    EXPECT_EQ(prepare(Environment(script), task, settings()).ignored_signal, 0);
}

TEST(WatchCall, TheProgramIsAskedByTheSignalThatItsOwnerChose) {
    struct Case {
        const char* chosen;
        int ignored;
    };
    Variables variables = script;
    variables["SLURM_SPANK_HORA_RESTARTS"] = "5:3600";
    variables["SLURM_STEP_ID"] = "0";
    variables["SLURM_LOCALID"] = "0";
    // SIGTERM is not ignored: Hora's program sends it only to what has a handler.
    for (const Case& test : {Case{"USR2", SIGUSR2}, Case{"TERM", SIGUSR1}}) {
        TaskFacts task = facts();
        task.is_batch = task.is_batch_script = false;
        task.options.emplace_back("hora-signal", test.chosen);
        const Prepared prepared = prepare(Environment(variables), task, settings());
        EXPECT_EQ(prepared.ignored_signal, test.ignored) << test.chosen;
        const auto call = step_call(prepared, task, settings(), 4711);
        ASSERT_TRUE(call) << test.chosen;
        EXPECT_THAT(call->words, Contains(test.chosen));
    }
}

TEST(WatchCall, ClearsUpAsTheSiteHasIt) {
    ComputeSettings site = settings();
    site.keep_folders = Seconds(3600);
    const WatchCall call = clear_call(Environment(script), facts(), site, "/w/.hora/blue-17-1", 3);
    EXPECT_THAT(call.words,
                ElementsAre("/usr/libexec/hora/hora-watch-job", "--job", "17", "--cluster", "blue",
                            "--restarts", "2", "--folder", "/w/.hora/blue-17-1", "--exit-status",
                            "3", "--keep", "3600", "--remove-finished"));
    EXPECT_FALSE(call.environment.contains("LD_PRELOAD"));
    site.removes_finished = false;
    EXPECT_THAT(clear_call(Environment(script), facts(), site, "/w/.hora/blue-17-1", 0).words,
                Not(Contains("--remove-finished")));
}

}  // namespace
}  // namespace hora::spank
