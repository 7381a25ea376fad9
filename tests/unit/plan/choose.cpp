// Is the chooser's answer the optimum over every set of GPUs?
#include "libplanner/plan/choose.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/unit/plan/brute_force.hpp"
#include "tests/unit/plan/random_case.hpp"

namespace hora {
namespace {

std::vector<std::uint32_t> gpus_of(const domain::Plan& plan) {
    std::vector<std::uint32_t> gpus;
    for (const domain::Member& member : plan.members) {
        gpus.push_back(member.gpu);
    }
    return gpus;
}

std::uint64_t samples_of(const domain::Plan& plan) {
    return std::accumulate(
        plan.members.begin(), plan.members.end(), std::uint64_t{0},
        [](std::uint64_t sum, const domain::Member& member) { return sum + member.share; });
}

void compare(const tests::RandomCase& given) {
    const domain::Plan plan = plan::choose(given.request, given.cluster);
    const auto best = tests::try_all_sets(given.request, given.cluster);
    RC_ASSERT(plan.fits() == best.has_value());
    if (!best) {
        RC_ASSERT(!plan.rejected.empty() || given.cluster.gpus.empty());
        return;
    }
    RC_ASSERT(plan.mode == best->mode);
    RC_ASSERT(plan.members.size() == best->gpus.size());
    RC_ASSERT(plan.seconds.value_or(plan.step_seconds).count() == best->cost.first);
    if (!plan.seconds) {
        RC_ASSERT(plan.breakdown.overhead.count() == best->cost.second);
    }
    RC_ASSERT(samples_of(plan) == given.request.batch);
    if (plan.mode == domain::Mode::independent || plan.mode == domain::Mode::sync) {
        RC_ASSERT(gpus_of(plan) == best->gpus);
    }
    RC_ASSERT(plan.rejected.size() <= 12U);
}

// 100 seeds of 100 clusters each; most are small, so that all sets of them are quickly tried.
RC_GTEST_PROP(choose, equals_the_best_of_all_sets, (std::uint64_t seed)) {
    for (std::uint64_t i = 0; i < 100; ++i) {
        const std::uint64_t own = seed * 1000003 + i;
        const std::uint32_t most_gpus = i == 0 ? 12 : 7;
        try {
            compare(tests::random_case(own, most_gpus));
        } catch (...) {
            RC_LOG() << "random_case(" << own << "U, " << most_gpus << ")" << std::endl;
            throw;
        }
    }
}

}  // namespace
}  // namespace hora
