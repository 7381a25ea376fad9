// Which sizes do efficiency, objective and P1's rule leave, and which modes are priced at all?
#include "libplanner/plan/weigh.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>

#include "libplanner/plan/place.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using domain::Mode;
using domain::Objective;
using Members = std::vector<std::uint64_t>;

Point point(std::uint64_t members, double time, Mode mode = Mode::sync) {
    return {mode, {members, 1}, {time, 0}, 0};
}

Members members_of(std::span<const Point> points) {
    Members members;
    for (const Point& one : points) {
        members.push_back(one.size.members());
    }
    return members;
}

struct EfficiencyCase {
    const char* sentence;
    double least;
    Point start;
    std::vector<Point> points;
    Members allowed;
};

const EfficiencyCase efficiencies[] = {
    {"no sizes", 0.5, point(1, 8), {}, {}},
    {"without a rule all of them", 0, point(1, 8), {point(2, 9), point(3, 99)}, {2, 3}},
    {"twice as fast on two", 1, point(1, 8), {point(2, 4)}, {2}},
    {"just what is asked for", 0.5, point(1, 6), {point(2, 4)}, {2}},
    {"a little less than is asked for", 0.5, point(1, 6), {point(2, 4.001)}, {}},
    {"the first size is allowed, however slow", 0.9, point(2, 8), {point(2, 8), point(3, 7)}, {2}},
    {"another mode's size is not the start",
     0.9,
     point(1, 8, Mode::independent),
     {point(1, 8)},
     {}},
    {"a slower size never", 0.01, point(1, 8), {point(2, 8), point(3, 9)}, {}},
    {"what follows a size left out is counted from the one before",
     0.5,
     point(1, 12),
     {point(2, 11), point(3, 6), point(5, 4), point(6, 3.9)},
     {3, 5}},
    {"twice the GPUs and twice as fast, from four on",
     1,
     point(4, 8),
     {point(4, 8), point(8, 4), point(16, 2)},
     {4, 8, 16}},
    {"just what is asked for, from four on", 0.5, point(4, 6), {point(4, 6), point(8, 4)}, {4, 8}},
    {"a little less than is asked for, from four on",
     0.5,
     point(4, 6),
     {point(4, 6), point(8, 4.001)},
     {4}},
    {"as many GPUs as the last add none", 0.5, point(1, 8), {point(2, 4), point(2, 2)}, {2}},
};

TEST(Weigh, LeavesSizesThatAreEfficient) {
    for (const EfficiencyCase& test : efficiencies) {
        EXPECT_EQ(members_of(efficient_sizes(test.start, test.points, test.least)), test.allowed)
            << test.sentence;
    }
}

struct BestCase {
    const char* sentence;
    Objective objective;
    double slack;  // slowdown or tolerance
    std::vector<Point> points;
    std::optional<std::size_t> best;  // index
};

const BestCase bests[] = {
    {"none of none", Objective::time, 0, {}, {}},
    {"none of none, for efficiency", Objective::efficiency, 0.1, {}, {}},
    {"the fastest", Objective::time, 0, {point(1, 8), point(4, 3), point(2, 5)}, 1},
    {"the smaller of two as fast", Objective::time, 0, {point(4, 3), point(2, 3)}, 1},
    {"the overhead decides where steps are equal",
     Objective::time,
     0,
     {{Mode::sync, {2, 1}, {3, 1}, 0}, {Mode::sync, {4, 1}, {3, 0.5}, 0}},
     1},
    {"fewer units of as many GPUs",
     Objective::time,
     0,
     {{Mode::sync, {4, 1}, {3, 0}, 0}, {Mode::sync, {2, 2}, {3, 0}, 0}},
     1},
    {"fewest GPU-seconds within the slow-down",
     Objective::efficiency,
     1,
     {point(1, 7), point(2, 4), point(4, 3)},
     2 - 1},
    {"just at the slow-down", Objective::efficiency, 1, {point(1, 8), point(4, 4)}, 0},
    {"a little beyond it", Objective::efficiency, 1, {point(1, 8.001), point(4, 4)}, 1},
    {"no slow-down at all", Objective::efficiency, 0, {point(1, 8), point(4, 3)}, 1},
    {"the faster one of as many GPU-seconds",
     Objective::efficiency,
     9,
     {point(1, 8), point(2, 4), point(4, 3)},
     1},
    {"for time the cheapest within the tolerance",
     Objective::time,
     0.25,
     {point(1, 5), point(2, 4.9), point(4, 4)},
     0},
    {"a little beyond it", Objective::time, 0.25, {point(1, 5.001), point(4, 4)}, 1},
    {"the fastest, where fewer GPUs cost as much",
     Objective::time,
     1,
     {point(1, 8), point(2, 4)},
     1},
};

