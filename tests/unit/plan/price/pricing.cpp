// Are members priced by their run or their step, and shares found by their deadline?
#include "libplanner/plan/price/pricing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <cmath>

#include "tests/unit/any_number.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using hora::testing::any_number;
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Pricing, SharesAreRoundedUp) {
    struct Case {
        std::uint64_t batch;
        std::uint64_t members;
        std::uint64_t share;
    };
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const Case cases[] = {{8, 1, 8}, {8, 2, 4}, {8, 3, 3},       {8, 8, 1},
                          {8, 9, 1}, {1, 1, 1}, {most, 1, most}, {most, 2, most / 2 + 1}};
    for (const Case& test : cases) {
        tests::RandomCase given = tests::plain_case({{0}});
        given.request.batch = test.batch;
        SearchLimit limit;
        const Pricing pricing(given.request, given.cluster, limit);
        EXPECT_EQ(pricing.share_of(test.members), test.share)
            << test.batch << " over " << test.members;
    }
}

TEST(Pricing, ARunHasItsOverheadAndAStepOnlyCompares) {
    tests::RandomCase given = tests::plain_case({{0}});
    given.request.batch = 10;
    {
        const tests::Priced priced(given);
        const Price step = priced.pricing.price(Seconds(2), Seconds(7));
        EXPECT_EQ(step.time, 2);
        EXPECT_EQ(step.tie, 7);
        EXPECT_LT(step, priced.pricing.price(Seconds(2), Seconds(8)));
        EXPECT_LT(priced.pricing.price(Seconds(1), Seconds(99)), step);
    }
    given.request.samples = 101;  // eleven steps an epoch
    given.request.epochs = 2;
    const tests::Priced priced(given);
    const Price run = priced.pricing.price(Seconds(2), Seconds(7));
    EXPECT_EQ(run.time, 2 * 22 + 7);
    EXPECT_EQ(run.tie, 0);
    EXPECT_EQ(priced.pricing.price_at_rate(5, Seconds(7)), run)
        << "10 samples take 2 s at 5 a second";
}

TEST(Pricing, JustBelowLeavesNoPriceBetween) {
    const Price prices[] = {{1, 0}, {1, 5}, {0, 0}, {infinity, 0}, {1e300, 1e-300}};
    for (const Price& price : prices) {
        EXPECT_LT(just_below(price), price);
        EXPECT_EQ(just_below(price).time, price.time);
        EXPECT_GE((Price{price.time, std::nextafter(price.tie, -infinity)}), just_below(price));
    }
}

TEST(Pricing, DevicesOfUnknownSpeedOrTooLittleMemoryHaveNoShare) {
    tests::RandomCase given = tests::plain_case({{0, 1, 2, 3}});
    given.request.cost.optimizer_states = 0;
    given.request.workload.layers = {{1000, 100, 10}};
    given.cluster.devices[0].peak.fill(FlopRate(0));
    given.cluster.devices[1].memory_bandwidth = Bandwidth(0);
    given.cluster.devices[2].memory = Bytes(205);
    given.cluster.devices[3].memory = Bytes(217);
    tests::Priced priced(given);
    const std::uint64_t expected[] = {0, 0, 0, 2};
    for (std::uint32_t device = 0; device < 4; ++device) {
        EXPECT_EQ(priced.pricing.largest_share(device), expected[device]) << device;
    }
    EXPECT_EQ(priced.pricing.step_time(3, 3, Seconds(0)).count(), infinity);
    EXPECT_LT(priced.pricing.step_time(3, 2, Seconds(0)).count(), infinity);
}

// Beyond 4,096 they are kept elsewhere.
TEST(Pricing, RemembersStepsOfAnyShare) {
    tests::RandomCase given = tests::plain_case({{0, 1}});
    given.request.batch = 10000;
    tests::Priced priced(given);
    for (const std::uint64_t share : {1U, 4095U, 4096U, 4097U, 10000U, 4097U, 1U}) {
        for (const std::uint32_t device : {0U, 1U}) {
            const cost::Step step(given.request.workload, given.cluster.devices[device], share,
                                  given.request.cost);
            EXPECT_EQ(priced.pricing.step(device, share).compute(), step.compute()) << share;
        }
    }
}

// By looking at each share; twice, as the answer to the same question is remembered.
RC_GTEST_PROP(Pricing, FindsTheMostSamplesWithinADeadline, (std::uint64_t seed)) {
    tests::Priced priced(tests::random_case(seed, 4));
    Pricing& pricing = priced.pricing;
    const auto devices = static_cast<std::uint32_t>(pricing.cluster().devices.size());
    for (int i = 0; i < 10; ++i) {
        const auto device = any_number<std::uint32_t>(0, devices);
        const std::uint64_t largest = pricing.largest_share(device);
        const Seconds overhead(any_number(0, 3));
        const Seconds exchange(any_number(0, 3) * 1e-3);
        const auto near = any_number<std::uint64_t>(0, largest + 1);
        const Price deadline =
            pricing.price(pricing.step(device, near).time(exchange), Seconds(any_number(0, 3)));
        std::uint64_t most = 0;
        for (std::uint64_t share = 1; share <= largest; ++share) {
            if (pricing.price(pricing.step_time(device, share, exchange), overhead) <= deadline) {
                most = share;
            }
        }
        const Pricing::ShareRange all = pricing.all_shares(device);
        RC_ASSERT(pricing.share_within(deadline, device, overhead, exchange, all) == most);
        RC_ASSERT(pricing.share_within(deadline, device, overhead, exchange, all) == most);
        RC_ASSERT(pricing.share_within(deadline, device, overhead, exchange, {most, most}) == most);
        RC_ASSERT(pricing.share_within(deadline, device, overhead, exchange, {0, most}) == most);
    }
}

}  // namespace
}  // namespace hora::plan
