// When did the jobs of the past hold how many GPUs?
#include "libplanner/report/html/past_result.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace hora::report {
namespace {

MeasuredRun run(std::uint32_t restarts, std::int64_t when, std::uint32_t gpus) {
    MeasuredRun made;
    made.job = 12;
    made.submitted = 1000;
    made.restarts = restarts;
    made.when = when;
    made.gpus = gpus;
    made.nodes = 1;
    made.measured = Seconds(0.5);
    made.steps = 100;
    return made;
}

TEST(PastResult, RunsFollowOneAnother) {
    const PageRun page = past_result({run(1, 1200, 4), run(0, 1100, 2)}, {}, {});
    ASSERT_EQ(page.result.jobs.size(), 1U);
    const sim::JobResult& job = page.result.jobs[0];
    EXPECT_EQ(job.submitted, Seconds(1000));
    EXPECT_EQ(job.started, Seconds(1050));
    EXPECT_EQ(job.ended, Seconds(1200));
    EXPECT_EQ(job.restarts, 1U);
    ASSERT_EQ(job.segments.size(), 3U);
    EXPECT_EQ(job.segments[1].gpus, 0U);  // it restarts
    EXPECT_EQ(job.segments[1].start, Seconds(1100));
    EXPECT_EQ(job.segments[2].gpus, 4U);
    EXPECT_DOUBLE_EQ(job.gpu_seconds, 2 * 50 + 4 * 50);
    EXPECT_EQ(page.labels, std::vector<std::string>{"12"});
}

TEST(PastResult, ARunAfterAResizeBeginsWithItsFirstStep) {
    Rescale rescale;
    rescale.job = 12;
    rescale.submitted = 1000;
    rescale.restarts = 0;
    rescale.first_step = 1110;
    const PageRun page = past_result({run(1, 1200, 4), run(0, 1100, 2)}, {rescale}, {});
    EXPECT_EQ(page.result.jobs[0].segments[2].start, Seconds(1110));
    Rescale of_other = rescale;
    of_other.submitted = 500;
    for (const double first_step : {1010, 1120}) {
        of_other.first_step = first_step;
        const PageRun other = past_result({run(1, 1200, 4), run(0, 1100, 2)}, {of_other}, {});
        EXPECT_EQ(other.result.jobs[0].segments[2].start, Seconds(1150))
            << "of another job with this number, at " << first_step;
    }
}

TEST(PastResult, WhoHoldsGpusNowHoldsThemUntilTheStatus) {
    domain::Status status;
    status.written = 1300;
    status.gpus = 8;
    status.policy = "hora";
    domain::StatusJob job;
    job.id = 12;
    job.name = "resnet";
    job.submitted = 1000;
    job.started = 1010;
    job.gpus = 2;
    job.nodes = 1;
    status.jobs.push_back(job);
    job.id = 13;
    job.gpus = 0;
    status.jobs.push_back(job);
    const PageRun known = past_result({run(0, 1100, 2)}, {}, status);
    ASSERT_EQ(known.result.jobs.size(), 1U);
    EXPECT_EQ(known.result.jobs[0].segments.size(), 1U);
    EXPECT_EQ(known.result.jobs[0].ended, Seconds(1300));
    EXPECT_DOUBLE_EQ(known.result.jobs[0].gpu_seconds, 2 * 250);
    const PageRun fresh = past_result({}, {}, status);
    ASSERT_EQ(fresh.result.jobs.size(), 1U);
    EXPECT_EQ(fresh.result.jobs[0].started, Seconds(1010));
    EXPECT_EQ(fresh.labels, std::vector<std::string>{"12 resnet"});
}

// What a status written at 40000 adds to one run of 8 GPUs from 1000 to 4600. For an elastic job the
// status has the first start; when it runs again is known by its rescale.
TEST(PastResult, APauseBeforeTheRunningStartHoldsNoGpus) {
    const struct {
        const char* sentence;
        std::optional<std::int64_t> started;
        std::optional<double> resized;
        std::uint32_t gpus;
        std::vector<std::uint32_t> of_segments;
        double gpu_seconds;
    } cases[] = {
        {"the same start goes on", 1000, {}, 8, {8}, 8 * 39000},
        {"a requeue that began 10 min ago", 39400, {}, 8, {8, 0, 8}, 8 * (3600 + 600)},
        {"a requeue with fewer GPUs", 39400, {}, 2, {8, 0, 2}, 8 * 3600 + 2 * 600},
        {"a resize that began 10 min ago", 1000, 39400.0, 8, {8, 0, 8}, 8 * (3600 + 600)},
        {"a resize before what was measured", 1000, 900.0, 8, {8}, 8 * 39000},
        {"a resize without a pause", 1000, 4600.0, 2, {8, 2}, 8 * 3600 + 2 * 35400},
        {"when it started is not known", {}, {}, 8, {8}, 8 * 39000},
        {"a start after the status was written", 40100, {}, 8, {8, 0, 8}, 8 * 3600},
    };
    for (const auto& one : cases) {
        MeasuredRun first = run(0, 4600, 8);
        first.measured = Seconds(1);
        first.steps = 3600;
        domain::Status status;
        status.written = 40000;
        domain::StatusJob now;
        now.id = 12;
        now.submitted = 1000;
        now.started = one.started;
        now.gpus = one.gpus;
        now.nodes = 1;
        status.jobs.push_back(now);
        Rescale rescale;
        rescale.job = 12;
        rescale.submitted = 1000;
        rescale.started = one.resized;
        Rescale of_other = rescale;
        of_other.submitted = 500;
        of_other.started = 39900;
        const PageRun page = past_result({first}, {rescale, of_other}, status);
        const sim::JobResult& job = page.result.jobs.at(0);
        std::vector<std::uint32_t> held;
        for (const auto& segment : job.segments) {
            held.push_back(segment.gpus);
        }
        EXPECT_EQ(held, one.of_segments) << one.sentence;
        EXPECT_DOUBLE_EQ(job.gpu_seconds, one.gpu_seconds) << one.sentence;
    }
}

MeasuredRun run_of(std::uint64_t job, std::int64_t when, std::uint32_t gpus) {
    MeasuredRun made = run(0, when, gpus);
    made.job = job;
    return made;
}

// Without a status nothing says how many GPUs there are: no share may be above all of them.
TEST(PastResult, WithoutAStatusThereAreAsManyGpusAsWereHeldAtOnce) {
    const struct {
        const char* sentence;
        std::vector<MeasuredRun> runs;  // each of 50 s
        std::uint32_t gpus;
    } cases[] = {
        {"nothing is known", {}, 0},
        {"one job", {run_of(12, 1100, 2)}, 2},
        {"two at once", {run_of(12, 1100, 2), run_of(13, 1120, 4)}, 6},
        {"one after the other", {run_of(12, 1100, 2), run_of(13, 1150, 4)}, 4},
        {"one that grew", {run(0, 1100, 2), run(1, 1200, 4)}, 4},
        {"a million GPUs", {run_of(12, 1100, 1'000'000), run_of(13, 1100, 1)}, 1'000'001},
    };
    for (const auto& one : cases) {
        EXPECT_EQ(past_result(one.runs, {}, {}).result.gpus, one.gpus) << one.sentence;
    }
    domain::Status status;
    status.gpus = 8;
    EXPECT_EQ(past_result({run_of(12, 1100, 16)}, {}, status).result.gpus, 8U)
        << "what the status says holds";
}

}  // namespace
}  // namespace hora::report
