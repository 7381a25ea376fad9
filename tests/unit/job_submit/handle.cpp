// Is a submission changed only in mode "act", refused only for its options, with a reason?
#include "plugins/job_submit/handle.hpp"

#include <gtest/gtest.h>
#include "plugins/job_submit/restart_refusal.hpp"

#include <string>
#include <vector>

#include "tests/bench/submissions.hpp"
#include "tests/unit/comes_true.hpp"
#include "tests/unit/job_submit/daemon_log.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/job_submit/place.hpp"

namespace hora::submit {
namespace {

struct Outcome {
    int result = SLURM_ERROR;
    std::string message;
    std::string gpus;     // tres_per_node
    std::string comment;  // admin_comment
    std::string log;
};

Outcome submit(Site* site, Job& job) {
    take_log();
    char* message = nullptr;
    Outcome outcome;
    outcome.result = handle(site, *job, 1000, &message);
    outcome.message = taken(message);
    outcome.gpus = taken(job->tres_per_node);
    outcome.comment = taken(job->admin_comment);
    for (const std::string& line : take_log()) {
        outcome.log += line + "\n";
    }
    return outcome;
}

Outcome submit(Site* site, const std::vector<std::string>& options) {
    Job job;
    job->script = daemon_string("#!/bin/sh\n");
    job.spank(options);
    return submit(site, job);
}

const std::vector<std::string> wrong_options{bench::option_prefix + "model=resnet50",
                                             bench::option_prefix + "batch=many"};

std::string in_mode(const std::string& mode) {
    return "[partition.p]\nmode = \"" + mode + "\"\n";
}

bool has(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

TEST(Handle, LeavesAJobWithoutOptionsAlone) {
    take_log();
    Place place(bench::snapshot_of(4));
    // It is loaded just before that line.
    EXPECT_TRUE(comes_in_log("snapshot loaded"));
    const Outcome outcome = submit(&place.site(), std::vector<std::string>{"HORA_SUBMIT=1"});
    EXPECT_EQ(outcome.result, SLURM_SUCCESS);
    EXPECT_EQ(outcome.message + outcome.gpus + outcome.comment + outcome.log, "");
}

TEST(Handle, RefusesTheReservationOfRestartsToEverybody) {
    for (const auto& options : {std::vector<std::string>(), wrong_options}) {
        Job job;
        job.spank(options);
        job->reservation = daemon_string("course,hora-restarts");
        const Outcome outcome = submit(nullptr, job);
        EXPECT_EQ(outcome.result, ESLURM_RESERVATION_ACCESS);
        EXPECT_EQ(outcome.message, std::string("hora: ") + restart_refusal);
        EXPECT_TRUE(has(outcome.log, restart_refusal));
    }
}

TEST(Handle, ChangesTheRequestInModeActAlone) {
    const struct {
        const char* mode;
        bool is_told;
        bool is_changed;
    } cases[] = {{"act", true, true}, {"advise", true, false}, {"observe", false, false}};
    for (const auto& [mode, is_told, is_changed] : cases) {
        Place place(bench::snapshot_of(4), in_mode(mode));
        const Outcome outcome = submit(&place.site(), bench::planned_options());
        EXPECT_EQ(outcome.result, SLURM_SUCCESS) << mode;
        EXPECT_EQ(has(outcome.message, " a step"), is_told) << mode << ": " << outcome.message;
        EXPECT_EQ(!outcome.message.empty(), is_told) << mode << ": " << outcome.message;
        EXPECT_EQ(has(outcome.gpus, "gpu"), is_changed) << mode << ": " << outcome.gpus;
        EXPECT_NE(outcome.comment, "") << mode << ": the decision is on record";
        EXPECT_NE(outcome.log, "") << mode;
    }
}

TEST(Handle, RefusesAWrongOptionInEachMode) {
    for (const char* const mode : {"act", "advise", "observe"}) {
        Place place(bench::snapshot_of(4), in_mode(mode));
        const Outcome outcome = submit(&place.site(), wrong_options);
        EXPECT_EQ(outcome.result, ESLURM_INVALID_TRES) << mode;
        EXPECT_TRUE(outcome.message.starts_with("hora: ")) << mode << ": " << outcome.message;
        EXPECT_TRUE(has(outcome.message, "many")) << mode << ": " << outcome.message;
        EXPECT_TRUE(has(outcome.log, "refused: ")) << mode << ": " << outcome.log;
        EXPECT_EQ(outcome.gpus + outcome.comment, "") << mode;
    }
}

TEST(Handle, LeavesWordsToSlurmThatItCannotRead) {
    for (const char* const mode : {"act", "observe"}) {
        Place place(bench::snapshot_of(4), in_mode(mode));
        Job job;
        job->script = daemon_string("#!/bin/sh\n");
        job->tres_per_node = daemon_string("gres:gpu:(((");
        job.spank(bench::planned_options());
        const Outcome outcome = submit(&place.site(), job);
        EXPECT_EQ(outcome.result, SLURM_SUCCESS) << mode;
        EXPECT_EQ(outcome.gpus, "gres:gpu:(((") << mode;
        EXPECT_EQ(outcome.message.starts_with("hora: no plan; submitted unchanged: "),
                  std::string(mode) == "act")
            << mode << ": " << outcome.message;
        EXPECT_TRUE(has(outcome.log, "no plan; submitted unchanged: ")) << mode;
    }
}

TEST(Handle, WithoutASiteJobsArePassedOnAndWrongOptionsRefused) {
    const Outcome outcome = submit(nullptr, bench::planned_options());
    EXPECT_EQ(outcome.result, SLURM_SUCCESS) << outcome.message;
    EXPECT_TRUE(outcome.message.starts_with("hora: no plan")) << outcome.message;
    EXPECT_EQ(submit(nullptr, wrong_options).result, ESLURM_INVALID_TRES);
}

TEST(Handle, AnswersTheSameQuestionAsBeforeUntilSettingsChange) {
    Place place(bench::snapshot_of(4));
    const Outcome first = submit(&place.site(), bench::planned_options());
    const Outcome second = submit(&place.site(), bench::planned_options());
    EXPECT_TRUE(has(first.gpus, "gpu")) << first.gpus;
    EXPECT_EQ(second.message, first.message);
    EXPECT_EQ(second.gpus, first.gpus);
    EXPECT_EQ(second.comment, first.comment);
    const auto before = place.site().settings();
    place.change(in_mode("advise"));
    EXPECT_TRUE(tests::comes_true([&] { return place.site().settings() != before; }));
    EXPECT_EQ(submit(&place.site(), bench::planned_options()).gpus, "");
}

}  // namespace
}  // namespace hora::submit
