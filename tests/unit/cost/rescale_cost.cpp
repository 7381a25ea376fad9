// Does a user's own restarts' cost count for him, and only several users' for others?
#include "libplanner/cost/rescale_cost.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace hora::cost {
namespace {

TEST(RescaleCost, OwnRestartsOfTheModelComeFirst) {
    std::vector<MeasuredRescale> measured{{1, "resnet50", Seconds(10)},
                                          {1, "resnet50", Seconds(30)},
                                          {1, "resnet50", Seconds(12)},
                                          {1, "vgg16", Seconds(60)}};
    const RescaleCosts own = rescale_costs(measured);
    EXPECT_EQ(own.of(1, "resnet50"), Seconds(12));
    EXPECT_EQ(own.of(1, "vgg16"), Seconds(60));
    EXPECT_FALSE(own.of(1, "alexnet"));
    EXPECT_FALSE(own.of(2, "resnet50"));
    EXPECT_FALSE(own.shared);
}

TEST(RescaleCost, NobodyShiftsWhatIsShared) {
    std::vector<MeasuredRescale> measured{
        {1, "resnet50", Seconds(10)}, {2, "vgg16", Seconds(14)}, {3, "alexnet", Seconds(20)}};
    EXPECT_EQ(rescale_costs(measured).of(9, "resnet50"), Seconds(14));
    for (int i = 0; i < 1000; ++i) {
        measured.push_back({3, "alexnet", Seconds(3000)});
    }
    EXPECT_EQ(rescale_costs(measured).of(9, "resnet50"), Seconds(14));
    EXPECT_EQ(rescale_costs(measured).of(3, "alexnet"), Seconds(3000));
}

TEST(RescaleCost, BelievesNoAbsurdTime) {
    const std::vector<MeasuredRescale> measured{
        {1, "a", Seconds(-1)},
        {1, "a", Seconds(1e9)},
        {1, "a", Seconds(std::numeric_limits<double>::quiet_NaN())}};
    EXPECT_TRUE(rescale_costs(measured).own.empty());
}

}  // namespace
}  // namespace hora::cost
