// Does a link look and read by its speed, whatever that is?
#include "libplanner/report/svg/link_colour.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace hora::report {
namespace {

TEST(LinkColour, HasAStepForEachGenerationOfPcie) {
    const double sixteen_lanes[] = {3.9e9, 7.9e9, 15.8e9, 31.5e9, 63e9, 126e9};
    for (std::size_t i = 1; i < std::size(sixteen_lanes); ++i) {
        const LinkLook slower = look_of(Bandwidth(sixteen_lanes[i - 1]));
        const LinkLook faster = look_of(Bandwidth(sixteen_lanes[i]));
        EXPECT_NE(slower.colour, faster.colour) << sixteen_lanes[i];
        EXPECT_LT(slower.width, faster.width) << sixteen_lanes[i];
    }
}

TEST(LinkColour, OfNoSpeedIsGrey) {
    for (const double speed : {0.0, -1.0, std::nan("")}) {
        EXPECT_EQ(look_of(Bandwidth(speed)).colour, "#7a7a7a") << speed;
        EXPECT_EQ(rounded_speed(Bandwidth(speed)), "speed not known") << speed;
    }
    EXPECT_EQ(look_of(Bandwidth(1)).colour, "#67001f");
    EXPECT_EQ(look_of(Bandwidth(std::numeric_limits<double>::max())).colour, "#7434c4");
}

TEST(LinkColour, RoundsSpeedsToThreeDigits) {
    const struct {
        double speed;
        std::string text;
    } cases[] = {
        {15.754e9, "15.8 GB/s"},   {2e9, "2 GB/s"},        {0.9846e9, "0.985 GB/s"},
        {999.4e9, "999 GB/s"},     {999.6e9, "1000 GB/s"}, {1.8e12, "1800 GB/s"},
        {1.4404e13, "14404 GB/s"},
    };
    for (const auto& row : cases) {
        EXPECT_EQ(rounded_speed(Bandwidth(row.speed)), row.text);
    }
}

TEST(LinkColour, NamesGenerationAndLanesWhereTheyAreKnown) {
    const auto text = [](double gigatransfers, std::uint32_t lanes, double speed) {
        return pcie_text(
            {.gigatransfers = gigatransfers, .lanes = lanes, .bandwidth = Bandwidth(speed)});
    };
    EXPECT_EQ(text(2.5, 1, 0.25e9), "PCIe 1.0 ×1, 0.25 GB/s");
    EXPECT_EQ(text(8, 16, 15.75e9), "PCIe 3.0 ×16, 15.8 GB/s");
    EXPECT_EQ(text(64, 16, 121e9), "PCIe 6.0 ×16, 121 GB/s");
    EXPECT_EQ(text(7, 8, 1e9), "PCIe ×8, 1 GB/s");
    EXPECT_EQ(text(8, 0, 0), "PCIe 3.0, speed not known");
    EXPECT_EQ(text(0, 0, 0), "PCIe, speed not known");
}

}  // namespace
}  // namespace hora::report
