#include "libplanner/cost/interval.hpp"

#include <gtest/gtest.h>

namespace hora::cost {
namespace {

TEST(Interval, NarrowsWithWhatWasMeasured) {
    const domain::Correction own{.compute = 1.2, .exchange = 1, .runs = 1, .users = 0};
    const domain::Correction of_others{.compute = 1.2, .exchange = 1, .runs = 9, .users = 3};
    const auto width = [](const std::optional<domain::Correction>& correction) {
        const Interval interval = interval_of(correction);
        EXPECT_LT(interval.low, 1);
        EXPECT_GT(interval.high, 1);
        return interval.high / interval.low;
    };
    EXPECT_LT(width(own), width(of_others));
    EXPECT_LT(width(of_others), width(std::nullopt));
}

TEST(Interval, OfARunLeavesItsOverheadAsItIs) {
    const struct {
        const char* sentence;
        double whole;
        double overhead;
        double factor;
        double scaled;
    } cases[] = {
        {"steps alone", 100, 0, 1.5, 150},
        {"ten seconds of overhead", 110, 10, 1.5, 160},
        {"nothing but overhead", 10, 10, 0.5, 10},
        {"an overhead below nothing: a run was shorter than its steps", 90, -10, 0.5, 40},
        {"an overhead longer than the whole", 5, 10, 2, 5},
    };
    for (const auto& row : cases) {
        EXPECT_DOUBLE_EQ(
            scaled(Seconds(row.whole), Seconds(row.overhead), row.factor).count(), row.scaled)
            << row.sentence;
    }
}

}  // namespace
}  // namespace hora::cost
