// Does P5's policy grow and shrink as it is printed?
#include "libplanner/elastic/policies/knapsack.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

struct Row {
    std::uint32_t gpus;
    std::uint32_t min;
    double epochs_left;
};

struct Case {
    const char* name;
    std::uint32_t gpus;
    std::uint32_t waiting;
    std::vector<Row> jobs;
    std::vector<std::uint32_t> wanted;
    double objective;
};

// An epoch on g GPUs takes 60 / g + 10 seconds: 70, 40, 30, 25.
const std::vector<double> curve{70, 40, 30, 25};

TEST(Knapsack, GrowsAndShrinksAsPrinted) {
    const Case cases[] = {
        {"idle GPUs go to running jobs", 4, 0, {{1, 1, 1}, {1, 1, 1}}, {2, 2}, 60},
        {"what saves most grows, which is where most is left",
         4,
         0,
         {{1, 1, 1}, {1, 1, 9}},
         {1, 3},
         360},
        {"no job grows while another waits", 4, 1, {{1, 1, 1}, {1, 1, 1}}, {1, 1}, 0},
        {"one that waits starts on an idle GPU, then the rest is shared",
         4,
         0,
         {{1, 1, 1}, {0, 1, 1}},
         {2, 2},
         60},
        {"a request shrinks who loses least", 4, 1, {{2, 1, 9}, {2, 1, 1}}, {2, 1}, 30},
        {"K' is bounded by the GPUs above one a job", 4, 9, {{2, 1, 1}, {2, 1, 1}}, {1, 1}, 60},
        {"no job falls below its minimum", 4, 2, {{2, 2, 1}, {2, 1, 9}}, {2, 1}, 270},
        {"a listed job that waits starts on what another gives",
         3,
         0,
         {{3, 1, 1}, {0, 1, 1}},
         {2, 1},
         10},
        {"who came first is served first", 3, 0, {{2, 2, 1}, {0, 2, 1}, {0, 1, 1}}, {2, 0, 0}, 0},
        {"idle GPUs serve before anybody shrinks", 4, 1, {{3, 1, 1}}, {3}, 0},
        {"they and the running jobs serve together", 4, 2, {{3, 1, 1}}, {2}, 10},
        {"without jobs nothing happens", 4, 2, {}, {}, 0},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        MadeState made;
        made.state.gpus = each.gpus;
        made.state.waiting = each.waiting;
        for (const Row& row : each.jobs) {
            made.add(row.gpus, row.epochs_left, curve).min = row.min;
        }
        const Allocation result = Knapsack().decide(made.state);
        EXPECT_EQ(result.gpus, each.wanted);
        EXPECT_NEAR(result.objective, each.objective, 1e-9);
    }
}

TEST(Knapsack, GivesBackInAllowedSizes) {
    MadeState made;
    made.state.gpus = 4;
    made.state.waiting = 1;
    domain::ElasticJob& job = made.add(4, 1, curve);
    made.allow(job, {1, 2, 4});
    const Allocation result = Knapsack().decide(made.state);
    EXPECT_EQ(result.gpus, std::vector<std::uint32_t>{2});
    EXPECT_DOUBLE_EQ(result.objective, 15);
}

TEST(Knapsack, LeavesAJobOutThatOnlySlowsDown) {
    MadeState made;
    made.state.gpus = 8;
    made.add(2, 5, {70, 40, 45, 60});
    EXPECT_EQ(Knapsack().decide(made.state).gpus, std::vector<std::uint32_t>{2});
}

double left(const domain::ElasticJob& job, std::uint32_t gpus) {
    return job.epochs_left * job.epoch_seconds[gpus - 1].count();
}

