// Which numbers of GPUs does a rule leave?
#include "libplanner/domain/size_rule.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace hora::domain {
namespace {

using Kind = SizeRule::Kind;
using Sizes = std::vector<std::uint32_t>;

struct Case {
    const char* sentence;
    SizeRule rule;
    std::uint32_t min;
    std::uint32_t max;
    Sizes sizes;  // on nodes of 4 GPUs
};

const Case cases[] = {
    {"any", {Kind::any, {}}, 2, 5, {2, 3, 4, 5}},
    {"powers, the ends too", {Kind::powers, {}}, 2, 8, {2, 4, 8}},
    {"powers between", {Kind::powers, {}}, 3, 7, {4}},
    {"no power between", {Kind::powers, {}}, 5, 7, {}},
    {"powers up to what a number can say", {Kind::powers, {}}, 1U << 31U, ~0U, {1U << 31U}},
    {"whole nodes", {Kind::nodes, {}}, 1, 12, {4, 8, 12}},
    {"less than a node", {Kind::nodes, {}}, 1, 3, {}},
    {"a list", {Kind::listed, {1, 3, 9}}, 2, 9, {3, 9}},
    {"a range that is empty", {Kind::listed, {1, 3, 9}}, 5, 4, {}},
};

TEST(SizeRule, LeavesTheseSizes) {
    for (const Case& test : cases) {
        EXPECT_EQ(test.rule.sizes(test.min, test.max, 4), test.sizes) << test.sentence;
    }
    EXPECT_EQ((SizeRule{Kind::nodes, {}}.sizes(1, 8, 0)), Sizes()) << "no node is known";
}

RC_GTEST_PROP(SizeRule, ListsWhatItAllows, ()) {
    SizeRule rule{*rc::gen::element(Kind::any, Kind::powers, Kind::nodes, Kind::listed), {}};
    if (rule.kind == Kind::listed) {
        for (std::uint32_t gpus = 1; gpus <= 40; ++gpus) {
            if (*rc::gen::arbitrary<bool>()) {
                rule.listed.push_back(gpus);
            }
        }
    }
    const auto min = *rc::gen::inRange(1U, 40U);
    const auto max = *rc::gen::inRange(1U, 40U);
    const auto whole = *rc::gen::inRange(1U, 9U);
    Sizes allowed;
    for (std::uint32_t gpus = min; gpus <= max; ++gpus) {
        if (rule.allows(gpus, whole)) {
            allowed.push_back(gpus);
        }
    }
    RC_ASSERT(rule.sizes(min, max, whole) == allowed);
}

TEST(SizeRule, IsWrittenAsItIsTyped) {
    EXPECT_EQ(text_of({Kind::any, {}}), "any");
    EXPECT_EQ(text_of({Kind::powers, {}}), "powers");
    EXPECT_EQ(text_of({Kind::nodes, {}}), "nodes");
    EXPECT_EQ(text_of({Kind::listed, {1, 2, 4}}), "1,2,4");
}

}  // namespace
}  // namespace hora::domain
