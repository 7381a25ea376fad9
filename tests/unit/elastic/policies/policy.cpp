// Does every policy keep what all of them promise?
#include "libplanner/elastic/policies/policy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

std::unique_ptr<const Policy> any_policy() {
    std::vector<std::string> names;
    for (const PolicyInfo& each : policies()) {
        names.emplace_back(each.name);
    }
    const std::string name = *rc::gen::elementOf(names);
    RC_TAG(name);
    return *make_policy(name);
}

// A policy that knows only requests starts an elastic job on its request as well.
bool is_allowed(const ElasticJob& job, std::uint32_t gpus) {
    if (gpus == job.gpus || (job.gpus == 0 && gpus == job.requested)) {
        return true;
    }
    return job.is_elastic && gpus >= job.min && gpus <= job.max &&
           (job.sizes.empty() || std::binary_search(job.sizes.begin(), job.sizes.end(), gpus));
}

// What RapidCheck prints of a state that breaks a promise.
std::string shown(const domain::ElasticState& state, const Allocation& result) {
    std::string text = std::to_string(state.gpus) + " GPUs, " + std::to_string(state.waiting) +
                       " requests from outside";
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        const ElasticJob& job = state.jobs[i];
        text += "; " + std::string(job.is_elastic ? "elastic " : "rigid ") +
                std::to_string(job.gpus) + "->" + std::to_string(result.gpus[i]) + " of " +
                std::to_string(job.min) + "-" + std::to_string(job.max) + " requests " +
                std::to_string(job.requested);
        for (const std::uint32_t size : job.sizes) {
            text += " " + std::to_string(size);
        }
    }
    return text;
}

RC_GTEST_PROP(Policy, GivesNobodyMoreThanThereIs, ()) {
    MadeState made;
    make_up(made);
    const Allocation result = any_policy()->decide(made.state);
    RC_LOG(shown(made.state, result));
    RC_ASSERT(result.gpus.size() == made.state.jobs.size());
    RC_ASSERT(std::accumulate(result.gpus.begin(), result.gpus.end(), std::uint64_t{0}) <=
              made.state.gpus);
}

RC_GTEST_PROP(Policy, GivesOnlyAllowedSizesAndStopsNobody, ()) {
    MadeState made;
    make_up(made);
    const Allocation result = any_policy()->decide(made.state);
    RC_LOG(shown(made.state, result));
    for (std::size_t i = 0; i < result.gpus.size(); ++i) {
        const ElasticJob& job = made.state.jobs[i];
        RC_ASSERT(job.gpus == 0 || result.gpus[i] > 0);
        RC_ASSERT(is_allowed(job, result.gpus[i]));
    }
}

RC_GTEST_PROP(Policy, DependsOnTheStateAndNotOnTheNumbersOfJobs, ()) {
    MadeState made;
    make_up(made);
    const std::unique_ptr<const Policy> policy = any_policy();
    const Allocation first = policy->decide(made.state);
    for (ElasticJob& job : made.state.jobs) {
        job.id = *rc::gen::arbitrary<std::uint64_t>();
    }
    const Allocation second = policy->decide(made.state);
    RC_ASSERT(first.gpus == second.gpus);
    RC_ASSERT(first.objective == second.objective);
}

TEST(Policy, NamesTheNearestToAnUnknownOne) {
    EXPECT_NE(make_policy("knapsak").error().message.find("did you mean \"knapsack\""),
              std::string::npos);
    EXPECT_NE(make_policy("lottery").error().message.find("none of hora, fcfs"), std::string::npos);
    EXPECT_EQ(make_policy("lottery").error().kind, ErrorKind::wrong_use);
}

TEST(Policy, NamesWhatTakesThePlaceOfOneThatHasEnded) {
    const auto policy = make_policy("hora-strict");
    ASSERT_FALSE(policy);
    EXPECT_EQ(policy.error().message, "policy \"hora-strict\" has ended; specify \"hora\"");
    EXPECT_EQ(policy.error().kind, ErrorKind::wrong_use);
}

TEST(Policy, HasADefault) {
    EXPECT_EQ(policies().front().name, "hora");
}

}  // namespace
}  // namespace hora::elastic
