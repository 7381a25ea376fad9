#include "libplanner/read/slurm/slurm_time.hpp"

#include <gtest/gtest.h>

namespace hora::read {
namespace {

struct Good {
    const char* text;
    double seconds;
};

TEST(SlurmTime, IsReadAsSlurmReadsIt) {
    const Good cases[] = {{"0", 0},          {"5", 300},           {"5:30", 330},
                          {"1:02:03", 3723}, {"2-3", 183600},      {"2-3:4", 183840},
                          {"0-0:0:7", 7},    {"1-00:00:01", 86401}};
    for (const Good& test : cases) {
        const auto time = parse_slurm_time(test.text);
        ASSERT_TRUE(time.has_value()) << test.text;
        EXPECT_EQ(*time, Seconds(test.seconds)) << test.text;
    }
}

TEST(SlurmTime, IsRefusedWhereItIsNone) {
    for (const char* text : {"", "-", "1-", "-1", "1:", ":1", "1:2:3:4", "1-2-3", "5m", "+5", " 5",
                             "INFINITE", "400-0", "99999999999999999999"}) {
        const auto time = parse_slurm_time(text);
        ASSERT_FALSE(time.has_value()) << text;
        EXPECT_EQ(time.error().kind, ErrorKind::wrong_use) << text;
    }
}

}  // namespace
}  // namespace hora::read
