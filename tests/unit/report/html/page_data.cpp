// Are the numbers of the charts those of the result?
#include "libplanner/report/html/page_data.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/unit/report/html/some_result.hpp"

namespace hora::report {
namespace {

TEST(PageData, CurveEndsWithAllJobs) {
    EXPECT_TRUE(rc::check([] {
        const auto data = nlohmann::json::parse(page_data(page_of(some_result())));
        const auto& curve = data["runs"][0]["curve"];
        double before = 0;
        for (const auto& point : curve) {
            RC_ASSERT(point[1].get<double>() >= before);
            before = point[1].get<double>();
        }
        const bool is_whole = curve.empty() || before == 1;
        RC_ASSERT(is_whole);
    }));
}

TEST(PageData, LargeClustersAreShownBySize) {
    sim::Result result{.policy = "", .gpus = 1000, .jobs = {job_from(0, 9, 1)}, .decisions = 0};
    EXPECT_TRUE(nlohmann::json::parse(page_data(page_of(result)))["runs"][0]["bars"].is_null());
    result.gpus = 100;
    EXPECT_EQ(nlohmann::json::parse(page_data(page_of(result)))["runs"][0]["bars"].size(), 1U);
}

}  // namespace
}  // namespace hora::report
