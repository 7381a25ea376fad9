// Do factors come to their matrix again, and solutions to its right side?
#include "libplanner/base/cholesky.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace hora {
namespace {

using Row = std::array<double, 3>;
using Matrix = std::array<Row, 3>;

constexpr Matrix matrix{{{4, 2, -2}, {2, 10, 5}, {-2, 5, 14}}};
constexpr Matrix triangle{{{2, 0, 0}, {1, 3, 0}, {-1, 2, 3}}};

double entry(std::size_t j, std::size_t k) {
    return matrix[j][k];
}

TEST(Cholesky, FindsTheTriangle) {
    Matrix lower{};
    factorise(lower, entry);
    EXPECT_EQ(lower, triangle);
}

TEST(Cholesky, TakesRowsThatEndAtTheDiagonal) {
    std::vector<std::vector<double>> lower{{0}, {0, 0}, {0, 0, 0}};
    factorise(lower, entry);
    EXPECT_EQ(lower, (std::vector<std::vector<double>>{{2}, {1, 3}, {-1, 2, 3}}));
    std::vector<double> x{-2, 20, 33};  // matrix * (0, 1, 2)
    solve_factorised(lower, x);
    EXPECT_EQ(x, (std::vector<double>{0, 1, 2}));
}

TEST(Cholesky, SolvesTheTriangleAlone) {
    Row x{4, -1, -3};  // triangle * (2, -1, 1/3)
    solve_forwards(triangle, x);
    EXPECT_DOUBLE_EQ(x[0], 2);
    EXPECT_DOUBLE_EQ(x[1], -1);
    EXPECT_DOUBLE_EQ(x[2], 1.0 / 3);
}

TEST(Cholesky, HasNothingToDoForNoEquations) {
    std::vector<std::vector<double>> lower;
    std::vector<double> x;
    factorise(lower, entry);
    solve_factorised(lower, x);
    EXPECT_TRUE(x.empty());
}

}  // namespace
}  // namespace hora
