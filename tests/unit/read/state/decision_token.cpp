// Which words of a comment are Hora's, and is what is torn told apart from what is not there?
#include "libplanner/read/state/decision_token.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

// "abc act 8xh100 2n sync 0.25 60", or "none"; "-" for no word.
std::string text_of(const std::optional<domain::PlanWord>& word) {
    if (!word) {
        return "-";
    }
    if (!word->has_plan) {
        return fmt::format("{} {} none", word->key, word->operating);
    }
    return fmt::format("{} {} {}x{} {}n {} {:g} {}", word->key, word->operating, word->gpus,
                       word->type, word->nodes, static_cast<int>(word->mode),
                       word->step_seconds.count(),
                       word->seconds ? fmt::format("{:g}", word->seconds->count()) : "?");
}

struct Case {
    const char* sentence;
    const char* comment;
    const char* word;
};

const Case cases[] = {
    {"no comment", "", "-"},
    {"a comment of others", "checked by ann", "-"},
    {"a word", "hora=abc,act,8xh100,2n,sync,step=0.25s,total=60s", "abc act 8xh100 2n 1 0.25 60"},
    {"among others", "x hora=abc,act,8xh100,2n,sync,step=0.25s,total=60s y",
     "abc act 8xh100 2n 1 0.25 60"},
    {"the first of two", "hora=1,act,none hora=2,act,none", "1 act none"},
    {"without a known end", "hora=abc,act,8xh100,2n,sync,step=0.25s", "abc act 8xh100 2n 1 0.25 ?"},
    {"no plan", "hora=abc,observe,none", "abc observe none"},
    {"a type with the letter between", "hora=abc,act,8xrtx6000,2n,async,step=1s",
     "abc act 8xrtx6000 2n 2 1 ?"},
    {"an unknown mode", "hora=abc,act,8xh100,2n,later,step=1s", "abc act 8xh100 2n 0 1 ?"},
    {"a whole decision is another kind", "hora={\"version\":1}", "-"},
    {"a key that is none", "hora=xyz,act,none", "-"},
    {"no key", "hora=,act,none", "-"},
    {"a name that goes on", "xhora=abc,act,none", "-"},
    {"a number of GPUs that is none", "hora=abc,act,manyxh100,2n,sync,step=1s", "-"},
    {"that is too large", "hora=abc,act,4294967296xh100,2n,sync,step=1s", "-"},
    {"a number of nodes that is none", "hora=abc,act,8xh100,2,sync,step=1s", "-"},
    {"a time without its unit", "hora=abc,act,8xh100,2n,sync,step=1", "-"},
    {"a time that is none", "hora=abc,act,8xh100,2n,sync,step=infs", "-"},
    {"cut short", "hora=abc,act,8xh100,2n", "-"},
    {"and shorter", "hora=abc", "-"},
};

TEST(PlanWord, IsFoundInAComment) {
    for (const Case& test : cases) {
        EXPECT_EQ(text_of(find_plan_word(test.comment)), test.word) << test.sentence;
    }
}

TEST(PlanWord, HasAKeyOfSafeLetters) {
    EXPECT_TRUE(is_plan_key("0123456789abcdef-"));
    EXPECT_TRUE(is_plan_key(std::string(32, 'a')));
    EXPECT_FALSE(is_plan_key(std::string(33, 'a')));
    for (const char* text : {"", "g", "A", "../a", "a/b", "a.b", "a b", "a\n"}) {
        EXPECT_FALSE(is_plan_key(text)) << text;
    }
}

TEST(PlanWord, IsToldFromOtherWords) {
    EXPECT_TRUE(is_plan_word("hora={"));
    EXPECT_TRUE(is_plan_word("hora=abc"));
    EXPECT_TRUE(is_plan_word("hora=abc,act"));
    EXPECT_FALSE(is_plan_word("hora="));
    EXPECT_FALSE(is_plan_word("hora=yes"));
    EXPECT_FALSE(is_plan_word("hora"));
    EXPECT_FALSE(is_plan_word(""));
    EXPECT_EQ(find_word("a hora=yes hora=abc b"), "hora=abc");
    EXPECT_EQ(find_word("a  b"), "");
}

constexpr const char* least =
    R"({"version":1,"operating":"act","submitted":0,"snapshot":0,"partition":"p","plan":null,)"
    R"("remark":"no~plan","options":[],"changes":[],"rejected":[]})";

TEST(Decision, IsReadWhereItIsWhole) {
    const auto read = find_decision(fmt::format("x hora={} y", least));
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->remark, "no plan");
    EXPECT_FALSE((*read)->has_plan);
    EXPECT_EQ(*find_decision("nothing"), std::nullopt);
    EXPECT_EQ(*find_decision("hora=abc,act,none"), std::nullopt) << "it is kept elsewhere";
}

TEST(Decision, IsNotReadWhereItIsTorn) {
    const std::string whole = least;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto read = read_record(whole.substr(0, size));
        ASSERT_FALSE(read) << size;
        EXPECT_EQ(read.error().message, "the plan kept with the job is damaged");
    }
    const std::pair<std::string, const char*> rows[] = {
        {R"({"version":2})", "the plan kept with the job is of another version of Hora"},
        {R"({"version":"1"})", "the plan kept with the job is of another version of Hora"},
        {R"({"version":1})", "the plan kept with the job is damaged"},
        {"[1]", "the plan kept with the job is damaged"},
        {"1", "the plan kept with the job is damaged"},
        {std::string(70000, '['), "the plan kept with the job is longer than any that Hora writes"},
        {std::string(60000, '['), "the plan kept with the job is damaged"},
    };
    for (const auto& [text, message] : rows) {
        EXPECT_EQ(read_record(text).error().message, message) << text.substr(0, 20);
    }
}

}  // namespace
}  // namespace hora::read
