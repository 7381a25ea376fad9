// Which step time do a program's reports give?
#include "libplanner/cost/measured.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hora::cost {
namespace {

domain::ProgressReport report(std::uint64_t step, double seconds, std::uint64_t samples = 0) {
    domain::ProgressReport made;
    made.step = step;
    made.samples = samples;
    made.seconds = Seconds(seconds);
    return made;
}

struct Case {
    const char* sentence;
    std::vector<domain::ProgressReport> reports;
    std::optional<double> step;  // empty: nothing is known
    std::uint64_t steps;
    double spent;
};

const Case cases[] = {
    {"no report", {}, {}, 0, 0},
    {"the first one has the start-up in it", {report(10, 99)}, {}, 0, 0},
    {"what lies between two", {report(10, 99), report(20, 5)}, 0.5, 20, 104},
    {"each counts by its steps", {report(1, 9), report(2, 1), report(5, 9)}, 2.5, 5, 19},
    {"a restart begins earlier", {report(10, 9), report(20, 5), report(11, 50)}, 0.5, 11, 64},
    {"or where it ended", {report(10, 9), report(20, 5), report(20, 50)}, 0.5, 20, 64},
    {"and goes on", {report(10, 9), report(5, 50), report(10, 5)}, 1, 10, 64},
    {"nothing but restarts", {report(10, 9), report(9, 9), report(9, 9)}, {}, 0, 0},
    {"steps that took no time", {report(10, 9), report(20, 0)}, 0, 20, 9},
};

TEST(Measured, IsTheMeanBetweenReports) {
    for (const Case& test : cases) {
        const auto measured = measured_of(test.reports);
        ASSERT_EQ(measured.has_value(), test.step.has_value()) << test.sentence;
        if (measured) {
            EXPECT_DOUBLE_EQ(measured->step_seconds.count(), *test.step) << test.sentence;
            EXPECT_EQ(measured->steps, test.steps) << test.sentence;
            EXPECT_DOUBLE_EQ(measured->spent.count(), test.spent) << test.sentence;
        }
    }
    const domain::ProgressReport reports[] = {report(1, 1, 32), report(2, 1, 64)};
    EXPECT_EQ(measured_of(reports)->samples, 64U);
}

}  // namespace
}  // namespace hora::cost
