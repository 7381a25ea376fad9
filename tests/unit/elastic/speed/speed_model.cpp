// Does a job's speed follow what was measured, and is the uncertainty where nothing was?
#include "libplanner/elastic/speed/speed_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace hora::elastic {
namespace {

constexpr std::uint32_t gpus = 16;
constexpr std::uint32_t gpus_per_node = 4;

std::uint32_t nodes_of(std::uint32_t n) {
    return (n - 1) / gpus_per_node + 1;
}

std::vector<Seconds> curve(const std::function<double(double, double)>& time) {
    std::vector<Seconds> made;
    for (std::uint32_t n = 1; n <= gpus; ++n) {
        made.push_back(Seconds(time(n, nodes_of(n))));
    }
    return made;
}

SpeedCurve fit(const std::vector<Seconds>& compute, const std::vector<SpeedPoint>& points) {
    return fit_speed({.compute = compute, .gpus_per_node = gpus_per_node}, points);
}

const std::vector<Seconds> prior = curve([](double g, double) { return 1 / g; });

TEST(SpeedModel, IsThePriorUntilSomethingIsMeasured) {
    const SpeedCurve fitted = fit(prior, {});
    for (std::uint32_t n = 1; n <= gpus; ++n) {
        EXPECT_NEAR(fitted.step[n - 1] / prior[n - 1], 1, 1e-9) << n;
        EXPECT_GE(fitted.uncertainty[n - 1], 0.4) << n;
    }
}

TEST(SpeedModel, TakesAFactorFromOnePoint) {
    for (const double factor : {1e-3, 0.3, 5.0, 1e4}) {
        const SpeedCurve fitted = fit(prior, {{2, 1, factor * prior[1], 100}});
        for (std::uint32_t n = 1; n <= gpus; ++n) {
            EXPECT_NEAR(fitted.step[n - 1] / (factor * prior[n - 1]), 1, 0.02) << n;
        }
    }
}

TEST(SpeedModel, ShowsASlowDownThatWasMeasured) {
    const auto truth = [](double g, double m) { return 1 / g + 0.02 + 0.4 * (m - 1) / m; };
    std::vector<SpeedPoint> points;
    for (const std::uint32_t n : {1U, 4U, 8U}) {
        points.push_back({n, nodes_of(n), Seconds(truth(n, nodes_of(n))), 200});
    }
    const SpeedCurve fitted = fit(prior, points);
    for (const SpeedPoint& point : points) {
        EXPECT_NEAR(fitted.step[point.gpus - 1] / point.step, 1, 0.1) << point.gpus;
    }
    EXPECT_GT(fitted.step[7], fitted.step[3]);
}

TEST(SpeedModel, DoubtsMoreFarFromWhatWasMeasured) {
    const SpeedCurve fitted = fit(prior, {{1, 1, prior[0], 100}, {2, 1, prior[1], 100}});
    EXPECT_LT(fitted.uncertainty[0], 0.06);
    EXPECT_LT(fitted.uncertainty[1], 0.06);
    for (std::uint32_t n = 2; n < gpus; ++n) {
        EXPECT_GT(fitted.uncertainty[n], fitted.uncertainty[n - 1]) << n;
    }
}

TEST(SpeedModel, DoesNotBelieveMoreThanALinearSpeedUp) {
    struct Case {
        const char* name;
        std::vector<SpeedPoint> points;
        std::vector<SpeedPoint> believed;
    };
    const SpeedPoint one{1, 1, Seconds(2), 100};
    const SpeedPoint two{2, 1, Seconds(1), 100};
    const SpeedPoint four{4, 1, Seconds(0.5), 100};
    const SpeedPoint caches{4, 1, Seconds(0.42), 100};  // 1.19 times linear
    const SpeedPoint boast{4, 1, Seconds(0.4), 100};    // 1.25
    const SpeedPoint lament{1, 1, Seconds(20), 100};
    const Case cases[] = {
        {"linear", {one, two, four}, {one, two, four}},
        {"a little more than linear", {one, two, caches}, {one, two, caches}},
        {"a boast", {one, two, boast}, {one, two}},
        {"a boast against one", {one, boast}, {one}},
        {"a size said to be slow, against two", {lament, two, four}, {two, four}},
        {"nothing else", {boast}, {boast}},
    };
    for (const Case& each : cases) {
        const SpeedCurve fitted = fit(prior, each.points);
        const SpeedCurve wanted = fit(prior, each.believed);
        EXPECT_EQ(fitted.step, wanted.step) << each.name;
        EXPECT_EQ(fitted.uncertainty, wanted.uncertainty) << each.name;
    }
}

TEST(SpeedModel, IsMovedLittleByAWildPoint) {
    std::vector<SpeedPoint> points;
    for (const std::uint32_t n : {1U, 2U, 4U}) {
        for (int i = 0; i < 5; ++i) {
            points.push_back({n, 1, 2 * prior[n - 1], 50});
        }
    }
    const SpeedCurve calm = fit(prior, points);
    points.push_back({4, 1, Seconds(1e6), 50});
    points.push_back({2, 1, Seconds(1e-6), 50});
    const SpeedCurve wild = fit(prior, points);
    for (std::uint32_t n = 1; n <= gpus; ++n) {
        EXPECT_NEAR(wild.step[n - 1] / calm.step[n - 1], 1, 0.01) << n;
    }
}

// One GPU's time, an exchange inside a node, and one between nodes that is so much slower than its
// prior says.
struct Truth {
    double alone = 1;
    double ring = 0.1;  // of one GPU's time
    double slow_down = 1;

