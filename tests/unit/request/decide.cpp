#include "libplanner/request/decide.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "libplanner/request/stated_options.hpp"
#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Submission resnet18() {
    Submission job = batch_job();
    job.options = {{"hora_model", "resnet18"}, {"hora_batch", "64"}};
    return job;
}

read::Settings settings_of(const std::string& toml) {
    auto settings = read::read_settings(toml, "hora.toml");
    EXPECT_TRUE(settings) << settings.error().message;
    return settings ? *settings : read::Settings();
}

struct Asked {
    Submission job = resnet18();
    std::string settings = "mode = \"act\"\n";
    domain::Snapshot snapshot = small_cluster();
    bool has_settings = true;
    bool has_snapshot = true;

    Answer answer() const {
        const read::Settings read = settings_of(settings);
        return decide({.submission = job,
                       .settings = has_settings ? &read : nullptr,
                       .snapshot = has_snapshot ? &snapshot : nullptr},
                      debian12);
    }
};

void set(Submission& job, const char* name, const char* value) {
    job.options.emplace_back(name, value);
}

// "plan", "unchanged", or what is requested, "refused: WHY"; with "recorded" where it is.
std::string outcome(const Answer& answer) {
    if (answer.refusal) {
        return "refused: " + answer.refusal->message;
    }
    const std::string gpus = answer.rewrite.tres_per_node.value_or("unchanged");
    const std::string record = answer.decision ? ", recorded" : "";
    return answer.decision && answer.decision->has_plan ? "plan, " + gpus
                                                        : gpus + record + ": " + answer.remark;
}

struct Row {
    const char* sentence;
    std::function<void(Asked&)> change;
    const char* outcome;
};

const Row rows[] = {
    {"a model and a batch are planned", [](Asked&) {}, "plan, gres:gpu:4"},
    {"in observe nothing changes", [](Asked& asked) { asked.settings = "mode = \"observe\"\n"; },
     "plan, unchanged"},
    {"the mode is that of the partition",
     [](Asked& asked) {
         asked.settings = "mode = \"observe\"\n[partition.q]\nmode = \"act\"\n";
         asked.job.partitions = {"q"};
     },
     "plan, gres:gpu:4"},
    {"without a name the default partition rules",
     [](Asked& asked) { asked.settings = "mode = \"observe\"\n[partition.p]\nmode = \"act\"\n"; },
     "plan, gres:gpu:4"},
    {"--hora-off is left alone", [](Asked& asked) { set(asked.job, "hora_off", ""); },
     "unchanged: "},
    {"an option's bad value is refused", [](Asked& asked) { set(asked.job, "hora_mode", "fast"); },
     "refused: --hora-mode: \"fast\" is none of auto, sync, async, balanced, e.g. "
     "--hora-mode=auto"},
    {"a contradiction is refused",
     [](Asked& asked) {
         set(asked.job, "hora_gpus", "1-2");
         asked.job.gpus.per_job = 3;
     },
     "refused: --gpus=3 contradicts --hora-gpus=1-2: leave one of them out, or make them agree"},
    {"in observe a contradiction is not looked for",
     [](Asked& asked) {
         asked.settings = "mode = \"observe\"\n";
         set(asked.job, "hora_gpus", "1-2");
         asked.job.gpus.per_job = 3;
     },
     "plan, unchanged"},
    {"without a batch the fewest GPUs are requested",
     [](Asked& asked) { asked.job.options.pop_back(); },
     "gres:gpu:1, recorded: no plan: --hora-batch (the samples of a step) is missing; 1 GPU "
     "requested from Slurm without one"},
    {"likewise without a snapshot", [](Asked& asked) { asked.has_snapshot = false; },
     "gres:gpu:1, recorded: no plan: there is no fresh snapshot of the cluster (is horad "
     "running?); 1 GPU requested from Slurm without one"},
    {"without settings as in act", [](Asked& asked) { asked.has_settings = false; },
     "gres:gpu:1, recorded: no plan: the site's settings cannot be read (slurmctld's log says "
     "why); 1 GPU requested from Slurm without one"},
    {"submit.without_plan may refuse",
     [](Asked& asked) {
         asked.settings += "[submit]\nwithout_plan = \"refuse\"\n";
         asked.has_snapshot = false;
     },
     "refused: no plan: there is no fresh snapshot of the cluster (is horad running?); submit "
     "again later, or request GPUs yourself (--gres=gpu:N)"},
    {"a request that names GPUs stays as it is",
     [](Asked& asked) {
         asked.job.gpus.per_node = 1;
         asked.has_snapshot = false;
     },
     "unchanged, recorded: no plan; submitted unchanged: there is no fresh snapshot of the "
     "cluster (is horad running?)"},
    {"the contract alone is nothing to plan",
     [](Asked& asked) {
         asked.job.options = {{"hora_requeue", ""}};
     },
     "unchanged: "},
    {"options of a plan without a model are said to be ignored, each once",
     [](Asked& asked) {
         asked.job.options = {{"hora_dtype", "bf16"},   {"hora_samples", "100"},
                              {"hora_samples", "1000"}, {"hora_epochs", "3"},
                              {"hora_sizes", "powers"}, {"hora_accepts", "async"},
                              {"hora_wait", "30"},      {"hora_objective", "efficiency"}};
     },
     "unchanged: --hora-samples, --hora-epochs, --hora-sizes, --hora-dtype, --hora-accepts, "
     "--hora-objective, --hora-wait are ignored: --hora-model (what is trained) is missing"},
    {"and so is one beside the contract",
     [](Asked& asked) {
         asked.job.options = {{"hora_elastic", ""}, {"hora_samples", "100"}};
     },
     "unchanged: --hora-elastic is ignored: --hora-model, --hora-batch, --hora-epochs are "
     "missing; --hora-samples is ignored: --hora-model (what is trained) is missing"},
    {"what the program finds in its environment is not ignored",
     [](Asked& asked) {
         asked.job.options = {
             {"hora_batch", "64"}, {"hora_mode", "async"}, {"hora_launch", "node"}};
     },
     "unchanged: "},
};

