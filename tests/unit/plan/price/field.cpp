// Is a deadline kept just where the ablest units manage the batch within it?
#include "libplanner/plan/price/field.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "libplanner/plan/price/balanced.hpp"
#include "tests/unit/any_number.hpp"
#include "tests/unit/plan/gpu_sets.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using hora::testing::any_number;

TEST(Field, RoundsSharesUp) {
    EXPECT_EQ(ceil_share(0, 3), 0U);
    EXPECT_EQ(ceil_share(1, 3), 1U);
    EXPECT_EQ(ceil_share(3, 3), 1U);
    EXPECT_EQ(ceil_share(4, 3), 2U);
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(ceil_share(most, 1), most);
    EXPECT_EQ(ceil_share(most, 2), most / 2 + 1);
}

// Samples of the GPUs of a part within the deadline, by the units that are chosen.
bool keeps(tests::Priced& priced, const LinkClasses& link, std::uint32_t part, const Range& size,
           Price deadline) {
    Pricing& pricing = priced.pricing;
    const domain::Cluster& cluster = pricing.cluster();
    const Seconds exchange = pricing.exchange(link.exchanging(size.first, size.each));
    const bool is_by_node = pricing.request().layout == domain::Layout::uniform;
    std::map<std::uint32_t, std::vector<std::uint64_t>> able;  // by unit
    for (const std::uint32_t gpu : tests::free_gpus(cluster)) {
        const domain::Gpu& one = cluster.gpus[gpu];
        if (!tests::is_inside(cluster, gpu, part)) {
            continue;
        }
        std::uint64_t samples = 0;
        while (samples < pricing.largest_share(one.device) &&
               pricing.price(pricing.step_time(one.device, samples + 1, exchange),
                             cluster.nodes[one.node].overhead) <= deadline) {
            ++samples;
        }
        if (samples > 0) {
            able[is_by_node ? one.node : gpu].push_back(samples);
        }
    }
    std::vector<std::uint64_t> units;
    for (auto& [unit, samples] : able) {
        if (samples.size() >= size.each) {
            std::sort(samples.begin(), samples.end(), std::greater<>());
            std::uint64_t sum = 0;
            for (std::uint32_t i = 0; i < size.each; ++i) {
                sum += samples[i];
            }
            units.push_back(sum);
        }
    }
    std::sort(units.begin(), units.end(), std::greater<>());
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < size.first && i < units.size(); ++i) {
        all += units[i];
    }
    return units.size() >= size.first && all >= pricing.request().batch;
}

using Visit = std::function<void(Field&, const LinkClasses&, const PartClass&, const Range&)>;

void for_each_size(tests::Priced& priced, const Visit& visit) {
    for (const LinkClasses& link : priced.free.links()) {
        for (const PartClass& part : link.classes) {
            Field field(priced.pricing, priced.free, link, part);
            for (const Size& size : sizes_of_several(priced.pricing, priced.free, Sizes::all)) {
                // plan/choose tries meshes and some of a part's nodes
                const bool is_real = part.parts.front() < priced.of.cluster.parts.size();
                if (size.units <= part.units && is_real) {
                    visit(field, link, part, {size.units, size.units, size.each});
                }
            }
        }
    }
}

RC_GTEST_PROP(Field, KeepsADeadlineLikeItsAblestUnits, (std::uint64_t seed)) {
    tests::RandomCase given = tests::random_case(seed, 10);
    given.request.batch = std::min<std::uint64_t>(given.request.batch, 30);
    tests::Priced priced(std::move(given));
    Pricing& pricing = priced.pricing;
    const Visit visit = [&](Field& field, const LinkClasses& link, const PartClass& part,
                            const Range& size) {
        // As one of the members would need for some share, so that there are ties.
        const domain::Gpu& gpu =
            pricing.cluster().gpus[any_number<std::size_t>(0, pricing.cluster().gpus.size())];
        const std::uint64_t share =
            any_number<std::uint64_t>(0, pricing.largest_share(gpu.device) + 1);
        const Seconds exchange = pricing.exchange(link.exchanging(size.first, size.each));
        const Price deadline = pricing.price(pricing.step_time(gpu.device, share, exchange),
                                             pricing.cluster().nodes[gpu.node].overhead);
        for (const Price& one : {deadline, just_below(deadline), Price{}}) {
            const bool is_kept = keeps(priced, link, part.parts.front(), size, one);
            RC_ASSERT(field.may_keep(size, one) == is_kept);
            RC_ASSERT(can_keep(pricing, priced.free, link, part, {size.first, size.each}, one) ==
                      is_kept);
            // A range may hold its best size, and all that a single one can be had of it.
            const Range more{size.first, size.first + any_number<std::uint64_t>(0, 4), size.each};
            RC_ASSERT(!is_kept || field.may_keep(more, one));
        }
    };
    for_each_size(priced, visit);
}

RC_GTEST_PROP(Field, FindsTheSmallestTime, (std::uint64_t seed)) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    tests::RandomCase given = tests::random_case(seed, 10);
    given.request.batch = std::min<std::uint64_t>(given.request.batch, 30);
    tests::Priced priced(std::move(given));
    const Visit visit = [&](Field& field, const LinkClasses& link, const PartClass& part,
                            const Range& size) {
        if (!keeps(priced, link, part.parts.front(), size, {})) {
            return;
        }
        const double time = field.smallest_time(size, infinity);
        RC_ASSERT(keeps(priced, link, part.parts.front(), size, {time, infinity}));
        RC_ASSERT(
            !keeps(priced, link, part.parts.front(), size, {std::nextafter(time, 0.0), infinity}));
        RC_ASSERT(field.smallest_time(size, time) == time);
    };
    for_each_size(priced, visit);
}

TEST(Field, OfTooFewUnitsKeepsNoDeadline) {
    const tests::RandomCase given = tests::plain_case({{0, 0}});
    tests::Priced priced(given);
    const LinkClasses& link = priced.free.links().front();
    const PartClass& part = link.classes.front();
    EXPECT_TRUE(can_keep(priced.pricing, priced.free, link, part, {2, 1}, {}));
    EXPECT_FALSE(can_keep(priced.pricing, priced.free, link, part, {3, 1}, {}));
}

}  // namespace
}  // namespace hora::plan