    Seconds step(std::uint32_t n, double slow) const {
        const double whole = alone * ring * (n - 1) / n;
        return Seconds(alone / n + (nodes_of(n) > 1 ? 2 * slow : 1) * whole);
    }
    SpeedPoint point(std::uint32_t n) const { return {n, nodes_of(n), step(n, slow_down), 1000}; }
};

// Known but for the level and the slow-down.
struct Known {
    std::vector<Seconds> compute;
    std::vector<Seconds> inside;
    std::vector<Seconds> between;
    std::vector<Seconds> hiding{gpus, Seconds(0)};

    explicit Known(const Truth& truth, double level) {
        for (std::uint32_t n = 1; n <= gpus; ++n) {
            const double whole = truth.alone * truth.ring * (n - 1) / n;
            compute.emplace_back(level * truth.alone / n);
            inside.emplace_back(whole);
            between.emplace_back(2 * whole);
        }
    }

    SpeedCurve fit(const std::vector<SpeedPoint>& points, const SlowDown& slow_down = {}) const {
        return fit_speed({.compute = compute,
                          .exchange = inside,
                          .gpus_per_node = gpus_per_node,
                          .between = between,
                          .hiding = hiding,
                          .slow_down = slow_down},
                         points);
    }
};

Truth some_truth() {
    return {.alone = *rc::gen::inRange(1, 1000) / 10.0,
            .ring = *rc::gen::inRange(0, 10) / 100.0,
            .slow_down = *rc::gen::inRange(5, 80) / 10.0};
}

RC_GTEST_PROP(SpeedModel, OfOneSizeIsOneGpusTimeAndTheRing, ()) {
    const Truth truth = some_truth();
    const Known known(truth, *rc::gen::inRange(5, 20) / 10.0);
    const auto measured = *rc::gen::inRange(1U, gpus_per_node + 1);
    // With a slow-down that is certain.
    const SlowDown certain{0, 1e-3};
    const SpeedCurve fitted = known.fit({truth.point(measured)}, certain);
    for (std::uint32_t n = 1; n <= gpus; ++n) {
        const double off = std::log(fitted.step[n - 1] / truth.step(n, 1));
        RC_ASSERT(std::abs(off) < (n == measured ? 0.03 : 0.12));
    }
}

RC_GTEST_PROP(SpeedModel, KeepsMeasuredSizesAndIsSurerOfThemAsOthersAreMeasured, ()) {
    const Truth truth = some_truth();
    const Known known(truth, *rc::gen::inRange(5, 20) / 10.0);
    std::vector<SpeedPoint> points;
    const SpeedCurve none = known.fit(points);
    for (const std::uint32_t n : {1U, 2U, 4U, 8U, 16U}) {
        points.push_back(truth.point(n));
        const SpeedCurve after = known.fit(points);
        for (const SpeedPoint& point : points) {
            const double off = std::log(after.step[point.gpus - 1] / point.step);
            RC_ASSERT(std::abs(off) < 0.05);
            RC_ASSERT(after.uncertainty[point.gpus - 1] < none.uncertainty[point.gpus - 1] / 2);
        }
    }
}

TEST(SpeedModel, ExpectsOfNodesWhatOthersHaveShown) {
    const Truth truth{.alone = 10, .ring = 0.05, .slow_down = 7};
    const Known known(truth, 1);
    const std::vector<SpeedPoint> one_node{truth.point(1), truth.point(4)};
    const SpeedCurve unknown = known.fit(one_node);
    const SpeedCurve informed = known.fit(one_node, {std::log(7), 0.3});
    EXPECT_FALSE(informed.shown_slow_down) << "it was on one node alone";
    EXPECT_DOUBLE_EQ(informed.step[3].count(), unknown.step[3].count());
    EXPECT_LT(unknown.step[15], informed.step[15]);
    EXPECT_NEAR(informed.step[15] / truth.step(16, 7), 1, 0.1);
    EXPECT_LT(informed.uncertainty[15], unknown.uncertainty[15]);
    // It shows the same whatever it expected.
    std::vector<SpeedPoint> several = one_node;
    several.push_back(truth.point(8));
    const auto shown = known.fit(several).shown_slow_down;
    ASSERT_TRUE(shown);
    EXPECT_NEAR(shown->log, std::log(7), 0.5);
    EXPECT_EQ(known.fit(several, {0, 0.5}).shown_slow_down, shown);
}

// Of so many GPUs not every size is computed.
TEST(SpeedModel, MeetsEverySizeOfManyGpus) {
    constexpr std::uint32_t many = 1024;
    std::vector<Seconds> shared;
    for (std::uint32_t n = 1; n <= many; ++n) {
        shared.push_back(Seconds(1.0 / n));
    }
    const SpeedCurve fitted = fit(shared, {});
    ASSERT_EQ(fitted.step.size(), many);
    ASSERT_EQ(fitted.uncertainty.size(), many);
    for (std::uint32_t n = 1; n <= many; ++n) {
        EXPECT_NEAR(fitted.step[n - 1] / shared[n - 1], 1, 2e-4) << n;
    }
    for (const std::uint32_t measured : {65U, 777U, many}) {
        const SpeedPoint point{measured, nodes_of(measured), 3 * shared[measured - 1], 1e6};
        const SpeedCurve seen = fit(shared, {point});
        EXPECT_NEAR(seen.step[measured - 1] / point.step, 1, 0.01) << measured;
        const auto surest = std::min_element(seen.uncertainty.begin(), seen.uncertainty.end());
        EXPECT_EQ(surest - seen.uncertainty.begin(), measured - 1);
    }
}

// With the smallest batch, 64 samples, a GPU computes for `alone`; that grows as the batch, the
// rest of a step does not.
struct BatchTruth {
    double alone = 1;
    double fixed = 0.1;
    double ring = 0.1;
    BatchRange batches{64, 8192, 2000};

