// Is a line of Slurm's configuration files read as Slurm reads it?
#include "libplanner/read/slurm/conf_line.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

// "1: a=x b=y | 3: c=z"
std::string text_of(std::string_view text) {
    std::string result;
    ConfLines lines(text);
    while (const auto line = lines.next()) {
        result += (result.empty() ? "" : "| ") + std::to_string(line->number) + ": ";
        for (const auto& [key, value] : line->fields) {
            result += key + "=" + value + " ";
        }
    }
    return result;
}

struct Case {
    const char* sentence;
    const char* text;
    const char* lines;
};

const Case cases[] = {
    {"no text", "", ""},
    {"keys in any case, values as they are", "NodeName=N1 CPUs=4\n", "1: cpus=4 nodename=N1 "},
    {"without an end of line", "a=1", "1: a=1 "},
    {"lines without fields count", "\n\na=1\n", "1: | 2: | 3: a=1 "},
    {"blanks around the sign", "a = 1\tb= 2", "1: a=1 b=2 "},
    {"a value in quotes has blanks", "a=\"x y\" b=2", "1: a=x y b=2 "},
    {"quotes that are not closed", "a=\"x y", "1: a=x y "},
    {"the first of a key", "a=1 A=2", "1: a=1 "},
    {"an empty value", "a= b=2", "1: a=b=2 "},
    {"words without a sign are passed over", "x y a=1 z", "1: a=1 "},
    {"a comment", "a=1 # b=2\n# c=3\nd=4", "1: a=1 | 2: | 3: d=4 "},
    {"a sharp that a backslash precedes", "a=1\\#2", "1: a=1\\#2 "},
    {"a line that goes on", "a=1 \\\nb=2\nc=3", "1: a=1 b=2 | 3: c=3 "},
    {"in the middle of a word", "a=1\\\n2", "1: a=12 "},
    {"blanks in front part the words", "a=1\\\n b=2", "1: a=1 b=2 "},
    {"at the end of the text", "a=1\\", "1: a=1 "},
    {"a comment ends before what would go on", "a=1 # x \\\nb=2", "1: a=1 | 2: b=2 "},
    {"an end of line of Windows", "a=1\r\nb=2\r\n", "1: a=1 | 2: b=2 "},
    {"a sign alone", "=", "1: = "},
};

TEST(ConfLine, HasFieldsByTheirKeys) {
    for (const Case& test : cases) {
        EXPECT_EQ(text_of(test.text), test.lines) << test.sentence;
    }
}

// A file of nothing but backslashes is read once, and ends.
TEST(ConfLine, EndsWhateverGoesOn) {
    std::string text;
    for (int i = 0; i < 10000; ++i) {
        text += "\\\n";
    }
    EXPECT_EQ(text_of(text), "1: ");
}

}  // namespace
}  // namespace hora::read
