// Which weights, none of them below zero, come nearest to a least-squares problem's target?
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "libplanner/base/cholesky.hpp"

namespace hora {

template <std::size_t n>
using Weights = std::array<double, n>;
template <std::size_t n>
using Gram = std::array<Weights<n>, n>;

// The normal equations of sum_i (row_i x - target_i)^2: gram = sum row' row, right = sum row'
// target. Prior knowledge x_j ~ (mean, deviation) is one more row.
template <std::size_t n>
struct LeastSquares {
    Gram<n> gram{};
    Weights<n> right{};

    void add(const Weights<n>& row, double target) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k < n; ++k) {
                gram[j][k] += row[j] * row[k];
            }
            right[j] += row[j] * target;
        }
    }
    void expect(std::size_t term, double mean, double deviation) {
        const double weight = 1 / (deviation * deviation);
        gram[term][term] += weight;
        right[term] += weight * mean;
    }
};

// The lower Cholesky factor of the part of a Gram matrix that `free` names. What is not free gets
// the identity's row, so that a solution is 0 there.
template <std::size_t n>
class Factor {
  public:
    Factor(const Gram<n>& gram, const std::array<bool, n>& free) : free_(free) {
        factorise(lower_, [&](std::size_t j, std::size_t k) -> double {
            return free[j] && free[k] ? gram[j][k] : (j == k ? 1 : 0);
        });
    }

    // y with lower * y = right over the free ones; its square is right' gram^-1 right.
    Weights<n> forward(const Weights<n>& right) const {
        Weights<n> y = of_free(right);
        solve_forwards(lower_, y);
        return y;
    }
    Weights<n> solve(const Weights<n>& right) const {
        Weights<n> x = of_free(right);
        solve_factorised(lower_, x);
        return x;
    }

  private:
    Weights<n> of_free(const Weights<n>& right) const {
        Weights<n> part{};
        for (std::size_t j = 0; j < n; ++j) {
            part[j] = free_[j] ? right[j] : 0;
        }
        return part;
    }

    Gram<n> lower_{};
    std::array<bool, n> free_;
};

template <std::size_t n>
struct NonNegative {
    Weights<n> weights{};
    std::array<bool, n> free{};  // the others are held at 0
};

// Divides each term by its column's length, so that none is large for its unit's sake. Gives back
// the lengths.
template <std::size_t n>
Weights<n> normalise(LeastSquares<n>& problem) {
    Weights<n> length;
    for (std::size_t j = 0; j < n; ++j) {
        length[j] = std::sqrt(problem.gram[j][j]);
    }
    for (std::size_t j = 0; j < n; ++j) {
        problem.right[j] /= length[j];
        for (std::size_t k = 0; k < n; ++k) {
            problem.gram[j][k] /= length[j] * length[k];
        }
    }
    return length;
}

// Lawson and Hanson, "Solving Least Squares Problems" (1974), chapter 23, on the normal equations
// (Bro and de Jong 1997). The Gram matrix has to be positive definite, which a prior with a finite
// deviation for each term makes it: the answer is then unique, whatever the terms' units. Each
// round lowers the objective, so no set of free terms comes back and it ends; the bound on rounds
// is for rounding errors alone.
template <std::size_t n>
NonNegative<n> solve_non_negative(LeastSquares<n> problem) {
    constexpr double tolerance = 1e-12;  // of the numbers whose difference a slope is
    constexpr std::size_t max_rounds = 8 * n + 8;
    const Weights<n> length = normalise(problem);
    NonNegative<n> answer;
    for (std::size_t round = 0; round < max_rounds; ++round) {
        std::size_t steepest = n;
        double slope = 0;
        for (std::size_t j = 0; j < n; ++j) {
            double descent = problem.right[j];
            double size = std::abs(descent);
            for (std::size_t k = 0; k < n; ++k) {
                const double part = problem.gram[j][k] * answer.weights[k];
                descent -= part;
                size += std::abs(part);
            }
            if (!answer.free[j] && descent > tolerance * size && descent > slope) {
                steepest = j;
                slope = descent;
            }
        }
        if (steepest == n) {
            break;
        }
        answer.free[steepest] = true;
        // Walk towards the free terms' optimum; a term that would fall below 0 is held.
        for (std::size_t walk = 0; walk < n; ++walk) {
            const Weights<n> target = Factor<n>(problem.gram, answer.free).solve(problem.right);
            double step = 1;
            std::size_t blocking = n;
            for (std::size_t j = 0; j < n; ++j) {
                if (answer.free[j] && target[j] <= 0) {
                    const double reach = answer.weights[j] / (answer.weights[j] - target[j]);
                    if (reach < step) {
                        step = reach;
                        blocking = j;
                    }
                }
            }
            for (std::size_t j = 0; j < n; ++j) {
                answer.weights[j] += answer.free[j] ? step * (target[j] - answer.weights[j]) : 0;
            }
            if (blocking == n) {
                break;
            }
            answer.free[blocking] = false;
            answer.weights[blocking] = 0;
        }
    }
    for (std::size_t j = 0; j < n; ++j) {
        answer.weights[j] /= length[j];
    }
    return answer;
}

}  // namespace hora
