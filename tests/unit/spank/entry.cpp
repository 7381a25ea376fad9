// What of Slurm's callbacks reaches Hora, in which process, and what can make Slurm refuse a job?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/read/settings/job_options.hpp"
#include "plugins/spank/rank_order.hpp"
#include "plugins/spank/slurm_spank.hpp"

namespace {

struct Option {
    std::string name;
    bool has_argument = false;
    int index = 0;
    spank_opt_cb_f take = nullptr;
};

// What Slurm is, and what the plugin has done to it.
struct Slurm {
    spank_context_t context = S_CTX_LOCAL;
    std::string taken;       // the option that another plugin has already
    std::set<int> unknown;   // items that it does not give
    bool is_broken = false;  // memory ends as srun is prepared
    std::vector<Option> options;
    std::vector<std::string> errors;
    std::vector<std::string> remarks;
    std::vector<bool> prepared;  // the calls of prepare_srun(): is it a step?
    std::vector<std::pair<std::uint32_t, std::uint32_t>> layouts;  // of tell_layout(): job, step
};

Slurm slurm;

std::string line_of(const char* format, va_list values) {
    std::array<char, 1024> line{};
    std::vsnprintf(line.data(), line.size(), format, values);
    return line.data();
}

spank_err_t result_of(int error) {
    return static_cast<spank_err_t>(error);
}

}  // namespace

extern "C" {

spank_context_t spank_context() {
    return slurm.context;
}

spank_err_t spank_option_register(spank_t /*spank*/, spank_option* option) {
    if (option->name == slurm.taken) {
        return result_of(ESPANK_BAD_ARG);
    }
    EXPECT_EQ(option->has_arg != 0, option->arginfo != nullptr) << option->name;
    slurm.options.push_back({option->name, option->has_arg != 0, option->val, option->cb});
    return result_of(ESPANK_SUCCESS);
}

spank_err_t spank_get_item(spank_t /*spank*/, spank_item_t item, ...) {
    if (slurm.unknown.contains(static_cast<int>(item))) {
        return result_of(ESPANK_ERROR);
    }
    va_list places;
    va_start(places, item);
    *va_arg(places, std::uint32_t*) = item == S_JOB_ID ? 17 : 3;
    va_end(places);
    return result_of(ESPANK_SUCCESS);
}

spank_err_t spank_option_getopt(spank_t /*spank*/, spank_option* /*option*/, char** /*value*/) {
    return result_of(ESPANK_ERROR);
}

spank_err_t spank_setenv(spank_t /*spank*/, const char* /*name*/, const char* /*value*/,
                         int /*overwrite*/) {
    return result_of(ESPANK_SUCCESS);
}

spank_err_t spank_unsetenv(spank_t /*spank*/, const char* /*name*/) {
    return result_of(ESPANK_SUCCESS);
}

spank_err_t spank_job_control_setenv(spank_t /*spank*/, const char* /*name*/, const char* /*value*/,
                                     int /*overwrite*/) {
    return result_of(ESPANK_SUCCESS);
}

void slurm_error(const char* format, ...) {
    va_list values;
    va_start(values, format);
    slurm.errors.push_back(line_of(format, values));
    va_end(values);
}

void slurm_info(const char* format, ...) {
    va_list values;
    va_start(values, format);
    slurm.remarks.push_back(line_of(format, values));
    va_end(values);
}

void slurm_spank_log(const char* /*format*/, ...) {}

}  // extern "C"

