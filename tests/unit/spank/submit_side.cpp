// Is a wrong option or model refused, is anything else let pass, and what goes on with the job?
#include "plugins/spank/submit_side.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/scratch_folder.hpp"

namespace {

std::vector<std::string> errors;
std::vector<std::string> remarks;
std::map<std::string, std::string> control;  // the job's control environment
spank_context_t context = S_CTX_ALLOCATOR;

std::string line_of(const char* format, va_list values) {
    std::array<char, 1024> line{};
    std::vsnprintf(line.data(), line.size(), format, values);
    return line.data();
}

}  // namespace

extern "C" {

void slurm_error(const char* format, ...) {
    va_list values;
    va_start(values, format);
    errors.push_back(line_of(format, values));
    va_end(values);
}

void slurm_info(const char* format, ...) {
    va_list values;
    va_start(values, format);
    remarks.push_back(line_of(format, values));
    va_end(values);
}

spank_err_t spank_job_control_setenv(spank_t /*spank*/, const char* name, const char* value,
                                     int /*overwrite*/) {
    control[name] = value;
    return static_cast<spank_err_t>(ESPANK_SUCCESS);
}

spank_context_t spank_context() {
    return context;
}

}  // extern "C"

namespace hora::spank {
namespace {

constexpr const char* workload = "2.fp32.m1.1.1";
constexpr const char* submit_variable = "SLURM_SPANK_HORA_SUBMIT";

// An option and its value.
using Typed = std::vector<std::pair<std::string, std::string>>;

class Submit : public testing::Test {
  protected:
    void SetUp() override {
        errors.clear();
        remarks.clear();
        control.clear();
        context = S_CTX_ALLOCATOR;
        unsetenv(submit_variable);
        std::filesystem::remove(folder.file("calls"));
        // Notes each call; knows bert, for which it has other words by the data type.
        write_reader("echo \"$*\" >> " + folder.file("calls") + "\ncase \"$*\" in\n*bert) echo " +
                     workload + ";;\n*) echo 'hora: unknown model' >&2; exit 2;;\nesac\n");
    }
    void TearDown() override { unsetenv(submit_variable); }

    void write_reader(const std::string& text) const {
        folder.write("reader", "#!/bin/sh\n" + text);
        std::filesystem::permissions(folder.file("reader"), std::filesystem::perms::owner_all);
    }
    SettingsSource source() const {
        SettingsSource made;
        made.file = folder.file("none.toml");
        made.helper = folder.file("reader");
        return made;
    }
    // The answers to each option, "+" and "-".
    std::string submit(const Typed& typed, bool asks_for_job = true) const {
        SubmitSide side;
        side.start(source(), asks_for_job);
        std::string answers;
        for (const auto& [name, value] : typed) {
            answers += side.take(name, value) ? '+' : '-';
        }
        side.finish(nullptr);
        return answers;
    }
    std::string calls() const { return folder.read("calls"); }
    static std::optional<std::string> given(const char* name) {
        const auto found = control.find(name);
        return found == control.end() ? std::nullopt : std::optional(found->second);
    }