// Every allowed growth of the jobs from `first` on.
double most_saved(const domain::ElasticState& state, std::size_t first, std::uint32_t idle) {
    if (first == state.jobs.size()) {
        return 0;
    }
    const domain::ElasticJob& job = state.jobs[first];
    double best = most_saved(state, first + 1, idle);
    for (std::uint32_t g = job.gpus + 1; g <= std::min(job.max, job.gpus + idle); ++g) {
        const bool is_allowed =
            job.sizes.empty() || std::binary_search(job.sizes.begin(), job.sizes.end(), g);
        if (is_allowed) {
            best = std::max(best, left(job, job.gpus) - left(job, g) +
                                      most_saved(state, first + 1, idle - (g - job.gpus)));
        }
    }
    return best;
}

// Only elastic jobs that run, so that nothing starts and all of the rest idles.
void keep_running_ones(domain::ElasticState& state) {
    std::erase_if(state.jobs,
                  [](const domain::ElasticJob& job) { return job.gpus == 0 || !job.is_elastic; });
    state.jobs.resize(std::min<std::size_t>(state.jobs.size(), 4));
}

RC_GTEST_PROP(Knapsack, SavesAsMuchAsTheBestOfAllGrowths, ()) {
    MadeState made;
    make_up(made);
    keep_running_ones(made.state);
    made.state.waiting = 0;
    const Allocation result = Knapsack().decide(made.state);
    const double best = most_saved(made.state, 0, made.state.gpus - made.state.held());
    RC_ASSERT(std::abs(result.objective - best) <= 1e-9 * (1 + std::abs(best)));
    double saved = 0;
    for (std::size_t i = 0; i < result.gpus.size(); ++i) {
        const domain::ElasticJob& job = made.state.jobs[i];
        saved += left(job, job.gpus) - left(job, result.gpus[i]);
    }
    RC_ASSERT(std::abs(result.objective - saved) <= 1e-9 * (1 + std::abs(saved)));
}

RC_GTEST_PROP(Knapsack, LosesNoMoreThanAnyOtherWayToGiveAsMuchBack, ()) {
    MadeState made;
    make_up(made);
    keep_running_ones(made.state);
    domain::ElasticState& state = made.state;
    state.gpus = state.held();
    state.waiting = *rc::gen::inRange(1u, 20u);
    const Allocation result = Knapsack().decide(state);
    std::uint32_t given = state.gpus;
    for (const std::uint32_t gpus : result.gpus) {
        given -= gpus;
    }
    // All combinations of sizes, as digits of a number.
    std::vector<std::uint32_t> sizes;
    for (const domain::ElasticJob& job : state.jobs) {
        sizes.push_back(job.gpus);
    }
    std::uint32_t least_above = state.gpus + 1;
    double least_loss = 0;
    std::uint32_t bound = 0;
    for (const domain::ElasticJob& job : state.jobs) {
        bound += job.gpus - (job.sizes.empty() ? job.min : std::min(job.gpus, job.sizes[0]));
    }
    const std::uint32_t wanted = std::min(state.waiting, bound);
    const std::function<void(std::size_t, std::uint32_t, double)> walk = [&](std::size_t i,
                                                                             std::uint32_t sum,
                                                                             double loss) {
        if (i == state.jobs.size()) {
            if (sum >= wanted && (sum < least_above || (sum == least_above && loss < least_loss))) {
                least_above = sum;
                least_loss = loss;
            }
            return;
        }
        const domain::ElasticJob& job = state.jobs[i];
        for (std::uint32_t g = 1; g <= job.gpus; ++g) {
            const bool is_allowed =
                g == job.gpus ||
                (g >= job.min &&
                 (job.sizes.empty() || std::binary_search(job.sizes.begin(), job.sizes.end(), g)));
            if (is_allowed) {
                walk(i + 1, sum + job.gpus - g, loss + left(job, g) - left(job, job.gpus));
            }
        }
    };
    walk(0, 0, 0);
    RC_ASSERT(given == least_above);
    RC_ASSERT(std::abs(result.objective - least_loss) <= 1e-9 * (1 + std::abs(least_loss)));
}

}  // namespace
}  // namespace hora::elastic
