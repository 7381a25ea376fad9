// Is the time in which a job does not train told from that of its steps?
#include "scripts/horad/history/lost_time.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

slurm::Report progress(std::uint32_t restarts, std::uint64_t step, double step_seconds) {
    return {.job = 7,
            .restarts = restarts,
            .kind = slurm::ReportKind::progress,
            .step = step,
            .epoch = 1,
            .samples = step,
            .step_seconds = Seconds(step_seconds),
            .gpus = 2,
            .nodes = 1};
}

slurm::Report checkpoint(std::uint32_t restarts, std::uint64_t step) {
    return {.job = 7, .restarts = restarts, .kind = slurm::ReportKind::checkpoint, .step = step};
}

TEST(StartUp, EndsWhereTheFirstStepBegins) {
    Reports reports;
    reports.put(progress(0, 10, 0), 125);
    EXPECT_FALSE(start_up_time(*reports.of(7), 100)) << "no step was timed yet";
    reports.put(progress(0, 30, 0.5), 135);
    // Ten steps of half a second came before the first report.
    ASSERT_TRUE(start_up_time(*reports.of(7), 100));
    EXPECT_DOUBLE_EQ(start_up_time(*reports.of(7), 100)->count(), 20);
    EXPECT_EQ(steps_of_start(*reports.of(7)), 30U);
    EXPECT_FALSE(start_up_time(*reports.of(7), 0)) << "nobody knows when it started";
    EXPECT_FALSE(start_up_time(*reports.of(7), 123)) << "it went on from an earlier job's steps";
}

TEST(StartUp, OfARestartCountsFromItsCheckpoint) {
    Reports reports;
    reports.put(progress(0, 40, 0.5), 100);
    reports.put(checkpoint(0, 44), 103);
    reports.put(progress(1, 50, 0.25), 120);
    ASSERT_TRUE(start_up_time(*reports.of(7), 110));
    EXPECT_DOUBLE_EQ(start_up_time(*reports.of(7), 110)->count(), 8.5);
    EXPECT_EQ(steps_of_start(*reports.of(7)), 6U);
}

TEST(StartUp, IsUnknownWithoutACheckpointThatWasHeardOf) {
    Reports reports;
    reports.put(progress(0, 40, 0.5), 100);
    reports.put(progress(1, 50, 0.25), 120);
    reports.put(progress(1, 70, 0.25), 125);
    EXPECT_FALSE(start_up_time(*reports.of(7), 110));
    EXPECT_EQ(steps_of_start(*reports.of(7)), 20U);
}

TEST(LostByRestart, LeavesOutTheStepsThatWereDone) {
    Reports reports;
    reports.put(progress(0, 40, 0.5), 100);
    reports.put(checkpoint(0, 44), 103);
    EXPECT_FALSE(time_lost_by_restart(*reports.of(7)));
    reports.put(progress(1, 50, 0), 120);
    EXPECT_FALSE(time_lost_by_restart(*reports.of(7))) << "no step was timed yet";
    reports.put(progress(1, 60, 0.25), 124);
    // 20 s between the two reports: 4 steps of 0.5 s before, 6 of 0.25 s after.
    ASSERT_TRUE(time_lost_by_restart(*reports.of(7)));
    EXPECT_DOUBLE_EQ(time_lost_by_restart(*reports.of(7))->count(), 16.5);
}

TEST(LostByRestart, CountsStepsThatAreDoneAgain) {
    Reports reports;
    reports.put(progress(0, 40, 1), 100);
    reports.put(progress(1, 31, 1), 120);  // a node died; its checkpoint was of step 30
    ASSERT_TRUE(time_lost_by_restart(*reports.of(7)));
    EXPECT_DOUBLE_EQ(time_lost_by_restart(*reports.of(7))->count(), 20);
}

TEST(LostByRestart, SaysNothingOfStartsThatWereNotHeardOf) {
    Reports reports;
    reports.put(progress(0, 40, 1), 100);
    reports.put(progress(2, 60, 1), 120);
    EXPECT_FALSE(time_lost_by_restart(*reports.of(7)));
    Reports anew;
    anew.put(progress(2, 60, 1), 120);
    EXPECT_FALSE(time_lost_by_restart(*anew.of(7)));
}

}  // namespace
}  // namespace hora::horad