    const tests::ScratchFolder folder;
};

TEST_F(Submit, ReadsTheModelOnceItIsKnownAndAnewWithItsDataType) {
    const struct {
        const char* sentence;
        Typed typed;
        bool asks_for_job;
        const char* calls;
        bool has_workload;
    } cases[] = {
        {"a model", {{"hora-model", "bert"}}, true, "-- bert\n", true},
        {"its data type before it",
         {{"hora-dtype", "fp16"}, {"hora-model", "bert"}},
         true,
         "--dtype fp16 -- bert\n",
         true},
        {"its data type after it",
         {{"hora-model", "bert"}, {"hora-dtype", "fp16"}},
         true,
         "-- bert\n--dtype fp16 -- bert\n",
         true},
        {"no model", {{"hora-gpus", "1-4"}, {"hora-dtype", "fp16"}}, true, "", false},
        {"a step in a job", {{"hora-model", "bert"}}, false, "", false},
        {"Hora is off", {{"hora-off", ""}, {"hora-model", "bert"}}, true, "", false},
        {"it is off after all",
         {{"hora-model", "bert"}, {"hora-off", ""}},
         true,
         "-- bert\n",
         false},
    };
    for (const auto& row : cases) {
        SetUp();
        EXPECT_EQ(submit(row.typed, row.asks_for_job), std::string(row.typed.size(), '+'))
            << row.sentence;
        EXPECT_EQ(calls(), row.calls) << row.sentence;
        EXPECT_EQ(given("HORA_WORKLOAD"),
                  row.has_workload ? std::optional<std::string>(workload) : std::nullopt)
            << row.sentence;
        EXPECT_TRUE(errors.empty() && remarks.empty()) << row.sentence;
    }
}

TEST_F(Submit, RefusesWhatItsUserCanMend) {
    EXPECT_EQ(submit({{"hora-gpus", "many"}}), "-");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_TRUE(errors[0].starts_with("hora: ")) << errors[0];
    SetUp();
    EXPECT_EQ(submit({{"hora-model", "bort"}}), "-");
    EXPECT_EQ(errors, std::vector<std::string>{"hora: --hora-model=bort: unknown model"});
    SetUp();
    EXPECT_EQ(submit({{"hora-model", "bert"}, {"hora-model", "bort"}}), "+-");
    EXPECT_FALSE(given("HORA_WORKLOAD")) << "of a model that it has no more";
    SetUp();
    EXPECT_EQ(submit({{"hora-nothing", "1"}}), "-");
    EXPECT_FALSE(given("HORA_SUBMIT"));
}

TEST_F(Submit, GoesOnWithoutAPlanWhereTheReaderFails) {
    write_reader("exit 3\n");
    EXPECT_EQ(submit({{"hora-model", "bert"}, {"hora-dtype", "fp16"}}), "++");
    EXPECT_TRUE(errors.empty());
    ASSERT_EQ(remarks.size(), 1U) << "said once";
    EXPECT_NE(remarks[0].find("; the job goes on without a plan"), std::string::npos);
    EXPECT_FALSE(given("HORA_WORKLOAD"));
    EXPECT_TRUE(given("HORA_SUBMIT"));
    SetUp();
    write_reader("case \"$*\" in --dtype*) exit 3;; esac; echo " + std::string(workload) + "\n");
    EXPECT_EQ(submit({{"hora-model", "bert"}, {"hora-dtype", "fp16"}}), "++");
    EXPECT_FALSE(given("HORA_WORKLOAD")) << "of another data type";
}

TEST_F(Submit, SaysOnceWhatAModelLeavesOpen) {
    write_reader("echo \"hora: $(echo \"$*\" | tail -c 5) is open, 100%s\" >&2; echo " +
                 std::string(workload) + "\n");
    EXPECT_EQ(submit({{"hora-model", "bert"}, {"hora-dtype", "fp16"}}), "++");
    EXPECT_TRUE(errors.empty());
    EXPECT_EQ(remarks, std::vector<std::string>{"hora: --hora-model=bert: bert is open, 100%s"});
    EXPECT_EQ(given("HORA_WORKLOAD"), workload);
    SetUp();
    write_reader("case \"$*\" in *bort) echo 'hora: open' >&2;; esac; echo " +
                 std::string(workload) + "\n");
    EXPECT_EQ(submit({{"hora-model", "bert"}, {"hora-model", "bort"}}), "++");
    EXPECT_EQ(remarks, std::vector<std::string>{"hora: --hora-model=bort: open"});
}

TEST_F(Submit, NotesTheTimeForAJobWithOptionsAlone) {
    EXPECT_EQ(submit({}), "");
    EXPECT_TRUE(control.empty());
    submit({{"hora-gpus", "1-4"}}, false);
    EXPECT_TRUE(control.empty()) << "a step";
    submit({{"hora-off", ""}});
    EXPECT_TRUE(control.empty()) << "off";
    const std::time_t before = std::time(nullptr);
    submit({{"hora-gpus", "1-4"}});
    ASSERT_TRUE(given("HORA_SUBMIT"));
    EXPECT_GE(std::stoll(*given("HORA_SUBMIT")), before);
    EXPECT_LE(std::stoll(*given("HORA_SUBMIT")), std::time(nullptr));
    EXPECT_EQ(std::getenv(submit_variable), nullptr) << "sbatch has job control variables";
    context = S_CTX_LOCAL;
    submit({{"hora-gpus", "1-4"}});
    ASSERT_NE(std::getenv(submit_variable), nullptr);
    EXPECT_EQ(std::getenv(submit_variable), given("HORA_SUBMIT"));
}

// sbatch exports it with the rest, and slurmd has another for a job that was restarted only.
TEST_F(Submit, AJobIsNoLaterStartOfTheOneThatSubmitsIt) {
    const char* const count = "SLURM_RESTART_COUNT";
    const struct {
        const char* sentence;
        Typed typed;
        bool asks_for_job;
        bool is_kept;
    } cases[] = {{"a job", {{"hora-gpus", "1-4"}}, true, false},
                 {"a step of the job", {{"hora-gpus", "1-4"}}, false, true},
                 {"a job without Hora", {}, true, true},
                 {"Hora is off", {{"hora-off", ""}}, true, true}};
    for (const auto& one : cases) {
        setenv(count, "2", 1);
        submit(one.typed, one.asks_for_job);
        EXPECT_EQ(std::getenv(count) != nullptr, one.is_kept) << one.sentence;
    }
    unsetenv(count);
}

TEST_F(Submit, WarnsInScrontabOnceAndReadsNoModel) {
    char name[] = "scrontab";
    char* const own = std::exchange(program_invocation_short_name, name);
    EXPECT_EQ(submit({{"hora-model", "bort"}, {"hora-gpus", "1-4"}}), "++");
    EXPECT_EQ(submit({{"hora-gpus", "many"}}), "-") << "wrong in any case";
    program_invocation_short_name = own;
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_TRUE(remarks[0].starts_with("hora: scrontab hands on no options of plugins"));
    EXPECT_EQ(calls(), "");
}

TEST_F(Submit, KnowsWhetherAnOptionWasGiven) {
    SubmitSide side;
    side.start(source(), false);
    EXPECT_FALSE(side.has_options());
    EXPECT_FALSE(side.take("hora-gpus", "no number"));
    EXPECT_FALSE(side.has_options());
    EXPECT_TRUE(side.take("hora-gpus", "2"));
    EXPECT_TRUE(side.has_options());
}

}  // namespace
}  // namespace hora::spank
