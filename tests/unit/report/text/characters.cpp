// Is a text that others wrote harmless where it is shown?
#include "libplanner/report/text/characters.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

namespace hora::report {
namespace {

struct Case {
    const char* name;
    std::string_view text;
    std::string_view xml;
};

using namespace std::string_view_literals;

const Case cases[] = {
    {"plain text stays", "GPU 0"sv, "GPU 0"},
    {"markup is escaped", "<a href=\"x\">&amp;"sv, "&lt;a href=&quot;x&quot;&gt;&amp;amp;"},
    {"control characters become spaces", "a\0b\x1b[2J\n\x7f\xc2\x85"sv, "a b [2J   "},
    {"other scripts stay", "\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80"sv,
     "\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80"},
    {"what is no UTF-8 is replaced byte by byte", "\xff\xe6\x97"sv,
     "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    {"overlong forms are replaced", "\xc0\xbc\xe0\x80\xbc"sv,
     "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    {"surrogates are replaced", "\xed\xa0\x80"sv, "\xef\xbf\xbd"},
    {"what is no character is replaced", "\xef\xbf\xbf"sv, "\xef\xbf\xbd"},
    {"what turns the direction of writing is replaced",
     "a\xe2\x80\xae"
     "b"sv,
     "a\xef\xbf\xbd"
     "b"},
};

TEST(Characters, IsHarmless) {
    for (const Case& one : cases) {
        EXPECT_EQ(xml_of(characters_of(one.text)), one.xml) << one.name;
    }
}

RC_GTEST_PROP(Characters, HoldsNothingThatXmlForbids, (const std::string& text)) {
    for (const char32_t character : characters_of(text)) {
        RC_ASSERT(character >= 0x20 && character <= 0x10ffff);
        RC_ASSERT(character < 0xd800 || character > 0xdfff);
    }
    const std::string xml = xml_of(characters_of(text));
    RC_ASSERT(xml.find_first_of("<>\"") == std::string::npos);
    RC_ASSERT(xml_of(characters_of(xml_of(characters_of(text)))).size() >= xml.size());
}

}  // namespace
}  // namespace hora::report
