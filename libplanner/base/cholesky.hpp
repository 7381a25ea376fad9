// What solves a system of linear equations whose matrix is symmetric and positive definite?
#pragma once

#include <cmath>
#include <cstddef>

namespace hora {

// All take a matrix by its rows, as arrays or vectors, of which the lower triangle counts.

// Cholesky's factor: lower * lower' is the matrix of the `entry(j, k)`, 0 <= k <= j.
template <class Rows, class Entry>
void factorise(Rows& lower, Entry entry) {
    for (std::size_t j = 0; j < lower.size(); ++j) {
        for (std::size_t k = 0; k <= j; ++k) {
            double sum = entry(j, k);
            for (std::size_t m = 0; m < k; ++m) {
                sum -= lower[j][m] * lower[k][m];
            }
            lower[j][k] = j == k ? std::sqrt(sum) : sum / lower[k][k];
        }
    }
}

// In the place of y: x with lower * x = y. Its square is y' matrix^-1 y.
template <class Rows, class Vector>
void solve_forwards(const Rows& lower, Vector& y) {
    for (std::size_t j = 0; j < lower.size(); ++j) {
        for (std::size_t k = 0; k < j; ++k) {
            y[j] -= lower[j][k] * y[k];
        }
        y[j] /= lower[j][j];
    }
}

// Likewise with matrix * x = y.
template <class Rows, class Vector>
void solve_factorised(const Rows& lower, Vector& y) {
    solve_forwards(lower, y);
    for (std::size_t j = lower.size(); j-- > 0;) {
        for (std::size_t k = j + 1; k < lower.size(); ++k) {
            y[j] -= lower[k][j] * y[k];
        }
        y[j] /= lower[j][j];
    }
}

}  // namespace hora
