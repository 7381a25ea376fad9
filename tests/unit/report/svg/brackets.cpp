// Do brackets below a row of boxes keep apart and nest?
#include "libplanner/report/svg/brackets.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>

namespace hora::report {
namespace {

const std::vector<double> middles = {0, 100, 200, 300, 400, 500, 600, 700};

bool touch(const Bracket& one, const Bracket& other) {
    return one.left <= other.right && other.left <= one.right;
}

TEST(Brackets, NeighboursShareALineAndTheWayBackRunsBelow) {
    std::vector<Bracket> ring = {{.a = 0, .b = 1}, {.a = 1, .b = 2}, {.a = 2, .b = 0}};
    EXPECT_EQ(lay_brackets(ring, middles, 80, 12), 2u);
    EXPECT_EQ(ring[0].line, 0u);
    EXPECT_EQ(ring[1].line, 0u);
    EXPECT_EQ(ring[2].line, 1u);
    EXPECT_LT(ring[2].left, ring[0].left);
    EXPECT_GT(ring[2].right, ring[1].right);
}

TEST(Brackets, OuterOnesRunBelowAllOthers) {
    std::vector<Bracket> both = {{.a = 0, .b = 7}, {.a = 0, .b = 1, .is_outer = true}};
    EXPECT_EQ(lay_brackets(both, middles, 80, 12), 1u);
    EXPECT_EQ(both[1].line, 1u);
}

RC_GTEST_PROP(Brackets, NoTwoOnOneLineTouchAndNoneLeavesItsBox, ()) {
    std::vector<Bracket> brackets;
    const auto count = *rc::gen::inRange<std::size_t>(0, 24);
    for (std::size_t i = 0; i < count; ++i) {
        const auto a = *rc::gen::inRange<std::uint32_t>(0, 8);
        const auto step = *rc::gen::inRange<std::uint32_t>(1, 8);
        brackets.push_back({.a = a, .b = (a + step) % 8, .is_outer = *rc::gen::arbitrary<bool>()});
    }
    const std::size_t inner = lay_brackets(brackets, middles, 80, 12);
    for (std::size_t i = 0; i < count; ++i) {
        const Bracket& one = brackets[i];
        RC_ASSERT(one.left < one.right);
        RC_ASSERT(one.left > middles[one.a] && one.left <= middles[one.a] + 40);
        RC_ASSERT(one.right < middles[one.b] && one.right >= middles[one.b] - 40);
        RC_ASSERT(one.is_outer == (one.line >= inner));
        for (std::size_t j = 0; j < i; ++j) {
            RC_ASSERT(one.line != brackets[j].line || !touch(one, brackets[j]));
        }
    }
}

}  // namespace
}  // namespace hora::report
