// Is the best asynchronous set of a class found, and told apart from those that are not?
#include "libplanner/plan/price/async.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>
#include <optional>

#include "libplanner/cost/memory.hpp"
#include "tests/unit/plan/gpu_sets.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using domain::Mode;
constexpr double never = std::numeric_limits<double>::infinity();

// Devices take 1 s, 2 s, 3 s for a sample.
TEST(Async, SlowerGpusAreTheFastestOfThoseThatAreNotFaster) {
    tests::Priced priced(tests::plain_case({{0, 1, 2}}));
    struct Case {
        const char* sentence;
        Shape shape;
        std::uint32_t each;
        double fastest;
        Shape chosen;
    };
    const Case cases[] = {
        {"all may be taken, the fastest are", {{0, 2}, {1, 2}}, 3, 0, {{0, 2}, {1, 1}}},
        {"one as fast is not faster", {{0, 2}, {1, 2}}, 2, 1, {{0, 2}}},
        {"the faster ones are left out", {{0, 2}, {1, 2}}, 2, 1.5, {{1, 2}}},
        {"too few are none", {{0, 2}, {1, 2}}, 3, 1.5, {}},
        {"all that there are", {{1, 1}, {2, 1}}, 2, 2, {{1, 1}, {2, 1}}},
        {"of none there are none", {}, 1, 0, {}},
    };
    for (const Case& test : cases) {
        EXPECT_EQ(slower_gpus(priced.pricing, test.shape, test.each, 1, Seconds(test.fastest)),
                  test.chosen)
            << test.sentence;
    }
}

TEST(Async, WorkersAreBySpeedTheStrongestFirst) {
    tests::Priced priced(tests::plain_case({{0, 1, 2}}));
    const Kind kinds[] = {{2, 3}, {0, 1}, {1, 2}};
    const auto workers = workers_of(priced.pricing, kinds, 2);
    ASSERT_EQ(workers.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_DOUBLE_EQ(workers[i].compute.count(), 2.0 * static_cast<double>(i + 1));
        EXPECT_EQ(workers[i].count, i + 1);
    }
}

// Else the sum of what they send hangs by its rounding on which of them came first.
TEST(Async, WorkersOfOneSpeedAreTogetherWhateverTheirType) {
    tests::RandomCase given = tests::plain_case({{0, 1, 2}});
    given.cluster.devices[2].peak = given.cluster.devices[0].peak;
    tests::Priced priced(given);
    const Kind kinds[] = {{2, 3}, {1, 2}, {0, 1}};
    const auto workers = workers_of(priced.pricing, kinds, 2);
    ASSERT_EQ(workers.size(), 2U);
    EXPECT_EQ(workers[0].count, 4U);
    EXPECT_EQ(workers[1].count, 2U);
}

TEST(Async, AShareThatDoesNotFitTakesForEver) {
    tests::RandomCase given = tests::plain_case({{0}});
    given.request.cost.optimizer_states = 0;
    given.cluster.devices[0].memory = Bytes(2 * 4 + 3 * 4 * cost::kept_activations + 0.01);
    tests::Priced priced(given);
    EXPECT_EQ(compute_time(priced.pricing, 0, 4).count(), never);
    EXPECT_DOUBLE_EQ(compute_time(priced.pricing, 0, 3).count(), 3);
}

// Of the part's sets of this size, by trying them.
std::optional<std::pair<Price, double>> best_by_trying(tests::Priced& priced, std::uint32_t part,
                                                       const Size& size) {
    Pricing& pricing = priced.pricing;
    const domain::Cluster& cluster = pricing.cluster();
    const domain::Link& link = cluster.parts[part].link;
    const std::uint64_t share = pricing.share_of(size.members());
    tests::GpuIndices inside;
    for (const std::uint32_t gpu : tests::free_gpus(cluster)) {
        const std::uint32_t device = cluster.gpus[gpu].device;
        if (tests::is_inside(cluster, gpu, part) && share <= pricing.largest_share(device)) {
            inside.push_back(gpu);
        }
    }
    std::optional<std::pair<Price, double>> best;
    tests::for_each_set(inside, size.members(), [&](const tests::GpuIndices& set) {
        Seconds latest;
        for (const std::uint32_t gpu : set) {
            latest = std::max(latest, cluster.nodes[cluster.gpus[gpu].node].overhead);
        }
        const Shape members = shape_of(cluster, set);
        const std::pair one{pricing.price_at_rate(rate_of(pricing, members, share, link), latest),
                            -updates_of(pricing, members, share, link)};
        best = best && *best < one ? best : one;
    });
    return best;
}

RC_GTEST_PROP(Async, ChoosesTheBestSetOfAClass, (std::uint64_t seed)) {
    tests::RandomCase given = tests::random_case(seed, 7);
    given.request.layout = domain::Layout::any;
    tests::Priced priced(std::move(given));
    for (const LinkClasses& link : priced.free.links()) {
        for (const PartClass& part : link.classes) {
            for (const Size& size : sizes_of_several(priced.pricing, priced.free, Sizes::all)) {
                // plan/choose tries meshes, and what is on two nodes is that of the part around
                const bool is_real = part.parts.front() < priced.of.cluster.parts.size();
                if (size.units > part.units || !is_real) {
                    continue;
                }
                const AsyncChoice choice =
                    choose_async(priced.pricing, priced.free, link, part, size);
                const auto best = best_by_trying(priced, part.parts.front(), size);
                RC_ASSERT(best.has_value() == (choice.price.time < never));
                if (!best) {
                    continue;
                }
                RC_ASSERT(std::abs(choice.price.time / best->first.time - 1) < 1e-12);
                RC_ASSERT(choice.price.tie == best->first.tie);
                std::uint64_t units = 0;
                for (const AsyncChoice::Taken& taken : choice.taken) {
                    units += taken.units;
                }
                RC_ASSERT(units == size.units);
            }
        }
    }
}

RC_GTEST_PROP(Async, ReachesAPointWhereAClassIsAsGood, (std::uint64_t seed)) {
    tests::Priced priced(tests::random_case(seed, 10));
    for (const Point& point : async_curve(priced.pricing, priced.free)) {
        std::size_t reached = 0;
        for (const LinkClasses& link : priced.free.links()) {
            for (const PartClass& part : link.classes) {
                if (part.units < point.size.units) {
                    continue;
                }
                const AsyncChoice choice =
                    choose_async(priced.pricing, priced.free, link, part, point.size);
                const bool is_reached =
                    reaches_async(priced.pricing, priced.free, link, part, point);
                reached += is_reached ? 1 : 0;
                const bool is_worse = choice.price.time > point.price.time * (1 + 1e-9);
                RC_ASSERT(!is_worse || !is_reached);
            }
        }
        RC_ASSERT(reached > 0U);
    }
}

}  // namespace
}  // namespace hora::plan
