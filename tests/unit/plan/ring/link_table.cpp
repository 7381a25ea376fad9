// Is each link as slow as its slower direction, and its cost a whole number that can be summed?
#include "libplanner/plan/ring/link_table.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace hora::plan {
namespace {

struct Case {
    const char* sentence;
    double forth;
    double back;
    double bandwidth;
    std::uint64_t cost;  // attoseconds a byte
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const Case cases[] = {
    {"both ways alike", 1e9, 1e9, 1e9, 1'000'000'000},
    {"the slower direction counts", 1e9, 4e9, 1e9, 1'000'000'000},
    {"whichever it is", 4e9, 1e9, 1e9, 1'000'000'000},
    {"costs are rounded", 3e9, 3e9, 3e9, 333'333'333},
    {"upwards as well", 1.5e9, 1.5e9, 1.5e9, 666'666'667},
    {"no link", 0, 1e9, 0, most_link_cost},
    {"less than none is none", -5, 1e9, 0, most_link_cost},
    {"what is no number is none", nan, 1e9, 0, most_link_cost},
    {"nor the other way round", 1e9, nan, 0, most_link_cost},
    {"ten bytes a second cost the most", 10, 10, 10, most_link_cost},
    {"slower ones no more", 1e-300, 1, 1e-300, most_link_cost},
    {"endless speed costs nothing", infinity, infinity, infinity, 0},
};

TEST(LinkTable, TakesTheSlowerDirection) {
    for (const Case& test : cases) {
        const Bandwidth between[] = {Bandwidth(7), Bandwidth(test.forth), Bandwidth(test.back),
                                     Bandwidth(7)};
        const LinkTable links(between, 2);
        for (const std::size_t a : {0U, 1U}) {
            EXPECT_EQ(links.bandwidth(a, 1 - a).count(), test.bandwidth) << test.sentence;
            EXPECT_EQ(links.cost(a, 1 - a), test.cost) << test.sentence;
        }
    }
}

TEST(LinkTable, SumsOfMostCostsFit) {
    // A ring of 256 links, and a seventeenth place on top of a search's infinity.
    EXPECT_LT(most_link_cost, std::numeric_limits<std::uint64_t>::max() / 17);
    EXPECT_EQ(LinkTable({}, 0).count(), 0U);
}

}  // namespace
}  // namespace hora::plan
