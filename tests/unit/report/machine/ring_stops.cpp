// Are stops and bandwidths of rings such that programs can read them back?
#include "libplanner/report/machine/ring_stops.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

TEST(RingStops, OfOneMachineAreNumbersAndOfSeveralNamesWithThem) {
    plan::RingFigures ring;
    EXPECT_EQ(order_of(ring), Json::array());
    ring.stops = {{"", 3}, {"", 0}};
    EXPECT_EQ(order_of(ring), Json({3, 0}));
    ring.stops = {{"n1", 3}, {"n\"2", 0xffffffff}};
    EXPECT_EQ(order_of(ring), Json({"n1:3", "n\"2:4294967295"}));
    EXPECT_EQ(name_of(ring.stops[0]), "n1:3");
    EXPECT_EQ(name_of({"", 3}), "3");
}

TEST(RingStops, ABandwidthThatIsNoneIsNull) {
    EXPECT_EQ(known(Bandwidth(12e9)), Json(12e9));
    for (const double none : {0.0, -0.0, -1.0, std::nan("")}) {
        EXPECT_TRUE(known(Bandwidth(none)).is_null()) << none;
    }
}

}  // namespace
}  // namespace hora::report