TEST(Weigh, TakesTheBestByTheObjective) {
    for (BestCase test : bests) {
        domain::Request request;
        request.objective = test.objective;
        request.slowdown = request.tolerance = test.slack;
        const auto best = best_of(std::span<const Point>(test.points), request);
        ASSERT_EQ(best.has_value(), test.best.has_value()) << test.sentence;
        if (best) {
            const Point expected = test.points[*test.best];
            EXPECT_EQ(best->size, expected.size) << test.sentence;
            std::reverse(test.points.begin(), test.points.end());
            EXPECT_EQ(best_of(std::span<const Point>(test.points), request)->size, expected.size)
                << test.sentence << ", the other way round";
        }
    }
}

TEST(Weigh, CountsFromTheFastestOfOtherRatesToo) {
    const Point points[] = {point(1, 8), point(2, 5), point(4, 4)};
    domain::Request request;
    request.objective = Objective::efficiency;
    request.slowdown = 1;
    EXPECT_EQ(best_of(points, request)->size.members(), 1U);
    EXPECT_EQ(best_of(points, request, 4)->size.members(), 1U);
    EXPECT_EQ(best_of(points, request, 3)->size.members(), 2U);
    EXPECT_EQ(best_of(points, request, 2)->size.members(), 4U);
    EXPECT_EQ(best_of(points, request, 1)->size.members(), 4U) << "none is within the limit";
}

TEST(Weigh, LeavesOutDroppedCurvesAndSizesThatAreNotAllowed) {
    std::vector<Curve> curves(3);
    curves[0] = {Mode::sync, {point(2, 1)}, {point(2, 1)}, true, {}};
    curves[1] = {Mode::balanced, {point(8, 2)}, {}, false, {}};
    EXPECT_TRUE(left_of(curves).empty());
    curves[2] = {Mode::async, {point(4, 3)}, {point(4, 3)}, false, {}};
    EXPECT_EQ(members_of(left_of(curves)), Members{4});
}

struct ModeCase {
    const char* sentence;
    std::optional<Mode> forced;
    bool accepts_balanced;
    bool accepts_async;
    std::vector<Mode> considered;
};

const ModeCase modes[] = {
    {"nothing is accepted", {}, false, false, {Mode::independent, Mode::sync}},
    {"balanced is", {}, true, false, {Mode::independent, Mode::sync, Mode::balanced}},
    {"async is", {}, false, true, {Mode::independent, Mode::sync, Mode::async}},
    {"both are", {}, true, true, {Mode::independent, Mode::sync, Mode::balanced, Mode::async}},
    {"a forced mode needs no word of the program", Mode::async, false, false, {Mode::async}},
    {"a forced mode rules out accepted ones", Mode::sync, true, true, {Mode::sync}},
    {"one GPU alone", Mode::independent, true, true, {Mode::independent}},
};

TEST(Weigh, PricesTheModesOfTheRequest) {
    for (const ModeCase& test : modes) {
        tests::RandomCase given = tests::plain_case({{0, 0}, {1}});
        given.request.mode = test.forced;
        given.request.accepts_balanced = test.accepts_balanced;
        given.request.accepts_async = test.accepts_async;
        tests::Priced priced(given);
        std::vector<Mode> considered;
        for (const Curve& curve : curves_of(priced.pricing, priced.free)) {
            considered.push_back(curve.mode);
            EXPECT_FALSE(curve.allowed.empty()) << test.sentence;
            for (const Point& one : curve.points) {
                EXPECT_EQ(one.mode, curve.mode) << test.sentence;
            }
        }
        EXPECT_EQ(considered, test.considered) << test.sentence;
    }
}

