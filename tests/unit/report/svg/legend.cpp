// Does the legend say each look once, in order, and within its width?
#include "libplanner/report/svg/legend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/report/svg/drawn.hpp"

namespace hora::report {
namespace {

using testing::ElementsAre;

constexpr double line_height = 22;

struct Legends {
    double end = 0;
    std::vector<std::string> texts;
    std::vector<double> lefts;
};

Legends draw(const std::vector<LegendEntry>& entries, double width) {
    Legend legend;
    for (const LegendEntry& entry : entries) {
        legend.add(entry);
    }
    SvgCanvas canvas;
    Legends drawn;
    drawn.end = legend.draw(canvas, 10, 100, width);
    const Drawn picture(canvas);
    for (const pugi::xml_node& text : picture.groups("legend").front().children("text")) {
        drawn.texts.emplace_back(text.child_value());
        drawn.lefts.push_back(text.attribute("x").as_double());
    }
    return drawn;
}

TEST(Legend, HasLinksBeforeRingsTheFastestFirstAndEachOnce) {
    const Legends drawn = draw({{LegendKind::slowest, Bandwidth(1e9), "slowest"},
                                {LegendKind::ring, Bandwidth(9e9), "ring"},
                                {LegendKind::link, Bandwidth(0), "unknown"},
                                {LegendKind::link, Bandwidth(2e9), "b"},
                                {LegendKind::link, Bandwidth(2e9), "a"},
                                {LegendKind::link, Bandwidth(5e9), "fast"},
                                {LegendKind::link, Bandwidth(5e9), "fast"}},
                               10'000);
    EXPECT_THAT(drawn.texts, ElementsAre("fast", "a", "b", "unknown", "ring", "slowest"));
    EXPECT_EQ(drawn.end, 100 + line_height);
}

TEST(Legend, TakesNoRoomWhereItIsEmpty) {
    EXPECT_EQ(draw({}, 500).end, 100);
}

TEST(Legend, BreaksLinesAndCutsWhatIsWiderThanOne) {
    const Legends two = draw({{LegendKind::link, Bandwidth(2e9), "one link of this kind"},
                              {LegendKind::link, Bandwidth(1e9), "one link of that kind"}},
                             200);
    EXPECT_EQ(two.end, 100 + 2 * line_height);
    EXPECT_EQ(two.lefts[0], two.lefts[1]);
    const Legends long_one =
        draw({{LegendKind::link, Bandwidth(1e9), std::string(10'000, 'n')}}, 200);
    EXPECT_EQ(long_one.end, 100 + line_height);
    EXPECT_TRUE(long_one.texts[0].ends_with("…"));
    EXPECT_LT(long_one.texts[0].size(), 50U);
}

TEST(Legend, ALinkOfUnknownSpeedIsDashed) {
    EXPECT_FALSE(line_of(Bandwidth(1)).is_dashed);
    EXPECT_TRUE(line_of(Bandwidth(0)).is_dashed);
    EXPECT_TRUE(line_of(Bandwidth(-1)).is_dashed);
}

}  // namespace
}  // namespace hora::report