TEST(Decide, GivesEachSubmissionItsAnswer) {
    for (const Row& row : rows) {
        Asked asked;
        row.change(asked);
        EXPECT_EQ(outcome(asked.answer()), row.outcome) << row.sentence;
    }
}

TEST(Decide, KeepsTheContractOnlyWhereItActs) {
    for (const char* mode : {"observe", "advise", "act"}) {
        Asked asked;
        asked.settings = "mode = \"" + std::string(mode) + "\"\n";
        set(asked.job, "hora_requeue", "");
        EXPECT_EQ(asked.answer().contract.requeues, std::string(mode) == "act") << mode;
        asked.has_snapshot = false;
        EXPECT_EQ(asked.answer().contract.requeues, std::string(mode) == "act") << mode;
    }
}

TEST(Decide, RemarksOnceWhatTheContractLeavesOut) {
    Asked asked;
    set(asked.job, "hora_elastic", "");
    const std::string missing = "--hora-elastic is ignored: --hora-samples, --hora-epochs";
    const Answer planned = asked.answer();
    EXPECT_THAT(planned.decision->remark, HasSubstr(missing));
    asked.has_snapshot = false;
    const Answer unplanned = asked.answer();
    EXPECT_THAT(unplanned.remark, HasSubstr(missing));
    EXPECT_EQ(unplanned.remark.find(missing), unplanned.remark.rfind(missing));
}

TEST(Decide, RecordsWhatWouldChangeInEveryMode) {
    Asked asked;
    const auto acted = asked.answer().decision->changes;
    EXPECT_THAT(acted, Not(IsEmpty()));
    asked.settings = "mode = \"advise\"\n";
    const Answer advised = asked.answer();
    EXPECT_EQ(advised.decision->changes, acted);
    EXPECT_EQ(advised.decision->operating, "advise");
    EXPECT_THAT(advised.rewrite.set, IsEmpty());
}

TEST(Decide, LeavesTheModeOpenToAnElasticJob) {
    Asked asked;
    const auto names_mode = [](const Answer& answer) {
        return std::any_of(answer.rewrite.set.begin(), answer.rewrite.set.end(),
                           [](const auto& one) { return one.first == "HORA_MODE"; });
    };
    EXPECT_TRUE(names_mode(asked.answer()));
    for (const char* option : {"hora_samples", "hora_epochs"}) {
        set(asked.job, option, "1000");
    }
    set(asked.job, "hora_elastic", "");
    EXPECT_FALSE(names_mode(asked.answer()));
}

TEST(Decide, LeavesTheBatchOpenToAJobWithARange) {
    Asked asked;
    const auto names_batch = [](const auto& variables) {
        return std::any_of(variables.begin(), variables.end(),
                           [](const auto& one) { return one.first == "HORA_BATCH"; });
    };
    for (const char* option : {"hora_samples", "hora_epochs"}) {
        set(asked.job, option, "1000");
    }
    set(asked.job, "hora_elastic", "");
    EXPECT_TRUE(names_batch(asked.answer().rewrite.set));
    set(asked.job, "hora_batch", "64-1024");
    EXPECT_FALSE(names_batch(asked.answer().rewrite.set));
    EXPECT_TRUE(names_batch(asked.answer().rewrite.tell)) << "the node knows the smallest";
    asked.has_snapshot = false;
    EXPECT_FALSE(names_batch(asked.answer().rewrite.set)) << "without a plan";
    EXPECT_TRUE(names_batch(asked.answer().rewrite.tell));
}

TEST(Decide, SaysOfAFailureWhatTheCallerSays) {
    const Asked asked;
    const read::Settings settings = settings_of(asked.settings);
    const Answer answer = decide_without_plan(
        {.submission = asked.job, .settings = &settings, .snapshot = &asked.snapshot}, debian12,
        "planning failed");
    EXPECT_EQ(outcome(answer),
              "gres:gpu:1, recorded: no plan: planning failed; 1 GPU requested from Slurm without "
              "one");
}

}  // namespace
}  // namespace hora::request
