#include "libplanner/request/scope/features.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace hora::request {
namespace {

struct Case {
    const char* sentence;
    const char* constraint;
    std::optional<bool> holds;  // empty: not understood
};

const Case cases[] = {
    {"nothing asked, all allowed", "", true},
    {"a feature that is there", "a", true},
    {"a feature that is not", "c", false},
    {"both of two", "a&b", true},
    {"one of two is not both", "a&c", false},
    {"a comma is an and", "a,c", false},
    {"one of two is enough for or", "c|a", true},
    {"and binds before or", "c&c|a", true},
    {"parentheses come first", "c&(c|a)", false},
    {"counts tie nodes to each other", "a*2", std::nullopt},
    {"so do brackets", "[a|b]", std::nullopt},
    {"a parenthesis without an end", "(a", std::nullopt},
    {"an operator without an operand", "a&", std::nullopt},
};

TEST(Features, ReadsConstraints) {
    const std::vector<std::string> features{"a", "b"};
    for (const Case& test : cases) {
        const auto holds = satisfies(test.constraint, features);
        EXPECT_EQ(holds.has_value(), test.holds.has_value()) << test.sentence;
        if (holds && test.holds) {
            EXPECT_EQ(*holds, *test.holds) << test.sentence;
        }
    }
    EXPECT_FALSE(satisfies(std::string(100'000, '('), features)) << "depth is bounded";
}

TEST(Features, FindsTheOneThatMeansThoseNodes) {
    std::vector<domain::NodeState> states(3);
    states[0].features = {"gpu", "z", "fast"};
    states[1].features = {"gpu", "fast", "z"};
    states[2].features = {"gpu"};
    const std::vector<std::uint32_t> all{0, 1, 2};
    const std::vector<std::uint32_t> wanted{0, 1};
    EXPECT_EQ(feature_of(states, wanted, all, "z"), "z");
    EXPECT_EQ(feature_of(states, wanted, all, "h100"), "fast");
    EXPECT_EQ(feature_of(states, all, all, ""), "gpu");
    EXPECT_EQ(feature_of(states, std::vector<std::uint32_t>{2}, all, ""), "");
}

}  // namespace
}  // namespace hora::request
