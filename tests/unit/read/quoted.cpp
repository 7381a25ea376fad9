#include "libplanner/read/quoted.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hora::read {
namespace {

struct Case {
    const char* sentence;
    std::string_view text;
    std::size_t longest;
    std::string_view shown;
};

const Case cases[] = {
    {"an empty text stays empty", "", 8, ""},
    {"text beyond ASCII is kept", "\xc3\xa9", 8, "\xc3\xa9"},
    {"each control character becomes one question mark", "a\n\x1b[0m\x7f", 16, "a??[0m?"},
    {"U+0080 to U+009F are one each as well", "\xc2\x80-\xc2\x9b-\xc2\x9f", 16, "?-?-?"},
    {"U+00A0 and what follows it are text", "\xc2\xa0\xc2\xbf", 16, "\xc2\xa0\xc2\xbf"},
    {"the second byte of another character is no control character", "\xc3\x9b", 8, "\xc3\x9b"},
    {"a text of the longest length is whole", "abcd", 4, "abcd"},
    {"a longer one is cut", "abcde", 4, "abcd..."},
    {"between its characters", "abc\xc3\xa9", 4, "abc..."},
    {"also where one of four bytes would fit but for its last", "\xf0\x9f\x98\x80x", 3, "..."},
    {"bytes that are no UTF-8 are cut anywhere", "\x80\x80\x80\x80\x80", 4, "\x80\x80\x80\x80..."},
    {"to nothing", "\xc3\xa9", 0, "..."},
};

TEST(Printable, ReplacesControlCharactersAndCuts) {
    for (const Case& test : cases) {
        EXPECT_EQ(printable(test.text, test.longest), test.shown) << test.sentence;
    }
}

TEST(HasControl, FindsWhatPrintableReplaces) {
    for (const Case& test : cases) {
        const bool is_replaced = test.shown.find('?') != std::string_view::npos;
        EXPECT_EQ(has_control(test.text), is_replaced) << test.sentence;
    }
}

TEST(Quoted, Shows64Characters) {
    const std::string longest(64, 'a');
    EXPECT_EQ(read::quoted(longest), '"' + longest + '"');
    EXPECT_EQ(read::quoted(longest + 'b'), '"' + longest + "...\"");
}

TEST(QuotedPath, ShowsAllOfIt) {
    const std::string deep = "/" + std::string(90, 'a') + "/" + std::string(90, 'b') + "/1.10";
    EXPECT_EQ(quoted_path(deep), '"' + deep + '"');
    EXPECT_EQ(quoted_path("/tmp/a\nhora: b\x1b[2J"), "\"/tmp/a?hora: b?[2J\"");
    EXPECT_EQ(quoted_path(""), "\"\"");
}

RC_GTEST_PROP(Printable, HoldsNoControlCharacter, ()) {
    const auto bytes = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("a\n\x1b\x7f\x80\x9b\x9f\xa0\xc2\xc3")));
    const std::string shown = printable(bytes, 100);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto letter = static_cast<unsigned char>(shown[i]);
        RC_ASSERT(letter >= 0x20);
        RC_ASSERT(letter != 0x7f);
        const bool is_second = i > 0 && static_cast<unsigned char>(shown[i - 1]) == 0xc2;
        RC_ASSERT(!(is_second && letter >= 0x80 && letter < 0xa0));
    }
}

}  // namespace
}  // namespace hora::read
