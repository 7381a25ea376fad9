// Is what jobs held spread over time as they held it?
#include "libplanner/report/html/use_over_time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>

#include "tests/unit/report/html/some_result.hpp"

namespace hora::report {
namespace {

TEST(UseOverTime, HoldsWhatTheJobsHeld) {
    EXPECT_TRUE(rc::check([] {
        const sim::Result result = some_result();
        const auto slices = *rc::gen::inRange<std::size_t>(1, 50);
        const UseOverTime use = use_over_time(result, slices);
        double area = 0;
        for (const auto& held : use.held) {
            for (const double gpus : held) {
                area += gpus * use.slice.count();
            }
        }
        double all = 0;
        for (const sim::JobResult& job : result.jobs) {
            all += job.gpu_seconds;
        }
        RC_ASSERT(std::abs(area - all) <= 1e-6 * (1 + all));
    }));
}

TEST(UseOverTime, TellsSizesApart) {
    sim::Result result{.policy = "", .gpus = 40, .jobs = {}, .decisions = 0};
    result.jobs = {job_from(0, 10, 1), job_from(0, 10, 4), job_from(0, 5, 17)};
    const UseOverTime use = use_over_time(result, 2);
    ASSERT_EQ(use.held.size(), 2U);
    EXPECT_EQ(use.held[0], (std::array<double, 5>{1, 4, 0, 0, 17}));
    EXPECT_EQ(use.held[1], (std::array<double, 5>{1, 4, 0, 0, 0}));
    EXPECT_TRUE(use_over_time({}, 3).held.empty());
}

}  // namespace
}  // namespace hora::report
