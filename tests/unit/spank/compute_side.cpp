// Is a job that is none of Hora's left as it is, and is nothing guessed that Slurm does not say?
#include "plugins/spank/compute_side.hpp"

#include <gtest/gtest.h>
#include <slurm/slurm.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/scratch_folder.hpp"

namespace {

using Given = std::map<std::string, std::string>;

// What slurmstepd knows of a batch script or a step, and what the plugin has set in it.
struct Step {
    Given options;
    Given variables;
    std::uint32_t number = SLURM_BATCH_SCRIPT;
    int exit_status = 0;
    std::set<int> unknown;  // items that it does not give

    Given set;
    std::set<std::string> unset;
    std::vector<std::string> remarks;
};

Step step;
std::vector<std::string> entries;
std::vector<char*> environment;

char** job_environment() {
    entries.clear();
    environment.clear();
    for (const auto& [name, value] : step.variables) {
        entries.push_back(name + "=" + value);
    }
    for (std::string& entry : entries) {
        environment.push_back(entry.data());
    }
    environment.push_back(nullptr);
    return environment.data();
}

}  // namespace

extern "C" {

spank_err_t spank_get_item(spank_t /*spank*/, spank_item_t item, ...) {
    if (step.unknown.contains(static_cast<int>(item))) {
        return static_cast<spank_err_t>(ESPANK_ERROR);
    }
    va_list places;
    va_start(places, item);
    void* const place = va_arg(places, void*);
    va_end(places);
    int error = ESPANK_SUCCESS;
    switch (item) {
        case S_JOB_ENV:
            *static_cast<char***>(place) = job_environment();
            break;
        case S_JOB_UID:
            *static_cast<uid_t*>(place) = geteuid();
            break;
        case S_JOB_GID:
            *static_cast<gid_t*>(place) = getegid();
            break;
        case S_JOB_ID:
            *static_cast<std::uint32_t*>(place) = 17;
            break;
        case S_JOB_STEPID:
            *static_cast<std::uint32_t*>(place) = step.number;
            break;
        case S_JOB_NODEID:
            *static_cast<std::uint32_t*>(place) = 0;
            break;
        case S_JOB_LOCAL_TASK_COUNT:
        case S_JOB_TOTAL_TASK_COUNT:
            *static_cast<std::uint32_t*>(place) = 1;
            break;
        case S_TASK_EXIT_STATUS:
            *static_cast<int*>(place) = step.exit_status;
            break;
        default:
            error = ESPANK_ERROR;
    }
    return static_cast<spank_err_t>(error);
}

spank_err_t spank_option_getopt(spank_t /*spank*/, spank_option* option, char** value) {
    const auto found = step.options.find(option->name);
    if (found == step.options.end()) {
        return static_cast<spank_err_t>(ESPANK_ERROR);
    }
    *value = found->second.data();
    return static_cast<spank_err_t>(ESPANK_SUCCESS);
}

spank_err_t spank_setenv(spank_t /*spank*/, const char* name, const char* value,
                         int /*overwrite*/) {
    step.set[name] = value;
    return static_cast<spank_err_t>(ESPANK_SUCCESS);
}

spank_err_t spank_unsetenv(spank_t /*spank*/, const char* name) {
    step.unset.insert(name);
    return static_cast<spank_err_t>(ESPANK_SUCCESS);
}

void slurm_spank_log(const char* format, ...) {
    std::array<char, 1024> line{};
    va_list values;
    va_start(values, format);
    std::vsnprintf(line.data(), line.size(), format, values);
    va_end(values);
    step.remarks.emplace_back(line.data());
}

}  // extern "C"

namespace hora::spank {
namespace {

class Compute : public testing::Test {
  protected:
    Compute() {
        step = {};
        source_.file = folder_.file("none.toml");
        source_.watcher = "";
        source_.mpi_library = "/site/libhora_mpi.so";
    }
    void start(ComputeSide& side) const {
        side.learn(nullptr, source_);
        side.set_up(nullptr);
    }

    const tests::ScratchFolder folder_;
    SettingsSource source_;
};

TEST_F(Compute, TheSitesLibraryGoesFromAJobThatAJobOfHorasHasSubmitted) {
    step.variables = {{"LD_PRELOAD", "/own.so:/site/libhora_mpi.so"}, {"SLURM_JOB_ID", "17"}};
    ComputeSide side;
    start(side);
    EXPECT_EQ(step.set, (Given{{"LD_PRELOAD", "/own.so"}}));
    EXPECT_TRUE(step.unset.empty());
}

// As root alone: anybody else was never taken for the owner.
TEST_F(Compute, NothingIsStartedForAJobOfRootsThatIsNotHoras) {
    step.options = {{"hora-off", ""}, {"hora-batch", "4-8"}};
    step.variables = {{"SLURM_JOB_ID", "17"}};
    ComputeSide side;
    start(side);
    EXPECT_TRUE(step.remarks.empty()) << step.remarks.front();
    EXPECT_TRUE(step.set.empty());
}

TEST_F(Compute, AStepOfWhichSlurmDoesNotSayWhoseItIsRunsWithoutHora) {
    for (const int item : {+S_JOB_UID, +S_JOB_ID, +S_JOB_STEPID}) {
        step = {};
        step.options = {{"hora-batch", "8"}};
        step.variables = {{"SLURM_JOB_ID", "17"}};
        ComputeSide known;
        start(known);
        EXPECT_EQ(step.set["HORA_BATCH"], "8");

        step.set.clear();
        step.unknown = {item};
        ComputeSide side;
        start(side);
        EXPECT_TRUE(step.set.empty()) << item;
    }
}

// It clears up in the folder of a script that has ended by itself, as the job's owner.
TEST_F(Compute, AFolderIsClearedUpWhereTheEndAndTheOwnerAreKnown) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "only root may take a user's rights";
    }
    folder_.write("watcher", "#!/bin/sh\necho \"$@\" >" + folder_.file("call") + "\n");
    std::filesystem::permissions(folder_.file("watcher"), std::filesystem::perms::owner_all);
    source_.watcher = folder_.file("watcher");
    const auto see_out = [this](std::set<int> unknown) {
        step = {};
        step.options = {{"hora-batch", "8"}};
        step.variables = {{"SLURM_JOB_ID", "17"}, {"SLURM_SPANK_HORA_SUBMIT", "1700000000"}};
        std::filesystem::remove(folder_.file("call"));
        ComputeSide side;
        side.learn(nullptr, source_);
        step.unknown = std::move(unknown);
        side.see_out(nullptr);
        return folder_.read("call");
    };
    EXPECT_NE(see_out({}).find("--exit-status 0"), std::string::npos);
    EXPECT_EQ(see_out({S_TASK_EXIT_STATUS}), "");
    EXPECT_EQ(see_out({S_JOB_GID}), "");
    EXPECT_EQ(see_out({S_JOB_LOCAL_TASK_COUNT}), "");
}

}  // namespace
}  // namespace hora::spank
