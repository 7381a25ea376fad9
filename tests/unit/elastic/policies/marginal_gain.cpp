// Does each GPU go where it saves the most time?
#include "libplanner/elastic/policies/marginal_gain.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>

#include "libplanner/elastic/worth/sizes.hpp"
#include "tests/unit/elastic/policies/published.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

TEST(MarginalGain, GivesEachGpuWhereItSavesMost) {
    const PublishedCase cases[] = {
        {"everyone has one first",
         "marginal-gain",
         2,
         0,
         {{0, 1, 1, levels}, {0, 1, 99, levels}},
         {1, 1}},
        {"in the order of submission",
         "marginal-gain",
         1,
         0,
         {{0, 1, 1, levels}, {0, 1, 99, levels}},
         {1, 0}},
        {"then most is left, most is saved",
         "marginal-gain",
         5,
         0,
         {{1, 1, 1, levels}, {1, 1, 9, levels}},
         {1, 4}},
        {"what was given before is given anew",
         "marginal-gain",
         5,
         0,
         {{4, 1, 1, levels}, {1, 1, 9, levels}},
         {1, 4}},
        {"nothing that slows down", "marginal-gain", 4, 0, {{1, 1, 1, slows}}, {2}},
        {"requests from outside have one each", "marginal-gain", 4, 2, {{4, 1, 1, levels}}, {2}},
    };
    for (const PublishedCase& each : cases) {
        check(each);
    }
}

RC_GTEST_PROP(MarginalGain, CountsTheSecondsSavedOverTheLowestSizes, ()) {
    MadeState made;
    make_up(made);
    const Allocation result = MarginalGain().decide(made.state);
    double saved = 0;
    for (std::size_t i = 0; i < result.gpus.size(); ++i) {
        const domain::ElasticJob& job = made.state.jobs[i];
        if (job.is_elastic && result.gpus[i] > 0) {
            const std::uint32_t lowest = std::min(lowest_size(job), result.gpus[i]);
            saved += (remaining_time(job, lowest) - remaining_time(job, result.gpus[i])).count();
        }
    }
    RC_ASSERT(std::abs(result.objective - saved) < 1e-9);
}

}  // namespace
}  // namespace hora::elastic
