// Does one job at a time have all GPUs that speed it up?
#include "libplanner/elastic/policies/earliest_finish.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>

#include "libplanner/elastic/worth/sizes.hpp"
#include "tests/unit/elastic/policies/published.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

TEST(EarliestFinish, GivesAllGpusToOneJobAtATime) {
    const PublishedCase cases[] = {
        {"the first submitted has them",
         "earliest-finish",
         4,
         0,
         {{0, 1, 9, linear}, {0, 1, 1, linear}},
         {4, 0}},
        {"one that runs keeps them",
         "earliest-finish",
         4,
         0,
         {{0, 1, 1, linear}, {4, 1, 9, linear}},
         {0, 4}},
        {"no more than it can use", "earliest-finish", 8, 0, {{0, 1, 1, linear}}, {4}},
        {"no more than speed it up", "earliest-finish", 4, 0, {{0, 1, 1, slows}}, {2}},
    };
    for (const PublishedCase& each : cases) {
        check(each);
    }
}

// The sizes of the chosen one, one by one; the others keep what they have to.
RC_GTEST_PROP(EarliestFinish, GivesOneJobItsFastestSize, ()) {
    MadeState made;
    make_up(made);
    const Allocation result = EarliestFinish().decide(made.state);
    std::uint64_t others = 0;
    std::vector<std::size_t> grown;
    for (std::size_t i = 0; i < result.gpus.size(); ++i) {
        const bool is_more = result.gpus[i] > floor_size(made.state.jobs[i]);
        grown.insert(grown.end(), is_more ? 1 : 0, i);
        others += is_more ? 0 : result.gpus[i];
    }
    RC_ASSERT(grown.size() <= 1U);
    if (grown.empty()) {
        return;
    }
    const domain::ElasticJob& job = made.state.jobs[grown.front()];
    const Seconds chosen = remaining_time(job, result.gpus[grown.front()]);
    RC_ASSERT(result.objective == chosen.count());
    for (std::uint32_t size = lowest_size(job); size != 0 && size + others <= made.state.gpus;
         size = next_size(job, size)) {
        RC_ASSERT(chosen <= remaining_time(job, size));
    }
}

TEST(EarliestFinish, OfNoJobsIsNothing) {
    domain::ElasticState state;
    state.gpus = 4;
    EXPECT_EQ(EarliestFinish().decide(state).objective, 0);
    EXPECT_TRUE(EarliestFinish().decide(state).gpus.empty());
}

}  // namespace
}  // namespace hora::elastic
