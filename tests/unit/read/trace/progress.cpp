#include "libplanner/read/trace/progress.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

struct Case {
    const char* sentence;
    std::string text;
    std::vector<domain::ProgressReport> reports;
    std::size_t unreadable;
};

const std::string first = R"({"step":1,"epoch":1,"samples":64,"seconds":0.5})";
const std::string second = R"({"step":2,"epoch":1,"samples":128,"seconds":0.25})";
const domain::ProgressReport one{1, 1, 64, Seconds(0.5)};
const domain::ProgressReport two{2, 1, 128, Seconds(0.25)};

const Case cases[] = {
    {"an empty file holds nothing yet", "", {}, 0},
    {"a line is a report", first + "\n", {one}, 0},
    {"reports keep their order", first + "\n" + second + "\n", {one, two}, 0},
    {"a last line without its end is still whole", first + "\n" + second, {one, two}, 0},
    {"a torn last line is left out", first + "\n" + second.substr(0, 20), {one}, 1},
    {"a line torn by a full disk is left out", first.substr(0, 9) + "\n" + second + "\n", {two}, 1},
    {"an empty line is nothing", first + "\n\n" + second + "\n", {one, two}, 0},
    {"a key of the program's own is passed over",
     R"({"step":2,"epoch":1,"samples":128,"seconds":0.25,"loss":1.5})",
     {two},
     0},
    {"a noise scale is rounded to samples",
     R"({"step":2,"epoch":1,"samples":128,"seconds":0.25,"noise_scale":1234.5})",
     {{2, 1, 128, Seconds(0.25), 1235}},
     0},
    {"and is 1 at least",
     R"({"step":2,"epoch":1,"samples":128,"seconds":0.25,"noise_scale":1e-9})",
     {{2, 1, 128, Seconds(0.25), 1}},
     0},
    {"and a million millions at most",
     R"({"step":2,"epoch":1,"samples":128,"seconds":0.25,"noise_scale":1e300})",
     {{2, 1, 128, Seconds(0.25), 1'000'000'000'000}},
     0},
    {"a negative noise scale is not said",
     R"({"step":2,"epoch":1,"samples":128,"seconds":0.25,"noise_scale":-5})",
     {two},
     0},
    {"nor is one of nothing",
     R"({"step":2,"epoch":1,"samples":128,"seconds":0.25,"noise_scale":0})",
     {two},
     0},
    {"nor is null",
     R"({"step":2,"epoch":1,"samples":128,"seconds":0.25,"noise_scale":null})",
     {two},
     0},
    {"nor is a word",
     R"({"step":2,"epoch":1,"samples":128,"seconds":0.25,"noise_scale":"much"})",
     {two},
     0},
    {"a negative step is no step", first + "\n" + R"({"step":-2,"seconds":1})", {one}, 1},
    {"a step beyond 2^53 is no step",
     first + "\n" + R"({"step":18446744073709551615,"seconds":1})",
     {one},
     1},
    {"time does not run backwards", first + "\n" + R"({"step":2,"seconds":-1})", {one}, 1},
    {"endless time is no time", first + "\n" + R"({"step":2,"seconds":1e999})", {one}, 1},
    {"an overlong line is not even parsed",
     first + "\n" + R"({"step":2,"seconds":1,"x":")" + std::string(2000, 'x') + "\"}\n",
     {one},
     1},
};

TEST(Progress, ReadsWhatIsWhole) {
    for (const Case& test : cases) {
        const auto progress = read_progress(test.text);
        ASSERT_TRUE(progress.has_value()) << test.sentence;
        EXPECT_EQ(progress->reports, test.reports) << test.sentence;
        EXPECT_EQ(progress->unreadable, test.unreadable) << test.sentence;
    }
}

TEST(Progress, SaysWhatALineIsWhenNoneIsReadable) {
    const auto progress = read_progress("loss 0.5\nloss 0.4\n");
    ASSERT_FALSE(progress.has_value());
    EXPECT_EQ(progress.error().message,
              "no progress line is readable, the first is \"loss 0.5\"; a line is "
              R"({"step":1,"epoch":1,"samples":64,"seconds":0.5})");
}

}  // namespace
}  // namespace hora::read
