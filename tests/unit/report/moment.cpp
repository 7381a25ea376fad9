// Is a point in time written in UTC, whatever the site's time zone, and however far away it is?
#include "libplanner/report/moment.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <ctime>
#include <limits>

namespace hora::report {
namespace {

struct Case {
    const char* sentence;
    std::int64_t seconds;
    const char* text;
};

const Case cases[] = {
    {"the epoch", 0, "1970-01-01 00:00:00 UTC"},
    {"a second before it", -1, "1969-12-31 23:59:59 UTC"},
    {"a leap day", 1709164800, "2024-02-29 00:00:00 UTC"},
    {"the hour that Berlin's clocks leave out", 1711850400, "2024-03-31 02:00:00 UTC"},
    {"the hour that they show twice", 1729990800, "2024-10-27 01:00:00 UTC"},
    {"beyond 32 bits", 4294967296, "2106-02-07 06:28:16 UTC"},
    {"the last second of the year 9999", 253402300799, "9999-12-31 23:59:59 UTC"},
    {"a year of more digits", 253402300800, "253402300800 s after 1970"},
    {"the last that JSON files of Hora may hold", std::int64_t{1} << 40,
     "1099511627776 s after 1970"},
    {"a year before the first", -62167219201, "62167219201 s before 1970"},
    {"the greatest number", std::numeric_limits<std::int64_t>::max(),
     "9223372036854775807 s after 1970"},
    {"the least number", std::numeric_limits<std::int64_t>::min(),
     "9223372036854775808 s before 1970"},
};

TEST(Moment, IsWrittenInUtc) {
    for (const char* const zone : {"UTC", "Europe/Berlin", "America/St_Johns", "XYZ-14"}) {
        ::setenv("TZ", zone, 1);
        ::tzset();
        for (const Case& one : cases) {
            EXPECT_EQ(moment(one.seconds), one.text) << one.sentence << ", " << zone;
        }
    }
    ::unsetenv("TZ");
    ::tzset();
}

}  // namespace
}  // namespace hora::report
