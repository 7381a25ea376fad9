#include "libplanner/plan/price/shares.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <limits>
#include <numeric>

namespace hora::plan {
namespace {

using Shares = std::vector<std::uint64_t>;

struct Case {
    const char* sentence;
    std::uint64_t batch;
    std::vector<double> speeds;
    Shares shares;
};

const Case cases[] = {
    {"one member takes all", 7, {3}, {7}},
    {"equal speeds share equally", 8, {1, 1, 1, 1}, {2, 2, 2, 2}},
    {"what does not divide goes to the first", 10, {1, 1, 1, 1}, {3, 3, 2, 2}},
    {"twice the speed, twice the share", 12, {2, 1, 1}, {6, 3, 3}},
    {"the slowest still gets one", 4, {1000, 1000, 1}, {2, 1, 1}},
    {"as many samples as members", 3, {9, 1, 1}, {1, 1, 1}},
    {"the odd sample goes where it is done first", 3, {3, 2}, {2, 1}},
    {"tiny speeds are still a proportion", 30, {2e-300, 1e-300}, {20, 10}},
    {"huge speeds are still a proportion", 30, {2e300, 1e300}, {20, 10}},
};

TEST(Shares, FollowTheSpeeds) {
    for (const Case& test : cases) {
        EXPECT_EQ(proportional_shares(test.batch, test.speeds).value(), test.shares)
            << test.sentence;
    }
}

TEST(Shares, AreRefusedWhereSomebodyWouldGetNothing) {
    EXPECT_EQ(equal_shares(3, 4).error().message,
              "a batch of 3 leaves nothing for some of 4 members; raise the batch");
    EXPECT_FALSE(equal_shares(3, 0));
    EXPECT_FALSE(proportional_shares(1, std::vector<double>{1, 1}));
    for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_FALSE(proportional_shares(8, std::vector<double>{1, bad})) << bad;
    }
}

std::uint64_t sum(const Shares& shares) {
    return std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
}

double slowest(const Shares& shares, const std::vector<double>& speeds) {
    double time = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        time = std::max(time, static_cast<double>(shares[i]) / speeds[i]);
    }
    return time;
}

// The least max(share / speed) over all ways to split the batch, by trying them.
double brute_force(const std::vector<double>& speeds, std::size_t member, std::uint64_t left) {
    const std::size_t later = speeds.size() - member - 1;
    if (later == 0) {
        return static_cast<double>(left) / speeds[member];
    }
    double best = std::numeric_limits<double>::infinity();
    for (std::uint64_t share = 1; share + later <= left; ++share) {
        best = std::min(best, std::max(static_cast<double>(share) / speeds[member],
                                       brute_force(speeds, member + 1, left - share)));
    }
    return best;
}

std::vector<double> any_speeds(std::size_t most) {
    const auto count = *rc::gen::inRange<std::size_t>(1, most + 1);
    const auto whole = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(1, 40));
    return {whole.begin(), whole.end()};
}

RC_GTEST_PROP(Shares, AreNoSlowerThanAnyOther, ()) {
    const std::vector<double> speeds = any_speeds(4);
    const auto batch = *rc::gen::inRange<std::uint64_t>(speeds.size(), speeds.size() + 14);
    const Shares shares = proportional_shares(batch, speeds).value();
    RC_ASSERT(sum(shares) == batch);
    RC_ASSERT(*std::min_element(shares.begin(), shares.end()) >= 1U);
    RC_ASSERT(slowest(shares, speeds) <= brute_force(speeds, 0, batch) * (1 + 1e-12));
}

RC_GTEST_PROP(Shares, SumToAnyBatch, ()) {
    const std::vector<double> speeds = any_speeds(300);
    const auto batch = *rc::gen::inRange<std::uint64_t>(speeds.size(), 1'000'000'000);
    RC_ASSERT(sum(proportional_shares(batch, speeds).value()) == batch);
    const std::vector<double> same(speeds.size(), 3.5);
    RC_ASSERT(proportional_shares(batch, same).value() ==
              equal_shares(batch, speeds.size()).value());
}

}  // namespace
}  // namespace hora::plan
