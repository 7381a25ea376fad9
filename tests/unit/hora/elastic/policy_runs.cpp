// Are the policies run that were requested, and is what no cluster can hold ignored with a remark?
#include "scripts/hora/elastic/policy_runs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "libplanner/elastic/policies/policy.hpp"

namespace hora::scripts {
namespace {

std::vector<std::string> all_policies() {
    std::vector<std::string> names;
    for (const elastic::PolicyInfo& policy : elastic::policies()) {
        names.emplace_back(policy.name);
    }
    return names;
}

TEST(ChosenPolicies, AreEachOfThemOnce) {
    const std::string first = all_policies().front();
    const std::string last = all_policies().back();
    std::vector<std::string> last_first = all_policies();
    std::rotate(last_first.begin(), last_first.end() - 1, last_first.end());
    const struct {
        const char* sentence;
        std::vector<std::string> asked;
        std::vector<std::string> chosen;
    } cases[] = {
        {"none: the default", {}, {first}},
        {"one", {last}, {last}},
        {"one, twice", {last, first, last}, {last, first}},
        {"all", {"all"}, all_policies()},
        {"all, and one that is among them", {"all", last, "all"}, all_policies()},
        {"one before all", {last, "all"}, last_first},
    };
    for (const auto& one : cases) {
        const auto chosen = chosen_policies(one.asked);
        ASSERT_TRUE(chosen) << one.sentence;
        EXPECT_EQ(*chosen, one.chosen) << one.sentence;
    }
    for (const char* const unknown : {"", "ALL", "hora ", "hora\n"}) {
        const auto chosen = chosen_policies({"all", unknown});
        ASSERT_FALSE(chosen) << unknown;
        EXPECT_EQ(chosen.error().kind, ErrorKind::wrong_use);
        EXPECT_EQ(chosen.error().message.find("--policy"), 0U) << chosen.error().message;
    }
}

domain::TraceJob asking(std::uint32_t requested, std::uint32_t min, std::string name = "a") {
    domain::TraceJob job;
    job.name = std::move(name);
    job.requested = requested;
    job.min = min;
    job.max = std::max(requested, min);
    return job;
}

sim::Setup cluster(std::uint32_t nodes, std::uint32_t gpus) {
    sim::Setup setup;
    setup.nodes = nodes;
    setup.gpus_per_node = gpus;
    return setup;
}

TEST(LeaveOutTooLarge, LeavesTheOthersInTheirOrder) {
    EXPECT_TRUE(rc::check([] {
        domain::JobTrace trace;
        std::vector<std::string> fit;
        for (int i = 0; i < *rc::gen::inRange(0, 12); ++i) {
            const auto requested = *rc::gen::inRange(1u, 13u);
            const auto min = *rc::gen::inRange(1u, 13u);
            trace.jobs.push_back(asking(requested, min, std::to_string(i)));
            if (std::max(requested, min) <= 8) {
                fit.push_back(std::to_string(i));
            }
        }
        const bool is_whole = fit.size() == trace.jobs.size();
        RC_ASSERT(leave_out_too_large(trace, cluster(2, 4)).empty() == is_whole);
        RC_ASSERT(trace.jobs.size() == fit.size());
        for (std::size_t i = 0; i < fit.size(); ++i) {
            RC_ASSERT(trace.jobs[i].name == fit[i]);
        }
    }));
}

TEST(LeaveOutTooLarge, SaysWhichAndWhy) {
    domain::JobTrace trace;
    trace.jobs = {asking(4, 1), asking(9, 1, "b\n")};
    EXPECT_EQ(leave_out_too_large(trace, cluster(2, 4)),
              "1 job is ignored: it requests more than the cluster's 8 GPUs; \"b?\" requests 9");
    trace.jobs = {asking(1, 16, "least"), asking(9, 1)};
    EXPECT_EQ(leave_out_too_large(trace, cluster(2, 4)),
              "2 jobs are ignored: they request more than the cluster's 8 GPUs; \"least\" requests "
              "16");
    EXPECT_TRUE(trace.jobs.empty());
    trace.jobs = {asking(1, 1)};
    trace.jobs[0].gpu_type = "k80";
    sim::Setup typed = cluster(0, 0);
    typed.types = {{"a100", 1, 8}};
    EXPECT_EQ(leave_out_too_large(trace, typed),
              "1 job is ignored: it requests more GPUs of its type than the cluster has; \"a\" "
              "requests 1 GPU of type \"k80\", of which it has none");
}

}  // namespace
}  // namespace hora::scripts
