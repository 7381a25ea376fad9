#include "libplanner/report/text/text_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hora::report {
namespace {

struct Case {
    const char* sentence;
    const char* text;
    std::size_t widest;
    const char* shown;
    std::size_t width;
};

const Case cases[] = {
    {"short text stays", "train", 5, "train", 5},
    {"long text is cut", "trains", 5, "trai…", 5},
    {"nothing is nothing", "", 5, "", 0},
    {"wide letters take two columns", "日本語", 6, "日本語", 6},
    {"wide letters are cut where they fit", "日本語", 4, "日…", 3},
    {"a marked letter takes one column", "e\xcc\x81", 1, "e\xcc\x81", 1},
    {"an escape sequence does nothing", "\x1b[2J", 9, " [2J", 4},
    {"bytes that are no text are replaced", "\xff", 9, "\xef\xbf\xbd", 1},
};

TEST(TerminalText, IsPrintableAndFits) {
    for (const Case& c : cases) {
        SCOPED_TRACE(c.sentence);
        const std::string shown = terminal_text(c.text, c.widest);
        EXPECT_EQ(shown, c.shown);
        EXPECT_EQ(terminal_width(shown), c.width);
    }
}

TEST(TerminalText, AnythingFits) {
    EXPECT_TRUE(rc::check([] {
        const auto text = *rc::gen::arbitrary<std::string>();
        const auto widest = *rc::gen::inRange<std::size_t>(1, 40);
        const std::string shown = terminal_text(text, widest);
        RC_ASSERT(terminal_width(shown) <= widest);
        for (const char letter : shown) {
            RC_ASSERT(static_cast<unsigned char>(letter) >= 0x20);
        }
    }));
}

TEST(TextTable, AlignsItsColumns) {
    EXPECT_EQ(text_table({{"JOB", true}, {"NAME", false, 4}, {"WHY"}},
                         {{"7", "日本語", "one"}, {"1234", "ab", ""}}, "  "),
              "   JOB  NAME  WHY\n"
              "     7  日…   one\n"
              "  1234  ab\n");
    EXPECT_EQ(text_table({{"JOB", true}}, {}), "JOB\n");
    EXPECT_EQ(text_table({{""}, {"", true}}, {{"a", "12"}, {"é\n", "3"}}), "a   12\né    3\n")
        << "without titles there is no line of them";
}

}  // namespace
}  // namespace hora::report
