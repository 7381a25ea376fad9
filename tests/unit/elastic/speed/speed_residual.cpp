// Does a measured size keep its measured speed, and nothing far from it change?
#include "libplanner/elastic/speed/speed_residual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace hora::elastic {
namespace {

const std::vector<MeasuredSize> sizes{{1, 1, 10, 0.03}, {4, 1, 3, 0.03}, {16, 4, 1, 0.03}};

TEST(SpeedResidual, IsNothingWhereNothingWasMeasured) {
    const SpeedResidual none({}, {});
    EXPECT_EQ(none.at(4, 1).log, 0);
    EXPECT_EQ(none.at(4, 1).unknown, 1);
    EXPECT_GT(none.at(4, 1).deviation, 0);
}

TEST(SpeedResidual, IsNothingWhereTheFitIsRight) {
    const std::vector<double> fitted{10, 3, 1};
    EXPECT_NEAR(SpeedResidual(sizes, fitted).at(8, 2).log, 0, 1e-12);
}

TEST(SpeedResidual, HoldsAtTheSizeAndFadesAwayFromIt) {
    const std::vector<double> fitted{10, 2, 1};
    const SpeedResidual residual(sizes, fitted);
    const double missed = std::log(3.0 / 2);
    EXPECT_NEAR(residual.at(4, 1).log, missed, 0.1 * missed);
    EXPECT_GT(residual.at(4, 1).log, residual.at(5, 2).log);
    EXPECT_GT(residual.at(5, 2).log, residual.at(8, 2).log);
    EXPECT_NEAR(residual.at(256, 64).log, 0, 0.01 * missed);
    EXPECT_LT(residual.at(4, 1).deviation, residual.at(8, 2).deviation);
    EXPECT_LT(residual.at(4, 1).unknown, 0.1);
    EXPECT_GT(residual.at(256, 64).unknown, 0.9);
}

// Other nodes say less of a size than the same ones.
TEST(SpeedResidual, ReachesLessFarToOtherNodes) {
    const std::vector<double> fitted{10, 2, 1};
    const SpeedResidual residual(sizes, fitted);
    EXPECT_GT(residual.at(3, 1).log, residual.at(3, 3).log);
}

// Points of one size on different nodes lie close together: still solvable.
TEST(SpeedResidual, StandsManySizesCloseTogether) {
    std::vector<MeasuredSize> many;
    std::vector<double> fitted;
    for (std::uint32_t gpus = 1; gpus <= 64; ++gpus) {
        many.push_back({gpus, (gpus + 3) / 4, 1.0 / gpus, 0.001});
        fitted.push_back((gpus % 2 == 0 ? 1.1 : 0.9) / gpus);
    }
    const SpeedResidual residual(many, fitted);
    for (std::uint32_t gpus = 1; gpus <= 64; ++gpus) {
        const double step = fitted[gpus - 1] * std::exp(residual.at(gpus, (gpus + 3) / 4).log);
        EXPECT_NEAR(step * gpus, 1, 0.02) << gpus;
    }
}

}  // namespace
}  // namespace hora::elastic