    Seconds step(std::uint32_t n, std::uint64_t batch) const {
        return Seconds(alone * static_cast<double>(batch) / 64 / n + fixed + ring * (n - 1) / n);
    }
    // For what brings a training as far as a step of the smallest batch.
    Seconds worth(std::uint32_t n, std::uint64_t batch) const {
        return step(n, batch) / gain(batches, batch);
    }
    Seconds least(std::uint32_t n) const {
        Seconds least(HUGE_VAL);
        for (std::uint64_t batch = batches.min; batch <= batches.max; ++batch) {
            least = std::min(least, worth(n, batch));
        }
        return least;
    }
    SpeedPoint point(std::uint32_t n, std::uint64_t batch) const {
        return {n, nodes_of(n), step(n, batch), 1000, batch};
    }
    SpeedCurve fit(const std::vector<SpeedPoint>& points) const {
        return fit_speed({.compute = prior, .gpus_per_node = gpus_per_node, .batches = batches},
                         points);
    }
};

BatchTruth some_batch_truth() {
    BatchTruth truth{.alone = *rc::gen::inRange(1, 1000) / 10.0};
    truth.fixed = truth.alone * *rc::gen::inRange(0, 200) / 100.0;
    truth.ring = truth.alone * *rc::gen::inRange(0, 30) / 100.0;
    truth.batches.max = 64 + *rc::gen::inRange(0, 8128);
    truth.batches.noise_scale = *rc::gen::inRange(10, 100'000);
    return truth;
}

TEST(SpeedModel, WeighsBatchesFromTheSmallestToTheLargest) {
    using Batches = std::vector<PossibleBatch>;
    EXPECT_EQ(weighed_batches({64, 64, 500}), (Batches{{64}}));
    EXPECT_EQ(weighed_batches({64, 256, 500}), (Batches{{64}, {128}, {256}}));
    EXPECT_EQ(weighed_batches({3, 17, 500}), (Batches{{3}, {6}, {12}, {17}}));
    EXPECT_EQ(weighed_batches({64, 256, 0}), (Batches{{64}})) << "no noise scale is known";
    EXPECT_EQ(weighed_batches({1, UINT64_MAX, 1}).back().batch, UINT64_MAX);
    EXPECT_EQ(weighed_batches({64, 256, 500, {{64}, {200, 2}}}), (Batches{{64}, {200, 2}}));
}

// Beyond 64 GPUs not every size is computed.
RC_GTEST_PROP(SpeedModel, HasBatchesThatArePossibleAlone, ()) {
    BatchTruth truth = some_batch_truth();
    const auto only_on_one = *rc::gen::inRange<std::size_t>(0, 3);
    for (const std::uint64_t batch :
         {std::uint64_t{64}, std::uint64_t{75}, truth.batches.max + 76}) {
        const bool is_on_one = truth.batches.only.size() == only_on_one;
        truth.batches.only.push_back({batch, is_on_one ? 1 : *rc::gen::inRange(1U, 150U)});
    }
    truth.batches.max += 76;
    truth.batches.noise_scale *= *rc::gen::inRange(0, 2);
    std::vector<SpeedPoint> points;
    for (const PossibleBatch& possible : truth.batches.only) {
        if (possible.least <= 4 && *rc::gen::arbitrary<bool>()) {
            points.push_back(truth.point(4, possible.batch));
        }
    }
    std::vector<Seconds> wide(200);
    for (std::size_t n = 0; n < wide.size(); ++n) {
        wide[n] = Seconds(truth.alone / static_cast<double>(n + 1));
    }
    const SpeedCurve fitted = fit_speed(
        {.compute = wide, .gpus_per_node = gpus_per_node, .batches = truth.batches}, points);
    RC_ASSERT(fitted.batch.size() == wide.size());
    for (std::uint32_t n = 1; n <= wide.size(); ++n) {
        for (const std::uint32_t nodes : {1U, nodes_of(n)}) {
            const std::uint64_t batch = fastest_batch(fitted, n, nodes);
            RC_ASSERT(std::any_of(truth.batches.only.begin(), truth.batches.only.end(),
                                  [&](const PossibleBatch& possible) {
                                      return possible.batch == batch && possible.least <= n;
                                  }));
        }
        RC_ASSERT(fitted.step[n - 1] > Seconds(0));
    }
}

TEST(SpeedModel, GainsFromALargerBatchWhatTheNoiseScaleSays) {
    EXPECT_DOUBLE_EQ(gain({64, 1024, 1000}, 64), 1);
    EXPECT_DOUBLE_EQ(gain({64, 1024, 960}, 1024), 16 * 1024 / 1984.0);
    EXPECT_DOUBLE_EQ(gain({64, 1024, 0}, 1024), 1);
    EXPECT_NEAR(gain({64, 1024, 1e15}, 1024), 16, 1e-9);
}

RC_GTEST_PROP(SpeedModel, LosesLittleToBatchesThatAreNotWeighed, ()) {
    const BatchTruth truth = some_batch_truth();
    const auto n = *rc::gen::inRange(1U, gpus + 1);
    Seconds best(HUGE_VAL);
    for (const PossibleBatch& weighed : weighed_batches(truth.batches)) {
        best = std::min(best, truth.worth(n, weighed.batch));
    }
    RC_ASSERT(best <= truth.least(n) * 1.03);
}

RC_GTEST_PROP(SpeedModel, FindsABatchThatIsAboutAsFastAsTheFastest, ()) {
    const BatchTruth truth = some_batch_truth();
    std::vector<SpeedPoint> points;
    for (const std::uint32_t n : {1U, 4U}) {
        points.push_back(truth.point(n, truth.batches.min));
        points.push_back(truth.point(n, truth.batches.max));
    }
    const SpeedCurve fitted = truth.fit(points);
    RC_ASSERT(fitted.batch.size() == fitted.step.size());
    for (const std::uint32_t n : {1U, 4U}) {
        const std::uint64_t batch = fitted.batch[n - 1];
        RC_ASSERT(batch == fastest_batch(fitted, n, 1));
        RC_ASSERT(truth.worth(n, batch) <= truth.least(n) * 1.15);
        RC_ASSERT(std::abs(std::log(fitted.step[n - 1] / truth.worth(n, batch))) < 0.16);
    }
}

// On one GPU a step with the smallest batch says nothing of what grows with it.
TEST(SpeedModel, TriesALargerBatchOnce) {
    const BatchTruth computes{.alone = 1, .fixed = 0, .ring = 0, .batches = {64, 8192, 20'000}};
    std::vector<SpeedPoint> points{computes.point(1, 64)};
    const SpeedCurve untried = computes.fit(points);
    EXPECT_EQ(fastest_batch(untried, 1, 1), 256U);
    EXPECT_LT(*step_on(untried, 1, 1, gpus_per_node), computes.step(1, 64) * 0.6);
    points.push_back(computes.point(1, 256));
    const SpeedCurve tried = computes.fit(points);
    EXPECT_EQ(fastest_batch(tried, 1, 1), 64U) << "all of a step grows";
    EXPECT_NEAR(*step_on(tried, 1, 1, gpus_per_node) / computes.step(1, 64), 1, 0.05);
    const BatchTruth waits{.alone = 0.01, .fixed = 1, .ring = 0, .batches = computes.batches};
    EXPECT_GT(fastest_batch(waits.fit({waits.point(1, 64), waits.point(1, 256)}), 1, 1), 1024U)
        << "hardly any of it does";
}

TEST(SpeedModel, OfABatchThatMayNotChangeIsAsWithoutARange) {
    const std::vector<SpeedPoint> points{{1, 1, Seconds(2), 100}, {4, 1, Seconds(0.7), 100}};
    const SpeedCurve fixed = fit(prior, points);
    for (const BatchRange& range : {BatchRange{64, 64, 1000}, BatchRange{64, 8192, 0}}) {
        const SpeedCurve ranged =
            fit_speed({.compute = prior, .gpus_per_node = gpus_per_node, .batches = range}, points);
        EXPECT_EQ(ranged.step, fixed.step);
        EXPECT_EQ(ranged.uncertainty, fixed.uncertainty);
        EXPECT_EQ(ranged.batch, std::vector<std::uint64_t>(gpus, 64));
    }
    EXPECT_TRUE(fixed.batch.empty());
    EXPECT_EQ(fastest_batch(fixed, 4, 1), 0U);
}

TEST(SpeedModel, TellsWhatWasMeasuredInStepsOfTheSmallestBatch) {
    const BatchTruth truth;
    const SpeedCurve fitted = truth.fit({truth.point(2, 64), truth.point(2, 1024)});
    const auto small = measured_step(fitted, 2, 1, 64);
    const auto large = measured_step(fitted, 2, 1, 1024);
    ASSERT_TRUE(small && large);
    EXPECT_EQ(*small, truth.step(2, 64));
    EXPECT_DOUBLE_EQ(large->count(), truth.worth(2, 1024).count());
    EXPECT_FALSE(measured_step(fitted, 2, 1, 512));
    EXPECT_FALSE(measured_step(fitted, 2, 2, 64));
    EXPECT_LT(*step_on(fitted, 2, 1, gpus_per_node), *small);
}

TEST(SpeedModel, PassesImpossiblePointsOver) {
    const SpeedCurve none = fit(prior, {});
    const SpeedCurve fitted = fit(prior, {{0, 1, Seconds(1), 1},
                                          {gpus + 1, 1, Seconds(1), 1},
                                          {2, 0, Seconds(1), 1},
                                          {2, 3, Seconds(1), 1},
                                          {2, 1, Seconds(0), 1},
                                          {2, 1, Seconds(-1), 1},
                                          {2, 1, Seconds(std::nan("")), 1},
                                          {2, 1, Seconds(HUGE_VAL), 1},
                                          {2, 1, Seconds(1), 0}});
    EXPECT_EQ(fitted.step, none.step);
    EXPECT_EQ(fitted.uncertainty, none.uncertainty);
}

}  // namespace
}  // namespace hora::elastic
