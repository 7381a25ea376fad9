// What does a node's table say of its inside, and does it go with its GPUs?
#include "libplanner/read/cluster/node_inside.hpp"

#include <gtest/gtest.h>

#include "libplanner/model/links/path.hpp"

namespace hora::read {
namespace {

domain::Device device() {
    domain::Device made;
    made.pcie = Bandwidth(16e9);
    made.nvlink = Bandwidth(300e9);
    return made;
}

NodeInside on_switches(std::uint32_t switches, std::optional<Bandwidth> inside = {},
                       std::optional<Bandwidth> across = {}) {
    NodeInside made;
    made.pcie = PcieInside{switches, inside, across, "f:2:1", "f:4:1"};
    return made;
}

TEST(NodeInside, IsFlatWhereNothingIsSaid) {
    const domain::Device known = device();
    const auto usual = layout_of({}, 4, &known);
    ASSERT_TRUE(usual);
    EXPECT_EQ(usual->groups.size(), 1U);
    EXPECT_EQ(usual->groups[0].link, usual_link(known));
    NodeInside said;
    said.link = Bandwidth(7e9);
    EXPECT_EQ(layout_of(said, 4, &known)->groups[0].link.bandwidth, Bandwidth(7e9));
    EXPECT_EQ(layout_of(said, 4, &known)->groups[0].link.latency, usual_link(known).latency);
    EXPECT_TRUE(layout_of({}, 0, nullptr)->group_of.empty());
}

TEST(NodeInside, HasSwitchesOfPcie) {
    const domain::Device known = device();
    const auto usual = layout_of(on_switches(2), 4, &known);
    ASSERT_TRUE(usual);
    EXPECT_EQ(usual->groups[1].link, pcie_link(model::attained_over_pcie(known.pcie)))
        << "NVLink is not what they say";
    EXPECT_EQ(usual->groups[0].link, usual->groups[1].link) << "across as inside";
    const auto said = layout_of(on_switches(2, Bandwidth(10e9), Bandwidth(5e9)), 4, &known);
    EXPECT_EQ(said->groups[1].link.bandwidth, Bandwidth(10e9));
    EXPECT_EQ(said->groups[0].link.bandwidth, Bandwidth(5e9));
    EXPECT_EQ(layout_of(on_switches(2, Bandwidth(10e9)), 4, &known)->groups[0].link.bandwidth,
              Bandwidth(10e9));
    EXPECT_TRUE(layout_of(on_switches(4), 4, &known));
    EXPECT_TRUE(layout_of(on_switches(2, Bandwidth(5e9), Bandwidth(5e9)), 4, &known));
    EXPECT_TRUE(layout_of(on_switches(1), 0, nullptr)) << "a node without GPUs";
}

TEST(NodeInside, SaysWhatDoesNotGoTogether) {
    const domain::Device known = device();
    EXPECT_EQ(layout_of(on_switches(5), 4, &known).error().message,
              "f:2:1: 4 GPUs cannot be on 5 switches");
    EXPECT_EQ(layout_of(on_switches(0), 1, &known).error().message,
              "f:2:1: 1 GPU cannot be on 0 switches");
    EXPECT_EQ(layout_of(on_switches(2, Bandwidth(5e9), Bandwidth(6e9)), 4, &known).error().message,
              "f:4:1: \"across\" is faster than \"inside\"; exchange the two");
    EXPECT_FALSE(layout_of(on_switches(2, {}, Bandwidth(17e9)), 4, &known))
        << "than the device's own";
}

TEST(NodeInside, IsSaidInOneOfThreeWays) {
    NodeInside inside;
    EXPECT_FALSE(inside.is_said());
    inside.link = Bandwidth(1);
    EXPECT_TRUE(inside.is_said());
    EXPECT_TRUE(on_switches(1).is_said());
    NodeInside file;
    file.topology = "a.xml";
    EXPECT_TRUE(file.is_said());
}

}  // namespace
}  // namespace hora::read
