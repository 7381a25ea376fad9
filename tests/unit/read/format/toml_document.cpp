// Is what is no TOML refused with its place, and nothing so deep that it exhausts the stack?
#include "libplanner/read/format/toml_document.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

std::string problem_of(std::string_view text) {
    const auto document = parse_toml(text, "f");
    return document ? "" : document.error().message;
}

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) {
        text += piece;
    }
    return text;
}

const std::string too_deep =
    "more than 64 dots in a line; give names of fewer parts, or several lines";

TEST(TomlDocument, HasNamesOfSomeParts) {
    EXPECT_EQ(problem_of(""), "");
    EXPECT_EQ(problem_of(fmt::format("a{} = 1\n", repeated(".a", 64))), "");
    EXPECT_EQ(problem_of(fmt::format("a{} = 1\n", repeated(".a", 65))), "f:1: " + too_deep);
    EXPECT_EQ(problem_of(fmt::format("\nb = 1\n[a{}]", repeated(".a", 65))), "f:3: " + too_deep);
    EXPECT_EQ(problem_of(repeated("a = [1.5, 2.5]\n", 1).append(repeated("# 1.5\n", 100))), "");
}

// However a '#' gets there: a name after it is none of a comment's.
TEST(TomlDocument, HasNoDeepNameBehindASharp) {
    const std::string deep = repeated(".a", 200'000);
    for (const std::string& text :
         {fmt::format("\"#\"{} = 1", deep), fmt::format("'#'{} = 1", deep),
          fmt::format("[\"#\"{}]", deep), fmt::format("\"\\\"#\"{} = 1", deep),
          fmt::format("x = [\"\"\"\n# \"\"\", {{a{} = 1}}]", deep)}) {
        EXPECT_TRUE(problem_of(text).ends_with(too_deep)) << text.substr(0, 20);
    }
}

TEST(TomlDocument, MayHaveCommentsOfDots) {
    EXPECT_EQ(problem_of(fmt::format("a = 1 # {}\n", repeated(".", 200))), "");
    EXPECT_EQ(problem_of(fmt::format("# {}\n", repeated("...", 40))), "");
}

TEST(TomlDocument, SaysWhereItGoesWrong) {
    EXPECT_TRUE(problem_of("a = 1\nb = \n").starts_with("f:2:")) << problem_of("a = 1\nb = \n");
    EXPECT_TRUE(problem_of("a = 1\na = 2\n").starts_with("f:2:")) << problem_of("a = 1\na = 2\n");
    EXPECT_EQ(problem_of("a = 1\n[]\n").substr(0, 4), "f:2:");
    EXPECT_FALSE(problem_of("[a").empty());
    EXPECT_FALSE(problem_of("\xff = 1").empty());
}

TEST(TomlDocument, SaysSoInOneLine) {
    for (const std::string& text :
         {std::string("a = \n"), std::string("a\x1b = 1"),
          std::string("\"a\\u001b\" = 1\n\"a\\u001b\" = 2\n"),
          std::string("\"a\\nb\" = 1\n[\"a\\nb\"]\n"), "[a" + std::string(1, '\n')}) {
        const auto document = parse_toml(text, "a\nfile");
        ASSERT_FALSE(document) << text;
        EXPECT_EQ(document.error().message.find_first_of("\n\x1b"), std::string::npos)
            << document.error().message;
    }
}

}  // namespace
}  // namespace hora::read
