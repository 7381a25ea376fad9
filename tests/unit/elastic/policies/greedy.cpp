// Does each step go to the job that values it most, the first submitted among equals?
#include "libplanner/elastic/policies/greedy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <optional>

#include "libplanner/elastic/worth/sizes.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

using Gpus = std::vector<std::uint32_t>;

// By looking at all jobs for each step.
Gpus step_by_step(const domain::ElasticState& state, const StepValue& value) {
    Gpus gpus;
    std::uint64_t taken = state.waiting;
    std::vector<bool> is_done;
    for (const domain::ElasticJob& job : state.jobs) {
        gpus.push_back(floor_size(job));
        taken += gpus.back();
        is_done.push_back(!job.is_elastic && job.gpus > 0);
    }
    while (taken < state.gpus) {
        std::optional<std::size_t> best;
        double most = 0;
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            const std::uint32_t next = is_done[i] ? 0 : next_size(state.jobs[i], gpus[i]);
            const double worth = next == 0 ? 0 : value(state.jobs[i], gpus[i], next);
            if (worth > most) {
                best = i;
                most = worth;
            }
        }
        if (!best) {
            break;
        }
        const std::uint32_t more = next_size(state.jobs[*best], gpus[*best]) - gpus[*best];
        if (taken + more <= state.gpus) {
            gpus[*best] += more;
            taken += more;
        } else {
            is_done[*best] = true;
        }
    }
    return gpus;
}

RC_GTEST_PROP(Greedy, IsTheBestStepEachTime, ()) {
    MadeState made;
    make_up(made);
    const auto kinds = *rc::gen::inRange<std::uint64_t>(1, 6);
    const StepValue value = [&](const domain::ElasticJob& job, std::uint32_t from,
                                std::uint32_t to) {
        return static_cast<double>((job.id * 7 + from * 3 + to) % kinds) - 1;
    };
    const Allocation result = allocate_greedily(made.state, value);
    RC_ASSERT(result.gpus == step_by_step(made.state, value));
    RC_ASSERT(result.objective == 0);
}

TEST(Greedy, TellsTheValueOfEachStep) {
    MadeState made;
    made.state.gpus = 8;
    domain::ElasticJob& job = made.add(0, 1, {8, 7, 6, 5, 4, 3, 2, 1});
    made.allow(job, {2, 3, 8});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> asked;
    const StepValue value = [&](const domain::ElasticJob&, std::uint32_t from, std::uint32_t to) {
        asked.emplace_back(from, to);
        return 1.0;
    };
    EXPECT_EQ(allocate_greedily(made.state, value).gpus, Gpus{8});
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> steps{{0, 2}, {2, 3}, {3, 8}};
    EXPECT_EQ(asked, steps);
}

TEST(Greedy, GivesNothingThatIsNotThere) {
    MadeState made;
    made.state.gpus = 3;
    made.state.waiting = 9;
    made.add(2, 1, {8, 7, 6, 5});
    made.add(0, 1, {8, 7, 6, 5});
    const StepValue value = [](const domain::ElasticJob&, std::uint32_t, std::uint32_t) {
        return 1.0;
    };
    EXPECT_EQ(allocate_greedily(made.state, value).gpus, (Gpus{1, 0})) << "back to its lowest";
    made.state.gpus = 0;
    EXPECT_EQ(allocate_greedily(made.state, value).gpus, (Gpus{1, 0}));
    made.state.jobs.clear();
    EXPECT_TRUE(allocate_greedily(made.state, value).gpus.empty());
}

}  // namespace
}  // namespace hora::elastic
