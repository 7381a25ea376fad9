// Is what is no JSON refused with its place, and a key that an object has twice?
#include "libplanner/read/format/json_document.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

struct Case {
    const char* sentence;
    const char* text;
    const char* begins;  // of the message; "": none
};

const Case cases[] = {
    {"a value", "1", ""},
    {"the same key in two objects", R"({"a": {"a": 1}, "b": {"a": 2}})", ""},
    {"and in objects of a list", R"([{"a": 1}, {"a": 2}])", ""},
    {"a key twice", R"({"a": 1, "a": 2})", "names the key \"a\" of one object twice"},
    {"with an object between", R"({"a": {"b": 1}, "c": 2, "a": 3})",
     "names the key \"a\" of one object twice"},
    {"further inside", R"([{"x": {"a": 1, "a": 2}}])", "names the key \"a\" of one object twice"},
    {"by another spelling", R"({"a": 1, "\u0061": 2})", "names the key \"a\" of one object twice"},
    {"nothing", "", "line 1, column 1: no JSON: "},
    {"a comma too many", "[1,\n 2,]", "line 2, column 4: no JSON: "},
    {"more behind it", "1 2", "line 1, column 3: no JSON: "},
    {"a text without an end", "\n\n\"abc", "line 3, column "},
    {"bytes that are no letters", "\"\xff\"", "line 1, column "},
    {"a number that is none", "1e999", "a number is too large: "},
};

TEST(JsonDocument, IsOneValue) {
    for (const Case& test : cases) {
        const auto document = parse_json(test.text);
        const std::string message = document ? "" : document.error().message;
        EXPECT_TRUE(*test.begins == '\0' ? message.empty() : message.starts_with(test.begins))
            << test.sentence << ": " << message;
        if (!document) {
            EXPECT_EQ(document.error().kind, ErrorKind::wrong_use) << test.sentence;
        }
    }
}

TEST(JsonDocument, MayBeDeep) {
    const std::string open(100'000, '[');
    EXPECT_TRUE(parse_json(open + std::string(100'000, ']')));
    EXPECT_FALSE(parse_json(open));
}

}  // namespace
}  // namespace hora::read
