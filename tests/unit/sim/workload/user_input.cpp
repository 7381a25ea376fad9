// Are limits, statements and the choice of elastic jobs what they are said to be?
#include "libplanner/sim/workload/user_input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {
namespace {

domain::JobTrace many_jobs(int count) {
    domain::JobTrace trace;
    for (int i = 0; i < count; ++i) {
        domain::TraceJob job = elastic_job(i, 2, 4);
        job.epochs = 3;
        job.sizes = {1, 2, 4};
        add_job(trace, job, {100, 55, 40, 30});
    }
    return trace;
}

std::vector<bool> elastic_ones(const domain::JobTrace& trace) {
    std::vector<bool> all;
    for (const domain::TraceJob& job : trace.jobs) {
        all.push_back(job.is_elastic);
    }
    return all;
}

TEST(UserInput, WhoIsElasticStaysSoWithAGreaterShare) {
    constexpr int count = 1000;
    std::vector<bool> before(count);
    for (const double share : {0.0, 0.1, 0.5, 1.0}) {
        domain::JobTrace trace = many_jobs(count);
        keep_elastic(trace, share, 7);
        const std::vector<bool> now = elastic_ones(trace);
        const auto sum = std::count(now.begin(), now.end(), true);
        EXPECT_NEAR(static_cast<double>(sum) / count, share, 0.05);
        for (int i = 0; i < count; ++i) {
            EXPECT_TRUE(now[i] || !before[i]) << i;
        }
        before = now;
    }
}

TEST(UserInput, WhoIsNotElasticKeepsToItsRequest) {
    domain::JobTrace trace = many_jobs(1);
    keep_elastic(trace, 0, 1);
    EXPECT_FALSE(trace.jobs[0].is_elastic);
    EXPECT_EQ(trace.jobs[0].min, 2U);
    EXPECT_EQ(trace.jobs[0].max, 2U);
    EXPECT_TRUE(trace.jobs[0].sizes.empty());
}

TEST(UserInput, OnlyElasticJobsYieldOrMayBeSuspended) {
    constexpr int count = 1000;
    domain::JobTrace trace = many_jobs(count);
    keep_elastic(trace, 0.5, 7);
    let_yield(trace, 0.4, 7);
    let_suspend(trace, 0.4, 7);
    int yielding = 0;
    int suspending = 0;
    int both = 0;
    for (const domain::TraceJob& job : trace.jobs) {
        EXPECT_TRUE(job.is_elastic || (!job.yields && !job.suspends));
        yielding += job.yields ? 1 : 0;
        suspending += job.suspends ? 1 : 0;
        both += job.yields && job.suspends ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(yielding) / count, 0.2, 0.05);
    EXPECT_NEAR(static_cast<double>(suspending) / count, 0.2, 0.05);
    EXPECT_NEAR(static_cast<double>(both) / count, 0.08, 0.04) << "one does not follow the other";
}

TEST(UserInput, ALimitIsOfTheOwnRequestInWholeMinutes) {
    struct Case {
        double factor;
        double start;
        double wanted;
    };
    for (const auto& [factor, start, wanted] :
         {Case{1, 0, 180}, Case{3, 0, 540}, Case{4, 0, 660}, Case{1, 30, 240}, Case{4, 30, 780}}) {
        domain::JobTrace trace = many_jobs(2);
        trace.jobs[1].limit = Seconds(7);
        set_limits(trace, factor, Seconds(start));
        EXPECT_EQ(trace.jobs[0].limit, Seconds(wanted)) << factor;
        EXPECT_EQ(trace.jobs[1].limit, Seconds(7)) << "it had one";
    }
}

TEST(UserInput, StatementsAreOffByTheirDeviation) {
    constexpr int count = 2000;
    domain::JobTrace trace = many_jobs(count);
    misstate(trace, 0.5, 3);
    double sum = 0;
    double squares = 0;
    for (const domain::TraceJob& job : trace.jobs) {
        const double off = std::log(*job.stated_epochs / job.epochs);
        sum += off;
        squares += off * off;
    }
    EXPECT_NEAR(sum / count, 0, 0.05);
    EXPECT_NEAR(std::sqrt(squares / count), 0.5, 0.05);
    domain::JobTrace again = many_jobs(count);
    misstate(again, 0.5, 3);
    EXPECT_EQ(again.jobs[9].stated_epochs, trace.jobs[9].stated_epochs);
}

}  // namespace
}  // namespace hora::sim
