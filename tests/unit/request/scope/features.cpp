#include "libplanner/request/scope/features.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

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
    {"and, then or", "c&c|a", true},
    {"or, then and: from left to right", "a|b&c", false},
    {"a comma does not bind either", "a|b,c", false},
    {"parentheses come first", "c&(c|a)", false},
    {"parentheses after an or", "a|(b&c)", true},
    {"from left to right in parentheses too", "a&(a|b&c)", false},
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

// sbatch --test-only on 22.05, with a node for each set of the features a to d.
const struct {
    const char* constraint;
    const char* nodes;  // by their features
} tried[] = {
    {"a|b&c", "ac bc abc acd bcd abcd"},
    {"a&b|c", "c ab ac bc cd abc abd acd bcd abcd"},
    {"a|b,c", "ac bc abc acd bcd abcd"},
    {"a,b|c", "c ab ac bc cd abc abd acd bcd abcd"},
    {"a|b&c|d", "d ac ad bc bd cd abc abd acd bcd abcd"},
    {"a&b|c&d", "cd abd acd bcd abcd"},
    {"a|b|c&d", "ad bd cd abd acd bcd abcd"},
    {"(a|b)&c", "ac bc abc acd bcd abcd"},
    {"a&(b|c)", "ab ac abc abd acd abcd"},
    {"a|(b&c)", "a ab ac ad bc abc abd acd bcd abcd"},
    {"(a|b)|c&d", "ad bd cd abd acd bcd abcd"},
    {"(a|b)&(c|d)", "ac ad bc bd abc abd acd bcd abcd"},
    {"(a&b)|(c&d)", "ab cd abc abd acd bcd abcd"},
    {"a&(b|c&d)", "abd acd abcd"},
    {"(a|b&c)&d", "acd bcd abcd"},
    {"a|(b)&c", "ac bc abc acd bcd abcd"},
};

// Every set of the features a to d, the smaller ones first.
std::vector<std::vector<std::string>> all_nodes() {
    std::vector<std::vector<std::string>> nodes;
    for (unsigned set = 0; set < 16; ++set) {
        auto& features = nodes.emplace_back();
        for (unsigned feature = 0; feature < 4; ++feature) {
            if ((set >> feature & 1) != 0) {
                features.emplace_back(1, static_cast<char>('a' + feature));
            }
        }
    }
    std::sort(nodes.begin(), nodes.end(), [](const auto& one, const auto& other) {
        return std::pair(one.size(), one) < std::pair(other.size(), other);
    });
    return nodes;
}

std::string satisfying(std::string_view constraint) {
    std::vector<std::string> names;
    for (const std::vector<std::string>& features : all_nodes()) {
        if (satisfies(constraint, features).value_or(false)) {
            names.push_back(fmt::format("{}", fmt::join(features, "")));
        }
    }
    return fmt::format("{}", fmt::join(names, " "));
}

TEST(Features, ReadsConstraintsAsSlurmDoes) {
    for (const auto& test : tried) {
        EXPECT_EQ(satisfying(test.constraint), test.nodes) << test.constraint;
    }
}

const struct {
    const char* sentence;
    const char* one;
    const char* other;
    std::optional<std::string> both;
} joined[] = {
    {"nothing on the left", "", "t", "t"},
    {"nothing on the right", "a|b", "", "a|b"},
    {"names", "a", "t", "a&t"},
    {"a choice is put in parentheses", "a|b", "t", "(a|b)&t"},
    {"choices on both sides", "a|b", "t|u", "(a|b)&(t|u)"},
    {"parentheses stay as they are", "(a|b)&c", "t", "(a|b)&c&t"},
    {"a choice behind them too", "(a&b)|c", "t", "(a&b)|c&t"},
    {"and before a choice", "(a&b)|c", "t|u", "(a&b)|c&(t|u)"},
    {"parentheses on both sides", "(a|b)&t", "(c|d)&e", "(a|b)&t&(c|d)&e"},
    {"a choice with parentheses goes first", "a&t", "(b&c)|d", "(b&c)|d&a&t"},
    {"and before another choice", "a|t", "(b&c)|d", "(b&c)|d&(a|t)"},
    {"one that needs two levels", "(a&b)|t", "(b&c)|d", std::nullopt},
    {"counts on the left", "a*2", "t", std::nullopt},
    {"brackets on the right", "t", "[a|b]", std::nullopt},
    {"parentheses in parentheses", "((a|b)&c)|d", "t", std::nullopt},
};

TEST(Features, JoinsConstraintsWithOneLevelOfParentheses) {
    for (const auto& test : joined) {
        EXPECT_EQ(both(test.one, test.other), test.both) << test.sentence;
    }
}

// Items are names and choices of names, as Slurm takes them.
std::string any_constraint() {
    const auto sequence = [](int items, const auto& item) {
        std::string text = item();
        for (int i = 1; i < items; ++i) {
            text += *rc::gen::element("&", "|", ",") + item();
        }
        return text;
    };
    const auto name = [] { return std::string(1, *rc::gen::inRange('a', 'e')); };
    const auto item = [&] {
        const bool is_group = *rc::gen::arbitrary<bool>();
        return is_group ? "(" + sequence(*rc::gen::inRange(1, 4), name) + ")" : name();
    };
    return sequence(*rc::gen::inRange(1, 4), item);
}

bool has_one_level(std::string_view constraint) {
    int depth = 0;
    int deepest = 0;
    for (const char letter : constraint) {
        depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        deepest = std::max(deepest, depth);
    }
    return deepest <= 1;
}

RC_GTEST_PROP(Features, WhatIsJoinedIsSatisfiedWhereBothAre, ()) {
    const std::string one = any_constraint();
    const std::string other = any_constraint();
    const std::optional<std::string> joint = both(one, other);
    RC_PRE(joint.has_value());
    RC_ASSERT(has_one_level(*joint));
    for (const std::vector<std::string>& features : all_nodes()) {
        const bool are_satisfied =
            satisfies(one, features).value_or(false) && satisfies(other, features).value_or(false);
        RC_ASSERT(satisfies(*joint, features).value_or(false) == are_satisfied);
    }
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
