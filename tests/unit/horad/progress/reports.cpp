// Are reports kept as they are meant?
#include "scripts/horad/progress/reports.hpp"

#include <gtest/gtest.h>

#include "tests/unit/horad/progress/some_report.hpp"

namespace hora::horad {
namespace {

TEST(Reports, TheNewestOfTheNewestStartCounts) {
    Reports reports;
    EXPECT_FALSE(reports.of(7));
    reports.put(progress(7, 0, 10), 100);
    reports.put(progress(7, 0, 30), 110);
    reports.put(progress(7, 0, 20), 120);  // backwards
    ASSERT_TRUE(reports.of(7));
    EXPECT_EQ(reports.of(7)->progress->step, 30U);
    EXPECT_EQ(reports.of(7)->first_progress, 100);
    EXPECT_EQ(reports.of(7)->last_progress, 110);
    reports.put({.job = 7, .restarts = 0, .kind = slurm::ReportKind::checkpoint, .step = 30}, 130);
    EXPECT_TRUE(reports.of(7)->checkpoint);

    reports.put(progress(7, 1, 35, 4), 200);
    EXPECT_FALSE(reports.of(7)->checkpoint);
    EXPECT_EQ(reports.of(7)->first_progress, 200);
    reports.put(progress(7, 0, 99), 210);  // of the start before
    EXPECT_EQ(reports.of(7)->progress->step, 35U);
}

TEST(Reports, StepsAreTimedBySize) {
    Reports reports;
    reports.put(progress(7, 0, 10, 2), 100);
    reports.put(progress(7, 0, 30, 2), 110);
    reports.put(progress(7, 1, 40, 4), 120);
    const auto timed = reports.of(7)->timed;
    ASSERT_EQ(timed.size(), 2U);
    EXPECT_EQ(timed[0].gpus, 2U);
    EXPECT_EQ(timed[0].steps, 21);
    EXPECT_EQ(timed[1].gpus, 4U);
}

TEST(Reports, StepsAreTimedByBatch) {
    Reports reports;
    reports.put(progress(7, 0, 10), 100, 64);
    reports.put(progress(7, 0, 30), 110, 64);
    reports.put(progress(7, 1, 40), 120, 512);
    const auto timed = reports.of(7)->timed;
    ASSERT_EQ(timed.size(), 2U);
    EXPECT_EQ(timed[0].batch, 64U);
    EXPECT_EQ(timed[0].steps, 21);
    EXPECT_EQ(timed[1].batch, 512U);
    reports.remember(7, {{2, 1, Seconds(3), 5, 512}, {2, 1, Seconds(3), 5, 128}});
    ASSERT_EQ(reports.of(7)->timed.size(), 3U);
    EXPECT_EQ(reports.of(7)->timed[1].step, Seconds(0.5)) << "heard of since";
    EXPECT_EQ(reports.of(7)->timed[2].batch, 128U);
}

TEST(Reports, TheNewestNoiseScaleStays) {
    Reports reports;
    slurm::Report report = progress(7, 0, 10);
    reports.put(report, 100);
    EXPECT_EQ(reports.of(7)->noise_scale, 0U);
    report.noise_scale = 500;
    reports.put(report, 110);
    reports.put(progress(7, 0, 30), 120);
    reports.put(progress(7, 1, 40), 130);
    EXPECT_EQ(reports.of(7)->noise_scale, 500U) << "of the start before, until the next says it";
    report = progress(7, 1, 50);
    report.noise_scale = 700;
    reports.put(report, 140);
    EXPECT_EQ(reports.of(7)->noise_scale, 700U);
    report = progress(7, 1, 45);
    report.noise_scale = 900;
    reports.put(report, 150);
    EXPECT_EQ(reports.of(7)->noise_scale, 700U) << "its step goes backwards";
}

// A report may come without it: the watcher leaves out what a daemon seems not to take.
TEST(Reports, KeepTheLatenessOfAStartUntilTheNextIsSaid) {
    Reports reports;
    slurm::Report report = progress(7, 0, 10);
    report.late = Seconds(0.5);
    reports.put(report, 100);
    reports.put(progress(7, 0, 20), 110);
    EXPECT_EQ(reports.of(7)->progress->late, Seconds(0.5));
    report = progress(7, 0, 30);
    report.late = Seconds(0.25);
    reports.put(report, 120);
    EXPECT_EQ(reports.of(7)->progress->late, Seconds(0.25));
    reports.put(progress(7, 1, 40), 130);
    EXPECT_FALSE(reports.of(7)->progress->late) << "of the start before";
}

TEST(Reports, JobsThatAreGoneAreForgotten) {
    Reports reports;
    reports.put(progress(7, 0, 10), 100);
    reports.put(progress(8, 0, 10), 100);
    reports.keep_only({8, 9});
    EXPECT_FALSE(reports.of(7));
    EXPECT_TRUE(reports.of(8));
}

}  // namespace
}  // namespace hora::horad
