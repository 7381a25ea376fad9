// Is the least-squares fit without negative weights the best of all such fits?
#include "libplanner/base/non_negative.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace hora {
namespace {

constexpr std::size_t terms = 5;

double objective(const LeastSquares<terms>& problem, const Weights<terms>& weights) {
    double value = 0;
    for (std::size_t j = 0; j < terms; ++j) {
        value -= problem.right[j] * weights[j];
        for (std::size_t k = 0; k < terms; ++k) {
            value += weights[j] * problem.gram[j][k] * weights[k] / 2;
        }
    }
    return value;
}

// Each set of free terms, solved by itself; of those without negative weights the best.
Weights<terms> best_of_all_sets(const LeastSquares<terms>& problem) {
    Weights<terms> best{};
    for (unsigned set = 1; set < 1U << terms; ++set) {
        std::array<bool, terms> free{};
        for (std::size_t j = 0; j < terms; ++j) {
            free[j] = (set >> j & 1U) != 0;
        }
        const Weights<terms> weights = Factor<terms>(problem.gram, free).solve(problem.right);
        bool is_allowed = true;
        for (const double weight : weights) {
            is_allowed = is_allowed && weight >= 0;
        }
        if (is_allowed && objective(problem, weights) < objective(problem, best)) {
            best = weights;
        }
    }
    return best;
}

double any_real(int least, int end) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, end)) / 16.0;
}

LeastSquares<terms> any_problem() {
    LeastSquares<terms> problem;
    const int rows = *rc::gen::inRange(0, 9);
    for (int i = 0; i < rows; ++i) {
        Weights<terms> row;
        for (double& value : row) {
            value = any_real(-40, 41);
        }
        problem.add(row, any_real(-200, 201));
    }
    for (std::size_t j = 0; j < terms; ++j) {
        problem.expect(j, any_real(-16, 17), any_real(1, 200));
    }
    return problem;
}

TEST(NonNegative, EqualsTheBestOfAllSetsOfFreeTerms) {
    EXPECT_TRUE(rc::check("EqualsTheBestOfAllSetsOfFreeTerms", [] {
        const LeastSquares<terms> problem = any_problem();
        const NonNegative<terms> answer = solve_non_negative(problem);
        const Weights<terms> best = best_of_all_sets(problem);
        for (std::size_t j = 0; j < terms; ++j) {
            RC_ASSERT(answer.weights[j] >= 0);
            RC_ASSERT(answer.free[j] || answer.weights[j] == 0);
            RC_ASSERT(std::abs(answer.weights[j] - best[j]) <= 1e-6 * (1 + std::abs(best[j])));
        }
    }));
}

// The same problem with a term in other units: each of its weights is 1 / factor times as large.
LeastSquares<terms> in_units(LeastSquares<terms> problem, const Weights<terms>& factors) {
    for (std::size_t j = 0; j < terms; ++j) {
        problem.right[j] *= factors[j];
        for (std::size_t k = 0; k < terms; ++k) {
            problem.gram[j][k] *= factors[j] * factors[k];
        }
    }
    return problem;
}

TEST(NonNegative, DoesNotDependOnTheUnitsOfItsTerms) {
    EXPECT_TRUE(rc::check("DoesNotDependOnTheUnitsOfItsTerms", [] {
        const LeastSquares<terms> problem = any_problem();
        Weights<terms> factors;
        for (double& factor : factors) {
            factor = std::pow(10, *rc::gen::inRange(-15, 16));
        }
        const NonNegative<terms> answer = solve_non_negative(in_units(problem, factors));
        const Weights<terms> best = best_of_all_sets(problem);
        for (std::size_t j = 0; j < terms; ++j) {
            RC_ASSERT(answer.weights[j] >= 0);
            RC_ASSERT(answer.free[j] || answer.weights[j] == 0);
            RC_ASSERT(std::abs(answer.weights[j] * factors[j] - best[j]) <=
                      1e-6 * (1 + std::abs(best[j])));
        }
    }));
}

TEST(NonNegative, GivesBackTheWeightsThatMadeTheTarget) {
    const Weights<terms> made{3, 0, 0.5, 0, 20};
    LeastSquares<terms> problem;
    for (int i = 1; i <= 12; ++i) {
        const double g = i;
        const Weights<terms> row{1 / g, 1, (g - 1) / g, std::log2(g), g * g};
        double target = 0;
        for (std::size_t j = 0; j < terms; ++j) {
            target += row[j] * made[j];
        }
        problem.add(row, target);
    }
    for (std::size_t j = 0; j < terms; ++j) {
        problem.expect(j, 0, 1e5);
    }
    const NonNegative<terms> answer = solve_non_negative(problem);
    for (std::size_t j = 0; j < terms; ++j) {
        EXPECT_NEAR(answer.weights[j], made[j], 1e-4) << j;
    }
}

TEST(NonNegative, HoldsATermThatWouldBeNegative) {
    LeastSquares<2> problem;
    problem.expect(0, -1, 1);
    problem.expect(1, 2, 1);
    const NonNegative<2> answer = solve_non_negative(problem);
    EXPECT_EQ(answer.weights[0], 0);
    EXPECT_FALSE(answer.free[0]);
    EXPECT_NEAR(answer.weights[1], 2, 1e-12);
}

}  // namespace
}  // namespace hora
