#include "libplanner/report/duration.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace hora::report {
namespace {

struct Case {
    const char* sentence;
    double seconds;
    const char* written;
};

const Case cases[] = {
    {"no time at all", 0, "0 s"},
    {"a microsecond and a half", 1.5e-6, "1.5 us"},
    {"what rounds to three digits of microseconds", 999.4e-6, "999 us"},
    {"what rounds to 1000 microseconds is a millisecond", 999.7e-6, "1 ms"},
    {"a part of a second", 0.412, "412 ms"},
    {"what rounds to three digits of milliseconds", 0.9994, "999 ms"},
    {"what rounds to 1000 milliseconds is a second", 0.9997, "1 s"},
    {"exactly a second", 1, "1 s"},
    {"a part of a minute", 23.46, "23.5 s"},
    {"what rounds to three digits of seconds", 59.94, "59.9 s"},
    {"what rounds to 60 seconds is a minute", 59.96, "1 min"},
    {"minutes and seconds", 100, "1 min 40 s"},
    {"what rounds to 60 minutes is an hour", 3599.6, "1 h"},
    {"hours and minutes", 43380, "12 h 3 min"},
    {"what rounds to 24 hours is a day", 86390, "1 d"},
    {"days and hours", 100000, "1 d 4 h"},
    {"thousands of days", 9999 * 86400.0, "9999 d"},
    {"tens of thousands of days are a plain number", 12345 * 86400.0, "12345 d"},
    {"a time that was saved has a sign", -90, "-1 min 30 s"},
};

TEST(Duration, IsWrittenInTheUnitThatFits) {
    for (const Case& test : cases) {
        EXPECT_EQ(duration(Seconds(test.seconds)), test.written) << test.sentence;
    }
}

RC_GTEST_PROP(Duration, HasNoExponentFromNanosecondsToCenturies, ()) {
    const double exponent = *rc::gen::inRange(-9000, 10000) / 1000.0;
    const std::string written = duration(Seconds(std::pow(10, exponent)));
    RC_ASSERT(written.find_first_of("e+") == written.npos);
}

// The steps around each change of unit, one by one.
TEST(Duration, HasNoExponentWhereTheUnitChanges) {
    for (const double unit : {1e-3, 1.0, 60.0, 3600.0, 86400.0, 86400e4}) {
        for (int step = -1000; step <= 1000; ++step) {
            const double seconds = unit * (1 + step * 1e-6);
            const std::string written = duration(Seconds(seconds));
            EXPECT_EQ(written.find("e+"), written.npos) << seconds << ": " << written;
            EXPECT_EQ(written.find("60 "), written.npos) << seconds << ": " << written;
        }
    }
}

}  // namespace
}  // namespace hora::report
