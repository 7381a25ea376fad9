// Does a word of Hora's come and go in a comment without a trace in the words of others?
#include "plugins/slurm/jobs/comment_word.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "libplanner/read/whole_number.hpp"

namespace hora::slurm {
namespace {

constexpr std::string_view key = "k=";

std::optional<int> parse(std::string_view value) {
    const auto number = read::parse_whole_number(value, {1, 99});
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

TEST(CommentWord, ReplacesItsOwnAndLeavesTheRest) {
    const struct {
        const char* sentence;
        const char* comment;
        const char* without;
        const char* with;
    } cases[] = {
        {"an empty comment", "", "", "k=7"},
        {"of others", "a b", "a b", "a b k=7"},
        {"its own alone", "k=1", "", "k=7"},
        {"first", "k=1 a", "a", "a k=7"},
        {"in the middle", "a k=1 b", "a b", "a b k=7"},
        {"last", "a k=1", "a", "a k=7"},
        {"several", "k=1 a k=2 k=3 b", "a b", "a b k=7"},
        {"without a value", "a k= b", "a b", "a b k=7"},
        {"a word that only ends so", "xk=1", "xk=1", "xk=1 k=7"},
        {"its key without the sign", "k k:1", "k k:1", "k k:1 k=7"},
        {"another case", "K=1", "K=1", "K=1 k=7"},
        {"several blanks", "a  b", "a  b", "a  b k=7"},
        {"blanks at its end", "a ", "a ", "a  k=7"},
        {"blanks at its start", "  a", "  a", "  a k=7"},
        {"lines", "a\nk=1", "a\nk=1", "a\nk=1 k=7"},
    };
    for (const auto& row : cases) {
        EXPECT_EQ(without_word(row.comment, key), row.without) << row.sentence;
        EXPECT_EQ(with_word(row.comment, key, "7"), row.with) << row.sentence;
    }
}

TEST(CommentWord, HasTheFirstValueOfWhichAnythingIsMade) {
    const struct {
        const char* sentence;
        const char* comment;
        std::optional<int> value;
    } cases[] = {
        {"nothing", "", {}},
        {"no word", "a b", {}},
        {"one", "a k=7 b", 7},
        {"the first of two", "k=7 k=8", 7},
        {"the first that can be read", "k= k=x k=100 k=8", 8},
        {"none that can be", "k= k=x k=100", {}},
        {"no part of another word", "xk=7", {}},
        {"more than a value", "k=7x", {}},
        {"another sign", "k=k=7", {}},
    };
    for (const auto& row : cases) {
        EXPECT_EQ(value_of_word(row.comment, key, parse), row.value) << row.sentence;
    }
}

RC_GTEST_PROP(CommentWord, LeavesNoTrace, ()) {
    const auto comment = *rc::gen::container<std::string>(rc::gen::elementOf(std::string(" ak=7")));
    const std::string rest = without_word(comment, key);
    RC_ASSERT(without_word(rest, key) == rest);
    RC_ASSERT(value_of_word(rest, key, parse) == std::nullopt);
    const std::string with = with_word(comment, key, "42");
    RC_ASSERT(value_of_word(with, key, parse) == 42);
    RC_ASSERT(without_word(with, key) == rest);
    RC_ASSERT(with_word(with, key, "42") == with);
    if (comment.find(key) == std::string::npos) {
        RC_ASSERT(rest == comment);
    }
}

}  // namespace
}  // namespace hora::slurm
