// Does Hora's policy speed up most, short jobs first, without needless restarts and without
// leaving anybody behind?
#include "libplanner/elastic/policies/hora_policy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "libplanner/elastic/worth/sizes.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

struct Row {
    std::uint32_t gpus = 0;
    double epochs_left = 1;
    std::vector<double> seconds;
    std::uint32_t min = 1;
    bool is_elastic = true;
    std::uint32_t requested = 1;
    double submitted = 0;
    std::uint32_t restarts = 0;
    std::vector<std::uint32_t> sizes = {};
    std::vector<double> uncertainty = {};
};

struct Case {
    const char* name;
    std::uint32_t gpus;
    std::uint32_t waiting;
    std::vector<Row> jobs;
    std::vector<std::uint32_t> wanted;
};

constexpr Seconds now(10'000);

void check(const Case& each) {
    SCOPED_TRACE(each.name);
    MadeState made;
    made.state.now = now;
    made.state.gpus = each.gpus;
    made.state.waiting = each.waiting;
    made.state.rescale = Seconds(10);
    for (const Row& row : each.jobs) {
        ElasticJob& job = made.add(row.gpus, row.epochs_left, row.seconds);
        job.min = row.min;
        job.is_elastic = row.is_elastic;
        job.requested = row.requested;
        job.submitted = Seconds(row.submitted);
        job.restarts = row.restarts;
        job.uncertainty = row.uncertainty;
        if (row.gpus > 0) {
            job.started = Seconds(row.submitted);
        }
        made.allow(job, row.sizes);
    }
    EXPECT_EQ(HoraPolicy().decide(made.state).gpus, each.wanted);
}

// 60 / g; 60 / g + 10; slower between two nodes of two; only faster on all four.
const std::vector<double> linear{60, 30, 20, 15};
const std::vector<double> levels{70, 40, 30, 25};
const std::vector<double> slows{60, 32, 45, 40};
const std::vector<double> jumps{60, 60, 60, 15};

TEST(HoraPolicy, GivesGpusWhereTheySpeedUpMost) {
    const Case cases[] = {
        {"one alone grows to where it is fastest", 4, 0, {{0, 9, linear}}, {4}},
        {"and no further", 4, 0, {{0, 9, slows}}, {2}},
        {"a step is taken whole", 5, 0, {{0, 9, jumps}, {0, 9, slows}}, {4, 1}},
        {"or not at all", 3, 0, {{0, 9, jumps}, {0, 9, slows}}, {1, 2}},
        {"who scales has more", 5, 0, {{0, 9, linear}, {0, 9, slows}}, {4, 1}},
        {"a few equals have the same", 4, 0, {{0, 900, levels}, {0, 9, levels}}, {2, 2}},
        {"among many equals a short job has more",
         11,
         0,
         {{0, 900, levels},
          {0, 900, levels},
          {0, 900, levels},
          {0, 900, levels},
          {0, 900, levels},
          {0, 900, levels},
          {0, 900, levels},
          {0, 900, levels},
          {0, 900, levels},
          {0, 9, levels}},
         {1, 1, 1, 1, 1, 1, 1, 1, 1, 2}},
        {"only allowed sizes", 4, 0, {{.epochs_left = 9, .seconds = linear, .sizes = {1, 3}}}, {3}},
        {"one GPU stays free for each who waits outside", 4, 2, {{0, 9, linear}}, {2}},
    };
    for (const Case& each : cases) {
        check(each);
    }
}

TEST(HoraPolicy, RestartsOnlyForMoreThanARestartCosts) {
    const Case cases[] = {
        {"growth that ends it sooner", 4, 0, {{2, 9, linear}}, {4}},
        {"not one that comes too late", 4, 0, {{3, 0.5, linear}}, {3}},
        {"not after a crowd of restarts",
         4,
         0,
         {{.gpus = 3, .epochs_left = 9, .seconds = linear, .submitted = 9000, .restarts = 40}},
         {3}},
        {"two alike do not swap", 4, 0, {{3, 90, linear}, {1, 88, linear}}, {3, 1}},
        {"an uncertain size has to promise more",
         4,
         0,
         {{.gpus = 3,
           .epochs_left = 900,
           .seconds = {60, 30, 20, 19},
           .uncertainty = {0, 0, 0, 1}}},
         {3}},
    };
    for (const Case& each : cases) {
        check(each);
    }
}

TEST(HoraPolicy, LeavesNobodyBehind) {
    const Case cases[] = {
        {"who waits starts before anybody grows", 4, 0, {{4, 9, linear}, {0, 9, linear}}, {2, 2}},
        {"no started job falls below its minimum",
         4,
         0,
         {{.gpus = 4, .epochs_left = 9, .seconds = linear, .min = 3},
          {.epochs_left = 9, .seconds = linear, .min = 2}},
         {4, 0}},
        {"a rigid one keeps what it holds",
         4,
         0,
         {{.gpus = 3, .epochs_left = 9, .seconds = linear, .is_elastic = false, .requested = 3},
          {0, 9, linear}},
         {3, 1}},
        {"a short one starts first",
         1,
         0,
         {{0, 9, linear, 1, true, 1, 9990}, {0, 1, linear, 1, true, 1, 9990}},
         {0, 1}},
        {"unless the long one waited for long",
         1,
         0,
         {{0, 9, linear}, {0, 1, linear, 1, true, 1, 9990}},
         {1, 0}},
        {"who waited for long is not passed by a smaller one",
         4,
         0,
         {{.gpus = 2, .epochs_left = 9, .seconds = linear, .is_elastic = false, .requested = 2},
          {.epochs_left = 9, .seconds = linear, .min = 3},
          {0, 9, linear, 1, true, 1, 9990}},
         {2, 0, 0}},
        {"one that never fits holds up no other",
         4,
         0,
         {{.epochs_left = 9, .seconds = {60, 30, 20, 15, 12, 10}, .min = 6}, {0, 9, linear}},
         {0, 4}},
    };
    for (const Case& each : cases) {
        check(each);
    }
}

TEST(HoraPolicy, CountsWhatIsBeyondAJobsOwnRequestHalf) {
    const auto asks = [](std::uint32_t requested, const std::vector<double>& seconds,
                         std::vector<std::uint32_t> sizes = {}) {
        return Row{.gpus = 1,
                   .epochs_left = 9,
                   .seconds = seconds,
                   .requested = requested,
                   .submitted = 9000,
                   .sizes = std::move(sizes)};
    };
    const Case cases[] = {
        {"one that scales worse has its request", 5, 0, {asks(2, linear), asks(3, levels)}, {2, 3}},
        {"the rest goes where it speeds up most", 6, 0, {asks(2, linear), asks(2, levels)}, {4, 2}},
        {"or where half of that is still more", 7, 0, {asks(1, linear), asks(4, levels)}, {4, 3}},
        {"no job has more than it gains by", 6, 0, {asks(2, linear), asks(4, slows)}, {4, 2}},
        {"as far as its sizes go within its request",
         3,
         0,
         {asks(1, levels), asks(3, levels, {1, 2, 4})},
         {1, 2}},
    };
    for (const Case& each : cases) {
        check(each);
    }
}

// Where that counts nothing. Of jobs that gain by each GPU, the less the more they have.
RC_GTEST_PROP(HoraPolicy, GivesNoneMoreThanItAskedForWhileAnotherHasLess, ()) {
    MadeState made;
    made.state.constants.beyond_request = 0;
    made.state.gpus = *rc::gen::inRange<std::uint32_t>(2, 33);
    made.state.rescale = Seconds(0);
    const int jobs = *rc::gen::inRange(2, 7);
    for (int i = 0; i < jobs && i < static_cast<int>(made.state.gpus); ++i) {
        std::vector<double> seconds;
        const double fixed = *rc::gen::inRange(1, 30);
        for (int g = 1; g <= 16; ++g) {
            seconds.push_back(fixed + 100.0 / g);
        }
        ElasticJob& job = made.add(0, *rc::gen::inRange(1, 1000), seconds);
        job.requested = *rc::gen::inRange<std::uint32_t>(1, 17);
    }
    const std::vector<std::uint32_t> given = HoraPolicy().decide(made.state).gpus;
    bool has_more = false;
    bool has_less = false;
    for (std::size_t i = 0; i < given.size(); ++i) {
        has_more |= given[i] > made.state.jobs[i].requested;
        has_less |= given[i] < made.state.jobs[i].requested;
    }
    RC_ASSERT_FALSE(has_more && has_less);
}

RC_GTEST_PROP(HoraPolicy, KeepsEachSizeThatNobodyElseWantsAndNothingBeats, ()) {
    MadeState made;
    make_up(made);
    made.state.waiting = 0;
    const HoraPolicy policy;
    const Allocation first = policy.decide(made.state);
    for (std::size_t i = 0; i < first.gpus.size(); ++i) {
        made.state.jobs[i].gpus = first.gpus[i];
        if (first.gpus[i] > 0) {
            made.state.jobs[i].started = made.state.now;
        }
    }
    // Asked again at the same moment, it restarts no job that this would not bring forward.
    const Allocation second = policy.decide(made.state);
    for (std::size_t i = 0; i < second.gpus.size(); ++i) {
        const ElasticJob& job = made.state.jobs[i];
        if (second.gpus[i] > job.gpus && job.gpus > 0) {
            RC_ASSERT(made.state.rescale + remaining_time(job, second.gpus[i]) <
                      remaining_time(job, job.gpus));
        }
    }
}

RC_GTEST_PROP(HoraPolicy, GivesOneJobAloneItsFastestSize, ()) {
    MadeState made;
    made.state.gpus = *rc::gen::inRange<std::uint32_t>(1, 17);
    std::vector<double> seconds;
    for (int i = *rc::gen::inRange(1, 17); i > 0; --i) {
        seconds.push_back(*rc::gen::inRange(1, 50));
    }
    const ElasticJob& job = made.add(0, 9, seconds);
    double best = seconds[0];
    for (std::uint32_t g = 1; g <= std::min(job.max, made.state.gpus); ++g) {
        best = std::min(best, seconds[g - 1]);
    }
    const std::uint32_t given = HoraPolicy().decide(made.state).gpus[0];
    // On the way to it a step that does not fit leaves the best by GPU, which may be another.
    RC_ASSERT(given >= 1 && seconds[given - 1] <= seconds[0]);
    RC_ASSERT(made.state.gpus < job.max || seconds[given - 1] == best);
}

// How fast that is: tests/bench/decide.
TEST(HoraPolicy, GivesAThousandJobsNoMoreThanThereIs) {
    MadeState made;
    std::vector<double> seconds;
    for (int g = 1; g <= 10'000; ++g) {
        seconds.push_back(1000.0 / g + 0.2 * (g - 1) / g + 0.01);
    }
    made.state.gpus = 10'000;
    made.state.now = now;
    made.state.rescale = Seconds(10);
    for (int i = 0; i < 1000; ++i) {
        ElasticJob& job = made.add(i % 3 == 0 ? 0 : 5, 1 + i % 97, seconds);
        if (job.gpus > 0) {
            job.started = Seconds(i);
        }
    }
    const Allocation result = HoraPolicy().decide(made.state);
    EXPECT_LE(std::accumulate(result.gpus.begin(), result.gpus.end(), 0U), 10'000U);
}

}  // namespace
}  // namespace hora::elastic
