#include "plugins/spank/variables/mpi_library.hpp"

#include <gtest/gtest.h>

#include "plugins/spank/variables/task_environment.hpp"

namespace hora::spank {
namespace {

const std::string library = "/lib/libhora_mpi.so";

struct Case {
    const char* sentence;
    const char* option;  // of the job; "": not said
    Variables own;       // what the user has set
    const char* preloaded;
    const char* allreduce;
};

const Case cases[] = {
    {"a job that says nothing", "", {}, "-", "-"},
    {"MPI's own all-reduce", "mpi", {}, "-", "-"},
    {"the ring", "ring", {}, "/lib/libhora_mpi.so", "ring"},
    {"what the user preloads stays, and comes first",
     "ring",
     {{"LD_PRELOAD", "/a.so /b.so"}},
     "/a.so /b.so:/lib/libhora_mpi.so",
     "ring"},
    {"an empty value", "ring", {{"LD_PRELOAD", ""}}, "/lib/libhora_mpi.so", "ring"},
    {"what the user chose stays",
     "ring",
     {{"HORA_ALLREDUCE", "of theirs"}},
     "/lib/libhora_mpi.so",
     "of theirs"},
    {"a user who wants MPI's own", "ring", {{"HORA_ALLREDUCE", "mpi"}}, "-", "mpi"},
    {"the library of an outer step goes",
     "",
     {{"LD_PRELOAD", "/a.so:/lib/libhora_mpi.so"}},
     "/a.so",
     "-"},
    {"and comes once",
     "ring",
     {{"LD_PRELOAD", "/lib/libhora_mpi.so:/a.so"}},
     "/a.so:/lib/libhora_mpi.so",
     "ring"},
    {"another library of the same end",
     "",
     {{"LD_PRELOAD", "/my/lib/libhora_mpi.so"}},
     "/my/lib/libhora_mpi.so",
     "-"},
    {"what is the user's own stays as it was written",
     "",
     {{"LD_PRELOAD", "/my/lib/libhora_mpi.so  /a.so"}},
     "/my/lib/libhora_mpi.so  /a.so",
     "-"},
};

Variables variables_of(const Variables& own) {
    Variables all{{"SLURM_JOB_ID", "17"}, {"SLURM_STEP_ID", "4"}, {"SLURM_PROCID", "0"}};
    all.insert(own.begin(), own.end());
    return all;
}

TaskFacts facts_of(const char* option) {
    TaskFacts facts;
    facts.options = {{"hora-batch", "10"}};
    if (*option != '\0') {
        facts.options.emplace_back("hora-allreduce", option);
    }
    facts.job = 17;
    return facts;
}

Prepared prepared(const Variables& own, const TaskFacts& facts) {
    ComputeSettings settings;
    settings.mpi_library = library;
    return prepare(Environment(variables_of(own)), facts, settings);
}

std::string value(const Prepared& prepared, std::string_view name) {
    const std::string* const found = prepared.environment.find(name);
    return found == nullptr ? "-" : *found;
}

TEST(MpiLibrary, IsPreloadedWhereItIsAskedFor) {
    for (const Case& test : cases) {
        const Prepared task = prepared(test.own, facts_of(test.option));
        EXPECT_EQ(value(task, "LD_PRELOAD"), test.preloaded) << test.sentence;
        EXPECT_EQ(value(task, "HORA_ALLREDUCE"), test.allreduce) << test.sentence;
        EXPECT_TRUE(task.remarks.empty()) << test.sentence;
    }
}

TEST(MpiLibrary, ScriptsAndLaunchersAreLeftAlone) {
    TaskFacts script = facts_of("ring");
    script.is_batch = true;
    TaskFacts launcher = facts_of("ring");
    launcher.is_launcher = true;
    for (const TaskFacts& facts : {script, launcher}) {
        const Prepared task = prepared({}, facts);
        EXPECT_EQ(value(task, "LD_PRELOAD") + value(task, "HORA_ALLREDUCE"), "--");
    }
}

TEST(MpiLibrary, AStepTakesWhatItsJobSays) {
    TaskFacts script = facts_of("ring");
    script.is_batch = true;
    const Variables of_script = prepared({}, script).environment.variables();
    TaskFacts step = facts_of("");
    step.options.clear();
    const Prepared inherited = prepared(of_script, step);
    EXPECT_EQ(value(inherited, "LD_PRELOAD") + value(inherited, "HORA_ALLREDUCE"),
              library + "ring");
    // What it says itself comes first; what its own steps inherit is not theirs.
    step.options = {{"hora-allreduce", "mpi"}};
    const Prepared without = prepared(inherited.environment.variables(), step);
    EXPECT_EQ(value(without, "LD_PRELOAD") + value(without, "HORA_ALLREDUCE"), "--");
}

TEST(MpiLibrary, ThatIsMissingIsSaidOnceAJob) {
    TaskFacts facts = facts_of("ring");
    facts.has_mpi_library = false;
    facts.is_batch = true;
    const Prepared script = prepared({}, facts);
    ASSERT_EQ(script.remarks.size(), 1U);
    EXPECT_EQ(script.remarks.front(),
              "--hora-allreduce=ring: this node has no /lib/libhora_mpi.so; MPI's own all-reduce "
              "is used");
    facts.is_batch = false;
    facts.options.clear();
    const Prepared task = prepared(script.environment.variables(), facts);
    EXPECT_TRUE(task.remarks.empty());
    EXPECT_EQ(value(task, "LD_PRELOAD") + value(task, "HORA_ALLREDUCE"), "--");
}

TaskFacts traced_facts() {
    TaskFacts facts = facts_of("");
    facts.options.emplace_back("hora-timeline", "");
    return facts;
}

TEST(MpiLibrary, RecordsBelowTheFolderOfTheJob) {
    const struct {
        const char* sentence;
        Variables own;
        const char* folder;
        const char* preloaded;
    } table[] = {
        {"for this start of the step",
         {{"HORA_CHECKPOINT_DIR", "/f"}, {"SLURM_RESTART_COUNT", "2"}},
         "/f/trace/2.4",
         "/lib/libhora_mpi.so"},
        {"the first start", {{"HORA_CHECKPOINT_DIR", "/f"}}, "/f/trace/0.4", "/lib/libhora_mpi.so"},
        {"where the user says", {{"HORA_TRACE_DIR", "/mine"}}, "/mine", "/lib/libhora_mpi.so"},
        {"a user who wants none", {{"HORA_TRACE_DIR", ""}}, "", "-"},
    };
    for (const auto& test : table) {
        const Prepared task = prepared(test.own, traced_facts());
        EXPECT_EQ(value(task, "HORA_TRACE_DIR"), test.folder) << test.sentence;
        EXPECT_EQ(value(task, "LD_PRELOAD"), test.preloaded) << test.sentence;
        EXPECT_EQ(value(task, "HORA_ALLREDUCE"), "-") << test.sentence;
        EXPECT_TRUE(task.remarks.empty()) << test.sentence;
    }
}

TEST(MpiLibrary, SaysWhyNothingIsRecorded) {
    const Prepared nowhere = prepared({}, traced_facts());
    ASSERT_EQ(nowhere.remarks.size(), 1U);
    EXPECT_EQ(
        nowhere.remarks.front(),
        "--hora-timeline: there is no HORA_CHECKPOINT_DIR to record in; set HORA_TRACE_DIR to "
        "a folder");
    EXPECT_EQ(value(nowhere, "LD_PRELOAD"), "-");
    TaskFacts facts = traced_facts();
    facts.has_mpi_library = false;
    const Prepared missing = prepared({}, facts);
    ASSERT_EQ(missing.remarks.size(), 1U);
    EXPECT_EQ(missing.remarks.front(),
              "--hora-timeline: this node has no /lib/libhora_mpi.so; nothing is recorded");
}

TEST(MpiLibrary, AStepIsRecordedAsItsJobIs) {
    TaskFacts script = traced_facts();
    script.is_batch = true;
    const Variables of_script =
        prepared({{"HORA_CHECKPOINT_DIR", "/f"}}, script).environment.variables();
    TaskFacts step = facts_of("");
    step.options.clear();
    const Prepared one = prepared(of_script, step);
    EXPECT_EQ(value(one, "HORA_TRACE_DIR"), "/f/trace/0.4");
    // What a step starts as a step of its own has a folder of its own.
    Variables inner = one.environment.variables();
    inner["SLURM_STEP_ID"] = "5";
    ComputeSettings settings;
    settings.mpi_library = library;
    EXPECT_EQ(value(prepare(Environment(inner), step, settings), "HORA_TRACE_DIR"), "/f/trace/0.5");
}

}  // namespace
}  // namespace hora::spank
