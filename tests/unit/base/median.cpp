// Which value lies in the middle?
#include "libplanner/base/median.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "libplanner/base/units.hpp"

namespace hora {
namespace {

struct Case {
    const char* name;
    std::vector<double> values;
    double expected;
};

const Case cases[] = {
    {"one value is its own", {7}, 7},
    {"of an odd number it is the middle one", {9, 1, 2}, 2},
    {"of an even number it lies half-way", {4, 1, 2, 10}, 3},
    {"of two it is their mean", {3, 1}, 2},
};

TEST(Median, LiesInTheMiddle) {
    for (const Case& each : cases) {
        EXPECT_EQ(median(std::vector(each.values)), each.expected) << each.name;
    }
}

TEST(Median, HasItsValuesUnit) {
    EXPECT_EQ(median(std::vector{Seconds(4), Seconds(1)}), Seconds(2.5));
}

}  // namespace
}  // namespace hora
