// Does each job have rows of its own, and no more of them than it holds GPUs?
#include "libplanner/report/html/gpu_bars.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/unit/report/html/some_result.hpp"

namespace hora::report {
namespace {

bool overlap(const GpuBar& a, const GpuBar& b) {
    return a.first < b.first + b.count && b.first < a.first + a.count && a.start < b.end &&
           b.start < a.end;
}

// No two jobs share a row, and the area of a job's bars is what it held.
TEST(GpuBars, HoldWhatTheJobsHeld) {
    EXPECT_TRUE(rc::check([] {
        const sim::Result result = some_result();
        const auto bars = gpu_bars(result);
        std::vector<double> held(result.jobs.size(), 0);
        for (std::size_t i = 0; i < bars.size(); ++i) {
            held[bars[i].job] += bars[i].count * (bars[i].end - bars[i].start).count();
            for (std::size_t k = 0; k < i; ++k) {
                RC_ASSERT(!overlap(bars[i], bars[k]));
            }
        }
        for (std::size_t i = 0; i < held.size(); ++i) {
            RC_ASSERT(std::abs(held[i] - result.jobs[i].gpu_seconds) < 1e-6);
        }
    }));
}

// The jobs never hold more GPUs together than there are.
TEST(GpuBars, TakeNoRowBeyondTheGpus) {
    sim::Result result{.policy = "", .gpus = 4, .jobs = {}, .decisions = 0};
    result.jobs = {job_from(0, 10, 2), job_from(0, 20, 2), job_from(10, 20, 1), job_from(10, 30, 1),
                   job_from(20, 40, 3)};
    result.jobs[1].segments.push_back({Seconds(15), 1, 1});
    for (const GpuBar& bar : gpu_bars(result)) {
        EXPECT_LE(bar.first + bar.count, 4U);
    }
}

// How many GPUs the jobs held together at most.
std::uint32_t most_held(const sim::Result& result) {
    std::uint32_t most = 0;
    for (const sim::JobResult& one : result.jobs) {
        for (const sim::Segment& moment : one.segments) {
            std::uint32_t held = 0;
            for (const sim::JobResult& job : result.jobs) {
                for (std::size_t i = 0; i < job.segments.size(); ++i) {
                    const bool is_last = i + 1 == job.segments.size();
                    const Seconds end = is_last ? job.ended : job.segments[i + 1].start;
                    const bool holds = job.segments[i].start <= moment.start && moment.start < end;
                    held += holds ? job.segments[i].gpus : 0;
                }
            }
            most = std::max(most, held);
        }
    }
    return most;
}

TEST(GpuBars, TakeNoRowBeyondTheGpusUnlessMoreWereHeld) {
    EXPECT_TRUE(rc::check([] {
        const sim::Result result = some_result();
        const std::uint32_t rows = std::max(result.gpus, most_held(result));
        for (const GpuBar& bar : gpu_bars(result)) {
            RC_ASSERT(bar.first + bar.count <= rows);
        }
    }));
}

// A run that was heard of once has no length that is known.
TEST(GpuBars, ARunWithoutLengthTakesNothing) {
    sim::Result result{.policy = "", .gpus = 4, .jobs = {}, .decisions = 0};
    result.jobs = {job_from(0, 0, 4), job_from(0, 10, 2)};
    result.jobs[1].segments = {{Seconds(0), 4, 1}, {Seconds(0), 2, 1}};
    const auto bars = gpu_bars(result);
    ASSERT_EQ(bars.size(), 1U);
    EXPECT_EQ(bars[0].job, 1U);
    EXPECT_EQ(bars[0].first, 0U);
    EXPECT_EQ(bars[0].count, 2U);
}

TEST(GpuBars, EachTypeHasRowsOfItsOwn) {
    sim::Result result{.policy = "", .gpus = 6, .jobs = {}, .decisions = 0};
    result.type_gpus = {4, 2};
    result.jobs = {job_from(0, 10, 2), job_from(0, 20, 2), job_from(10, 20, 3)};
    result.jobs[1].type = 1;
    std::vector<std::uint32_t> firsts;
    for (const GpuBar& bar : gpu_bars(result)) {
        firsts.push_back(bar.first);
    }
    EXPECT_EQ(firsts, (std::vector<std::uint32_t>{0, 4, 0}));
}

TEST(GpuBars, AJobThatGrowsKeepsItsRows) {
    sim::Result result{.policy = "", .gpus = 4, .jobs = {job_from(0, 10, 1)}, .decisions = 0};
    result.jobs[0].segments.push_back({Seconds(5), 3, 1});
    const auto bars = gpu_bars(result);
    ASSERT_EQ(bars.size(), 2U);
    EXPECT_EQ(bars[0].first, bars[1].first);
    EXPECT_EQ(bars[0].count, 1U);
    EXPECT_EQ(bars[1].count, 3U);
}

}  // namespace
}  // namespace hora::report
