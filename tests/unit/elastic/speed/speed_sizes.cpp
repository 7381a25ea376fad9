// Is each size one figure, and what contradicts the others left out?
#include "libplanner/elastic/speed/speed_sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace hora::elastic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// GPUs, nodes, seconds.
using Size = std::tuple<std::uint32_t, std::uint32_t, double>;

struct Case {
    const char* sentence;
    std::vector<SpeedPoint> points;
    std::vector<Size> sizes;
};

SpeedPoint point(std::uint32_t gpus, double step, double steps = 10, std::uint32_t nodes = 1) {
    return {gpus, nodes, Seconds(step), steps};
}

const Case cases[] = {
    {"nothing was measured", {}, {}},
    {"one point", {point(2, 5)}, {{2, 1, 5}}},
    {"by GPUs, then nodes",
     {point(4, 3, 10, 2), point(2, 5), point(4, 2.5)},
     {{2, 1, 5}, {4, 1, 2.5}, {4, 2, 3}}},
    {"the median of a size", {point(1, 9), point(1, 7), point(1, 1)}, {{1, 1, 7}}},
    {"each counts by its steps", {point(1, 9, 100), point(1, 7), point(1, 1)}, {{1, 1, 9}}},
    {"of two as many the faster one", {point(1, 9), point(1, 7)}, {{1, 1, 7}}},
    {"sizes that cannot be",
     {point(0, 5), point(17, 5), point(2, 5, 10, 0), point(2, 5, 10, 3), point(16, 5, 10, 16)},
     {{16, 16, 5}}},
    {"times that cannot be",
     {point(1, 0), point(1, -1), point(1, infinity), point(1, nan), point(1, 5)},
     {{1, 1, 5}}},
    {"numbers of steps that cannot be",
     {point(1, 1, 0), point(1, 1, -5), point(1, 1, infinity), point(1, 1, nan), point(1, 5)},
     {{1, 1, 5}}},
    {"a speed-up of 1.2 a GPU is believed", {point(1, 12), point(2, 5)}, {{1, 1, 12}, {2, 1, 5}}},
    {"a greater one is not, and the larger size goes",
     {point(1, 12), point(2, 4.99)},
     {{1, 1, 12}}},
    {"the one that contradicts most goes",
     {point(1, 1e3), point(2, 5), point(4, 3), point(8, 2)},
     {{2, 1, 5}, {4, 1, 3}, {8, 1, 2}}},
    {"a slow-down is believed", {point(1, 1), point(2, 9)}, {{1, 1, 1}, {2, 1, 9}}},
    {"nodes of one number of GPUs contradict nothing",
     {point(2, 9, 10, 1), point(2, 1, 10, 2)},
     {{2, 1, 9}, {2, 2, 1}}},
};

TEST(SpeedSizes, AreOneFigureEach) {
    for (const Case& test : cases) {
        std::vector<SpeedPoint> points = test.points;
        for (int round = 0; round < 2; ++round) {
            std::vector<Size> sizes;
            for (const MeasuredSize& size : measured_sizes(points, 16)) {
                sizes.emplace_back(size.gpus, size.nodes, size.step);
            }
            EXPECT_EQ(sizes, test.sizes) << test.sentence << ", round " << round;
            std::reverse(points.begin(), points.end());
        }
    }
}

TEST(SpeedSizes, AreSurerTheMoreStepsThereWere) {
    const auto error = [](double steps) {
        return measured_sizes(std::vector{point(1, 5, steps)}, 16).front().error;
    };
    EXPECT_DOUBLE_EQ(error(1), std::hypot(0.03, 0.2));
    EXPECT_DOUBLE_EQ(error(0.5), error(1));
    EXPECT_DOUBLE_EQ(error(100), std::hypot(0.03, 0.02));
    EXPECT_GE(error(1e12), 0.03) << "what steps do not average out";
    const SpeedPoint both[] = {point(1, 5, 50), point(1, 6, 50)};
    EXPECT_DOUBLE_EQ(measured_sizes(both, 16).front().error, error(100));
}

}  // namespace
}  // namespace hora::elastic