namespace hora::spank {

void prepare_srun(const SettingsSource& /*source*/, bool is_step) {
    if (slurm.is_broken) {
        throw std::bad_alloc();
    }
    slurm.prepared.push_back(is_step);
}

void tell_layout(std::uint32_t job, std::uint32_t step, bool /*has_own_options*/) {
    slurm.layouts.emplace_back(job, step);
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::vector<std::string>;

class SpankEntry : public testing::Test {
  protected:
    SpankEntry() {
        slurm = {};
        unsetenv("SLURM_JOB_ID");
    }
    ~SpankEntry() override { unsetenv("SLURM_JOB_ID"); }

    using Callback = int (*)(spank_t, int, char**);
    // With these words of plugstack.conf.
    static int call(Callback callback, Words words = {"settings=/none", "watcher="}) {
        std::vector<char*> pointers;
        for (std::string& word : words) {
            pointers.push_back(word.data());
        }
        return callback(nullptr, static_cast<int>(pointers.size()), pointers.data());
    }
    static int take(std::string_view name, const char* value, bool is_remote = false) {
        for (const Option& option : slurm.options) {
            if (option.name == name) {
                return option.take(option.index, value, is_remote ? 1 : 0);
            }
        }
        ADD_FAILURE() << name << " is not registered";
        return -1;
    }
};

TEST_F(SpankEntry, EachOptionIsThereWhereJobsAreMadeAndRun) {
    for (const spank_context_t context : {S_CTX_LOCAL, S_CTX_ALLOCATOR, S_CTX_REMOTE}) {
        for (const Words& words : {Words{"settings=/none"}, Words{"stub"}}) {
            slurm = {};
            slurm.context = context;
            EXPECT_EQ(call(slurm_spank_init, words), 0);
            ASSERT_EQ(slurm.options.size(), read::job_options().size());
            for (std::size_t i = 0; i < slurm.options.size(); ++i) {
                EXPECT_EQ(slurm.options[i].name, read::job_options()[i].name);
                EXPECT_EQ(slurm.options[i].index, static_cast<int>(i));
            }
        }
    }
    for (const spank_context_t context : {S_CTX_ERROR, S_CTX_SLURMD, S_CTX_JOB_SCRIPT}) {
        slurm = {};
        slurm.context = context;
        EXPECT_EQ(call(slurm_spank_init), 0);
        EXPECT_THAT(slurm.options, IsEmpty()) << context;
        EXPECT_THAT(slurm.prepared, IsEmpty()) << context;
    }
}

TEST_F(SpankEntry, AnOptionOfAnotherPluginsLeavesTheOthers) {
    slurm.taken = read::job_options()[1].name;
    EXPECT_EQ(call(slurm_spank_init), 0);
    EXPECT_EQ(slurm.options.size(), read::job_options().size() - 1);
    EXPECT_THAT(slurm.errors, ElementsAre(HasSubstr("--" + slurm.taken + " is taken")));
    EXPECT_EQ(slurm.options[1].index, 2) << "each keeps its place";
}

TEST_F(SpankEntry, ASubmissionIsRefusedForItsOwnOptionsAndAJobOnItsNodeNever) {
    slurm.context = S_CTX_ALLOCATOR;
    call(slurm_spank_init);
    EXPECT_EQ(take("hora-batch", "64"), 0);
    for (const char* const value : {"", "many", "-1", "1e99", "\x1b[2J"}) {
        EXPECT_EQ(take("hora-batch", value), -1) << value;
        EXPECT_EQ(take("hora-batch", value, true), 0) << value;
    }
    EXPECT_EQ(take("hora-batch", nullptr), -1);
    EXPECT_EQ(take("hora-elastic", nullptr), 0);
    for (const std::string& error : slurm.errors) {
        EXPECT_EQ(error.find('\x1b'), error.npos) << error;
    }
    for (const int index : {-1, 1'000'000}) {
        EXPECT_EQ(slurm.options.front().take(index, "x", 0), 0) << index;
    }
}

TEST_F(SpankEntry, AStubIgnoresAllAndSaysSoOnce) {
    const Words stub{"settings=/none", "stub"};
    slurm.context = S_CTX_ALLOCATOR;
    call(slurm_spank_init, stub);
    EXPECT_EQ(call(slurm_spank_init_post_opt, stub), 0);
    EXPECT_THAT(slurm.remarks, IsEmpty()) << "no option was given";
    EXPECT_EQ(take("hora-batch", "many"), 0);
    EXPECT_EQ(take("hora-model", "/etc/shadow"), 0);
    EXPECT_EQ(call(slurm_spank_init_post_opt, stub), 0);
    EXPECT_THAT(slurm.remarks, ElementsAre(HasSubstr("--hora-model and the like are ignored")));
    for (const Callback callback : {slurm_spank_local_user_init, slurm_spank_user_init,
                                    slurm_spank_task_init, slurm_spank_task_exit}) {
        EXPECT_EQ(call(callback, stub), 0);
    }
    EXPECT_THAT(slurm.errors, IsEmpty());
    EXPECT_THAT(slurm.prepared, IsEmpty());
    EXPECT_THAT(slurm.layouts, IsEmpty());
}

TEST_F(SpankEntry, OnlySrunIsPreparedAndKnowsWhetherItIsAStep) {
    call(slurm_spank_init);
    setenv("SLURM_JOB_ID", "17", 1);
    call(slurm_spank_init);
    EXPECT_THAT(slurm.prepared, ElementsAre(false, true));
    for (const spank_context_t context : {S_CTX_ALLOCATOR, S_CTX_REMOTE}) {
        slurm.context = context;
        call(slurm_spank_init);
    }
    EXPECT_EQ(slurm.prepared.size(), 2U);
}

TEST_F(SpankEntry, ALayoutIsToldOfAStepThatSlurmNames) {
    call(slurm_spank_local_user_init);
    EXPECT_THAT(slurm.layouts, ElementsAre(std::pair(17U, 3U)));
    for (const int item : {+S_JOB_ID, +S_JOB_STEPID}) {
        slurm.unknown = {item};
        EXPECT_EQ(call(slurm_spank_local_user_init), 0);
    }
    EXPECT_EQ(slurm.layouts.size(), 1U);
}

TEST_F(SpankEntry, NothingThatGoesWrongReachesSlurm) {
    slurm.is_broken = true;
    EXPECT_EQ(call(slurm_spank_init), 0);
    EXPECT_THAT(slurm.errors, ElementsAre(HasSubstr("the job goes on without Hora")));
    EXPECT_EQ(slurm.options.size(), read::job_options().size());
    EXPECT_EQ(call(slurm_spank_init, {"colour=blue"}), 0);
    EXPECT_THAT(slurm.errors[1], HasSubstr("unknown argument \"colour=blue\""));
}

}  // namespace
}  // namespace hora::spank
