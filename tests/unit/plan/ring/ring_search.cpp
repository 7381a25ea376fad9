// Is the tour the best of all that there are, the first one by its numbers among equals?
#include "libplanner/plan/ring/ring_search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <numeric>
#include <tuple>

#include "libplanner/plan/ring/link_table.hpp"
#include "tests/unit/any_number.hpp"

namespace hora::plan {
namespace {

using hora::testing::any_number;
using Order = std::vector<std::uint32_t>;

// Costs that have nothing to do with the bandwidths: the search must not need it.
TourProblem any_problem(std::size_t least, std::size_t most) {
    TourProblem problem;
    problem.places = any_number(least, most + 1);
    const auto speeds = any_number(1, 5);
    const auto costs = any_number(1, 5);
    const auto count = problem.places;
    problem.bandwidths.resize(count * count, Bandwidth(any_number(0, 9)));
    problem.costs.resize(count * count);
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
            problem.bandwidths[a * count + b] = problem.bandwidths[b * count + a] =
                Bandwidth(any_number(0, speeds));
            problem.costs[a * count + b] = problem.costs[b * count + a] =
                any_number<std::uint64_t>(0, static_cast<std::uint64_t>(costs));
        }
        problem.start_bandwidths.push_back(Bandwidth(any_number(0, speeds)));
        problem.start_costs.push_back(any_number<std::uint64_t>(0, 4));
    }
    return problem;
}

// Slowest link, sum of costs, numbers.
using Worth = std::tuple<double, std::uint64_t, Order>;

Worth worth(const TourProblem& problem, const Order& tour) {
    const std::uint32_t first = tour.front();
    const std::uint32_t last = tour.back();
    double slowest =
        std::min(problem.start_bandwidths[first].count(), problem.start_bandwidths[last].count());
    std::uint64_t sum = problem.start_costs[first] + problem.start_costs[last];
    for (std::size_t i = 0; i + 1 < tour.size(); ++i) {
        const std::size_t link = tour[i] * problem.places + tour[i + 1];
        slowest = std::min(slowest, problem.bandwidths[link].count());
        sum += problem.costs[link];
    }
    return {-slowest, sum, tour};
}

RC_GTEST_PROP(RingSearch, IsTheBestOfAllTours, ()) {
    const TourProblem problem = any_problem(1, 7);
    Order tour(problem.places);
    std::iota(tour.begin(), tour.end(), 0U);
    Worth best = worth(problem, tour);
    while (std::next_permutation(tour.begin(), tour.end())) {
        best = std::min(best, worth(problem, tour));
    }
    RC_ASSERT(best_tour(problem) == std::get<Order>(best));
}

TEST(RingSearch, OfNoPlacesIsNoTour) {
    EXPECT_EQ(best_tour({}), Order{});
}

// A bare link between each place and the next, in an order that is hidden; and every cost the
// highest there is, so that sums are as large as they get.
TEST(RingSearch, FindsTheOneTourOfSixteen) {
    constexpr std::size_t count = 16;
    TourProblem problem{count, std::vector(count * count, Bandwidth(0)),
                        std::vector(count * count, most_link_cost),
                        std::vector(count, Bandwidth(0)), std::vector(count, most_link_cost)};
    Order hidden;
    for (std::uint32_t i = 0; i < count; ++i) {
        hidden.push_back(i * 5 % count);
    }
    for (std::size_t i = 0; i + 1 < count; ++i) {
        problem.bandwidths[hidden[i] * count + hidden[i + 1]] =
            problem.bandwidths[hidden[i + 1] * count + hidden[i]] = Bandwidth(1);
    }
    problem.start_bandwidths[hidden.front()] = problem.start_bandwidths[hidden.back()] =
        Bandwidth(1);
    EXPECT_EQ(best_tour(problem), hidden);
}

}  // namespace
}  // namespace hora::plan
