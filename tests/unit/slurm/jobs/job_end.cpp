// Is a start over, by what slurmctld says of its job?
#include "plugins/slurm/jobs/job_end.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/jobs/plain_record.hpp"
#include "tests/unit/slurm/load_job.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

struct Controller : hora::tests::JobAnswer {
    int configuration_error = 0;
    std::optional<std::string> proctrack;
};

Controller controller;
slurm_conf_t configuration{};

}  // namespace

hora::tests::JobAnswer& hora::tests::job_answer() {
    return controller;
}

extern "C" {

int slurm_load_ctl_conf(time_t /*since*/, slurm_conf_t** answer) {
    configuration.proctrack_type = controller.proctrack ? controller.proctrack->data() : nullptr;
    *answer = &configuration;
    return hora::tests::answer_with(controller.configuration_error);
}

// One of the two names, by the release.
void slurm_free_ctl_conf(slurm_conf_t* /*configuration*/) {}
void slurm_free_conf(slurm_conf_t* /*configuration*/) {}

}  // extern "C"

namespace hora::slurm {
namespace {

slurm_job_info_t record_of(std::uint32_t number, std::uint64_t state, std::uint16_t restarts) {
    slurm_job_info_t record = plain_record();
    job_id(record) = number;
    record.job_state = static_cast<std::uint32_t>(state);
    record.restart_cnt = restarts;
    return record;
}

TEST(JobEnd, IsToldFromTheStateAndTheCountOfStarts) {
    const struct {
        const char* sentence;
        std::uint64_t state;
        std::uint16_t restarts;
        JobEnd end;
    } cases[] = {
        {"it runs", JOB_RUNNING, 2, JobEnd::none},
        {"its nodes boot", JOB_RUNNING | JOB_CONFIGURING, 2, JobEnd::none},
        {"it is suspended", JOB_SUSPENDED, 2, JobEnd::none},
        {"it gets signals", JOB_RUNNING | JOB_SIGNALING, 2, JobEnd::none},
        {"it is counted as the one before", JOB_RUNNING, 1, JobEnd::none},
        {"it runs in the next start", JOB_RUNNING, 3, JobEnd::other},
        {"it waits", JOB_PENDING, 3, JobEnd::other},
        {"and is cleaned up", JOB_PENDING | JOB_COMPLETING, 3, JobEnd::other},
        {"its time was over", JOB_TIMEOUT | JOB_COMPLETING, 2, JobEnd::other},
        {"it is cleaned up", JOB_COMPLETE | JOB_COMPLETING, 2, JobEnd::other},
        {"it has ended", JOB_COMPLETE, 2, JobEnd::other},
        {"it failed", JOB_FAILED, 2, JobEnd::other},
        {"a node failed", JOB_NODE_FAIL, 2, JobEnd::other},
        {"it was preempted", JOB_PREEMPTED, 2, JobEnd::other},
        {"it had no memory", JOB_OOM, 2, JobEnd::other},
        {"its deadline passed", JOB_DEADLINE, 2, JobEnd::other},
        {"a state that no release has yet", JOB_END, 2, JobEnd::other},
        {"it is cancelled", JOB_CANCELLED | JOB_COMPLETING, 2, JobEnd::cancelled},
        {"it was cancelled", JOB_CANCELLED, 2, JobEnd::cancelled},
    };
    for (const auto& row : cases) {
        // Other tasks of an array come with it.
        controller = {};
        controller.jobs = {record_of(11, JOB_CANCELLED, 2), record_of(12, row.state, row.restarts),
                           record_of(13, JOB_CANCELLED, 2)};
        const auto end = end_of_start(12, {2});
        ASSERT_TRUE(end) << row.sentence;
        EXPECT_EQ(*end, row.end) << row.sentence;
    }
}

TEST(JobEnd, IsToldFromTheTimeWhereTheNextStartIsCountedLikeIt) {
    const struct {
        const char* sentence;
        std::uint64_t state;
        std::int64_t started;
        std::int64_t began;
        JobEnd end;
    } cases[] = {
        {"the start that it is", JOB_RUNNING, 500, 500, JobEnd::none},
        {"the next one", JOB_RUNNING, 501, 500, JobEnd::other},
        {"which is suspended", JOB_SUSPENDED, 501, 500, JobEnd::other},
        {"since when it runs is not known", JOB_RUNNING, 501, 0, JobEnd::none},
        {"it is counted as the one before", JOB_RUNNING, 400, 500, JobEnd::none},
    };
    for (const auto& row : cases) {
        controller = {};
        controller.jobs = {record_of(12, row.state, 2)};
        controller.jobs[0].start_time = row.started;
        EXPECT_EQ(end_of_start(12, {.restarts = 2, .began = row.began}), row.end) << row.sentence;
    }
    // Resumed at 900, it goes on where it was.
    controller.jobs[0].start_time = 500;
    controller.jobs[0].pre_sus_time = 50;
    controller.jobs[0].suspend_time = 900;
    EXPECT_EQ(end_of_start(12, {.restarts = 2, .began = 500}), JobEnd::none);
}

TEST(JobEnd, IsThatOfAJobWhichSlurmctldForgotOrIsNotTold) {
    controller = {};
    EXPECT_EQ(end_of_start(12, {}), JobEnd::other);
    controller.jobs = {record_of(13, JOB_RUNNING, 0)};
    EXPECT_EQ(end_of_start(12, {}), JobEnd::other);
    controller.load_error = ESLURM_INVALID_JOB_ID;
    EXPECT_EQ(end_of_start(13, {}), JobEnd::other);
    for (const int error :
         {ETIMEDOUT, +SLURM_COMMUNICATIONS_CONNECTION_ERROR, +ESLURM_ACCESS_DENIED}) {
        controller.load_error = error;
        EXPECT_FALSE(end_of_start(13, {})) << error;
    }
}

TEST(JobEnd, CgroupsAreTheTrackingOfThatNameAlone) {
    const std::pair<std::optional<std::string>, bool> cases[] = {
        {"proctrack/cgroup", true},
        {"proctrack/linuxproc", false},
        {"proctrack/pgid", false},
        {"proctrack/cgroup/v2", false},
        {"", false},
        {std::nullopt, false},
    };
    for (const auto& [type, is_cgroup] : cases) {
        controller = {};
        controller.proctrack = type;
        EXPECT_EQ(tracks_by_cgroups(), is_cgroup) << type.value_or("nothing");
    }
    controller.configuration_error = ETIMEDOUT;
    EXPECT_FALSE(tracks_by_cgroups().has_value());
}

}  // namespace
}  // namespace hora::slurm