struct VarianceCase {
    const char* sentence;
    std::vector<std::vector<std::uint32_t>> nodes;  // a device takes 1 s, 2 s, …
    double threshold;
    std::optional<Mode> forced;
    bool is_sync_left;
    bool is_async_left;
};

// Rates 1 and 1/2: a mean of 3/4, a deviation of 1/4.
const VarianceCase variances[] = {
    {"equal members train in step", {{0, 0}}, 0.2, {}, true, false},
    {"equal members do so at a threshold of 0", {{0, 0}}, 0, {}, true, false},
    {"unequal members do not", {{0, 1}}, 0.2, {}, false, true},
    {"a variation of just the threshold is equal enough", {{0, 1}}, 1.0 / 3, {}, true, false},
    {"a little above the threshold is not", {{0, 1}}, 0.333, {}, false, true},
    {"what is forced is not questioned", {{0, 0}}, 0.2, Mode::async, false, true},
    {"nor is sync", {{0, 1}}, 0.2, Mode::sync, true, false},
};

TEST(Weigh, DecidesBetweenSyncAndAsyncByTheSpreadOfRates) {
    for (const VarianceCase& test : variances) {
        tests::RandomCase given = tests::plain_case(test.nodes);
        given.request.accepts_async = true;
        given.request.async_threshold = test.threshold;
        given.request.mode = test.forced;
        tests::Priced priced(given);
        std::vector<Curve> curves = curves_of(priced.pricing, priced.free);
        apply_variance_rule(curves, priced.pricing, priced.free);
        const auto is_left = [&](Mode mode) {
            return std::any_of(curves.begin(), curves.end(), [&](const Curve& curve) {
                return curve.mode == mode && !curve.is_dropped;
            });
        };
        EXPECT_EQ(is_left(Mode::sync), test.is_sync_left) << test.sentence;
        EXPECT_EQ(is_left(Mode::async), test.is_async_left) << test.sentence;
    }
}

// A server that serves more than it trains makes two equal GPUs the best asynchronous set, while
// three that differ a little are the fastest in step.
TEST(Weigh, KeepsSyncWhereNeitherRuleWouldKeepIts) {
    tests::RandomCase given = tests::plain_case({{0, 0, 1}});
    given.cluster.devices[1].peak[0] = given.cluster.devices[0].peak[0] / 1.1;
    given.request.workload.layers[0].weight_bytes = 165'000'000'000;
    given.request.accepts_async = true;
    given.request.async_threshold = 0.03;
    tests::Priced priced(given);
    std::vector<Curve> curves = curves_of(priced.pricing, priced.free);
    apply_variance_rule(curves, priced.pricing, priced.free);
    ASSERT_EQ(curves.size(), 3U);
    EXPECT_GT(*curves[1].variation, 0.03);
    EXPECT_FALSE(curves[1].is_dropped);
    EXPECT_LT(*curves[2].variation, 0.03);
    EXPECT_TRUE(curves[2].is_dropped);
}

// With the variations that the rule found.
RC_GTEST_PROP(Weigh, NeverDropsBothSyncAndAsync, (std::uint64_t seed)) {
    tests::RandomCase given = tests::random_case(seed, 8);
    given.request.accepts_async = true;
    given.request.mode.reset();
    tests::Priced priced(std::move(given));
    std::vector<Curve> curves = curves_of(priced.pricing, priced.free);
    const std::vector<Curve> before = curves;
    apply_variance_rule(curves, priced.pricing, priced.free);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        RC_ASSERT(members_of(curves[i].allowed) == members_of(before[i].allowed));
    }
    const Curve& sync = curves[1];
    const Curve& async = curves.back();
    RC_ASSERT(sync.mode == Mode::sync && async.mode == Mode::async);
    const bool are_both = !sync.allowed.empty() && !async.allowed.empty();
    RC_ASSERT(sync.variation.has_value() == are_both);
    const double limit = priced.of.request.async_threshold + 1e-9;
    RC_ASSERT(async.is_dropped == (are_both && *async.variation <= limit));
    RC_ASSERT(sync.is_dropped == (are_both && !async.is_dropped && *sync.variation > limit));
}

}  // namespace
}  // namespace hora::plan
