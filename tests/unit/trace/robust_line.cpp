#include "libplanner/trace/robust_line.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace hora::trace {
namespace {

TEST(RobustLine, GoesThroughPointsOnALine) {
    std::vector<Point> points;
    for (int i = 0; i < 20; ++i) {
        points.push_back({1000.0 + i, 3 + 0.25 * i});
    }
    const Line line = fit_line(points);
    EXPECT_NEAR(line.slope, 0.25, 1e-12);
    EXPECT_NEAR(line.at(1000), 3, 1e-9);
    EXPECT_NEAR(line.scatter, 0, 1e-9);
}

TEST(RobustLine, OfFewPointsIsLevel) {
    const Point points[] = {{1, 5}, {2, 7}, {3, 6}};
    const Line line = fit_line(points);
    EXPECT_EQ(line.slope, 0);
    EXPECT_EQ(line.at(2), 6);
    EXPECT_EQ(line.scatter, 1);
}

TEST(RobustLine, OfPointsAtOnePlaceIsLevel) {
    const std::vector<Point> points(20, Point{4, 2});
    EXPECT_EQ(fit_line(points).at(100), 2);
}

TEST(RobustLine, HasNoSlopeThatTheScatterHides) {
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 1);
    int level = 0;
    for (int run = 0; run < 50; ++run) {
        std::vector<Point> points;
        for (int i = 0; i < 100; ++i) {
            points.push_back({0.01 * i, noise(random)});
        }
        level += fit_line(points).slope == 0 ? 1 : 0;
    }
    // Two standard errors: one in twenty is taken for a slope.
    EXPECT_GE(level, 40);
}

// A fifth of the points lies anywhere above.
RC_GTEST_PROP(RobustLine, IsNotMovedByPointsFarOff, ()) {
    std::mt19937 random(*rc::gen::inRange<std::uint32_t>(0, 1u << 30));
    std::uniform_real_distribution<double> unit(0, 1);
    const double slope = (unit(random) - 0.5) * 1e-4;
    std::vector<Point> points;
    for (int i = 0; i < 200; ++i) {
        const double x = 0.1 * i;
        const double far = unit(random) < 0.2 ? 0.1 * unit(random) : 0;
        points.push_back({x, 0.01 + slope * x + 1e-5 * unit(random) + far});
    }
    const Line line = fit_line(points);
    for (const double x : {0.0, 10.0, 19.9}) {
        RC_ASSERT(std::abs(line.at(x) - (0.01 + slope * x)) < 2e-5);
    }
}

}  // namespace
}  // namespace hora::trace
