// Do the members of a point reach its price, whatever the mode and the size?
#include "libplanner/plan/place.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>

#include "libplanner/plan/price/async.hpp"
#include "tests/unit/plan/gpu_sets.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using domain::Member;
using domain::Mode;

tests::GpuIndices gpus_of(const std::vector<Member>& members) {
    tests::GpuIndices gpus;
    for (const Member& member : members) {
        gpus.push_back(member.gpu);
    }
    return gpus;
}

// What these members cost, with the shares that they have.
Price price_of(tests::Priced& priced, Mode mode, const std::vector<Member>& members) {
    Pricing& pricing = priced.pricing;
    const domain::Cluster& cluster = pricing.cluster();
    const tests::GpuIndices gpus = gpus_of(members);
    const domain::Link link = tests::link_of(cluster, gpus);
    const std::uint64_t share = pricing.share_of(members.size());
    Seconds latest;
    Price worst{-1, -1};
    for (const Member& member : members) {
        const domain::Gpu& gpu = cluster.gpus[member.gpu];
        const Seconds overhead = cluster.nodes[gpu.node].overhead;
        latest = std::max(latest, overhead);
        const Seconds step =
            pricing.step_time(gpu.device, mode == Mode::balanced ? member.share : share,
                              pricing.exchange(tests::exchanging(cluster, gpus)));
        worst = std::max(worst, pricing.price(step, overhead));
    }
    return mode == Mode::async ? pricing.price_at_rate(
                                     rate_of(pricing, shape_of(cluster, gpus), share, link), latest)
                               : worst;
}

void check(tests::Priced& priced, const Point& point, Placing placing) {
    const domain::Request& request = priced.pricing.request();
    const domain::Cluster& cluster = priced.pricing.cluster();
    const auto members = place(priced.pricing, priced.free, point, placing);
    RC_ASSERT(members.size() == point.size.members());
    const tests::GpuIndices gpus = gpus_of(members);
    RC_ASSERT(std::adjacent_find(gpus.begin(), gpus.end(), std::greater_equal<>()) == gpus.end());
    std::uint64_t samples = 0;
    std::vector<std::uint32_t> on(cluster.nodes.size());
    for (const Member& member : members) {
        RC_ASSERT(cluster.gpus[member.gpu].is_free);
        RC_ASSERT(member.share >= 1U);
        samples += member.share;
        ++on[cluster.gpus[member.gpu].node];
    }
    RC_ASSERT(samples == request.batch);
    std::erase(on, 0U);
    if (request.layout == domain::Layout::uniform) {
        RC_ASSERT(on == std::vector<std::uint32_t>(point.size.units, point.size.each));
    }
    // Of one price there may be two roundings where the same rate is summed in another order.
    const Price price = price_of(priced, point.mode, members);
    RC_ASSERT(std::abs(price.time / point.price.time - 1) < 1e-12);
    RC_ASSERT(price.tie <= point.price.tie);
}

RC_GTEST_PROP(Place, GivesMembersOfThePrice, (std::uint64_t seed)) {
    tests::RandomCase given = tests::random_case(seed, 9);
    given.request.accepts_async = given.request.accepts_balanced = true;
    tests::Priced priced(std::move(given));
    for (const Curve& curve : curves_of(priced.pricing, priced.free)) {
        for (const Point& point : curve.points) {
            check(priced, point, Placing::thorough);
            check(priced, point, Placing::quick);
        }
    }
}

// Batches of 10 over three GPUs, the last of which takes twice as long.
TEST(Place, SharesTheBatchByTheMode) {
    tests::RandomCase given = tests::plain_case({{0, 0, 1}});
    given.request.batch = 10;
    given.request.accepts_balanced = true;
    tests::Priced priced(given);
    for (const Curve& curve : curves_of(priced.pricing, priced.free)) {
        const auto members =
            place(priced.pricing, priced.free, curve.points.back(), Placing::thorough);
        std::vector<std::uint64_t> shares;
        for (const Member& member : members) {
            shares.push_back(member.share);
        }
        switch (curve.mode) {
            case Mode::independent:
                EXPECT_EQ(shares, (std::vector<std::uint64_t>{10}));
                break;
            case Mode::balanced:
                EXPECT_EQ(shares, (std::vector<std::uint64_t>{4, 4, 2}));
                break;
            default:
                EXPECT_EQ(shares, (std::vector<std::uint64_t>{4, 3, 3}));
        }
    }
}

}  // namespace
}  // namespace hora::plan
