// Is a job as fast as was measured where it runs?
#include "libplanner/sim/workload/true_speed.hpp"

#include <gtest/gtest.h>

namespace hora::sim {
namespace {

TEST(TrueSpeed, IsThatOfTheNodesWhereItWasMeasured) {
    domain::TrueSpeed speed;
    speed.epoch_seconds = {Seconds(10), Seconds(6), Seconds(5)};
    speed.spread = {{2, 2, Seconds(8)}};
    EXPECT_EQ(epoch_on(speed, 2, 1), Seconds(6));
    EXPECT_EQ(epoch_on(speed, 2, 2), Seconds(8));
    EXPECT_EQ(epoch_on(speed, 3, 3), Seconds(5));
}

}  // namespace
}  // namespace hora::sim
