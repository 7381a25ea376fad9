// Is a link called the slowest of its ring only where all are known?
#include "libplanner/report/machine/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace hora::report {
namespace {

// Of three GPUs, by the bandwidths of its links.
plan::PredictedRing ring_of(const std::vector<double>& bandwidths) {
    plan::RingFigures ring;
    ring.bottleneck = Bandwidth(bandwidths[0]);
    for (std::uint32_t i = 0; i < 3; ++i) {
        ring.stops.push_back({"", i});
        ring.links.push_back(
            {.a = i, .b = (i + 1) % 3, .kind = "sys", .bandwidth = Bandwidth(bandwidths[i])});
        ring.bottleneck = std::min(ring.bottleneck, Bandwidth(bandwidths[i]));
    }
    return {.best = ring, .plain = ring};
}

TEST(Ring, MarksTheSlowestLinksWhereAllAreKnown) {
    const struct {
        const char* sentence;
        std::vector<double> bandwidths;
        std::size_t marks;
    } cases[] = {
        {"all as fast", {6e9, 6e9, 6e9}, 0}, {"one", {6e9, 12e9, 12e9}, 1},
        {"two", {6e9, 12e9, 6e9}, 2},        {"one is not known", {0, 12e9, 6e9}, 0},
        {"none is known", {0, 0, 0}, 0},
    };
    for (const auto& row : cases) {
        const std::string table = to_table(ring_of(row.bandwidths));
        std::size_t marks = 0;
        for (std::size_t at = table.find("   slowest\n"); at != table.npos;
             at = table.find("   slowest\n", at + 1)) {
            ++marks;
        }
        EXPECT_EQ(marks, row.marks) << row.sentence << "\n" << table;
    }
}

}  // namespace
}  // namespace hora::report
