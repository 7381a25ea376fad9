#include "plugins/slurm/topology_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hora::slurm {
namespace {

TEST(TopologyText, ReadsLeavesAndWhatIsAboveThem) {
    const auto switches = parse_topology(
        "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n1,n2\n"
        "SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=n3\n"
        "SwitchName=spine Level=1 LinkSpeed=1 Nodes=n[1-3] Switches=leaf[1-2]\n");
    ASSERT_TRUE(switches.has_value());
    ASSERT_EQ(switches->list.size(), 3u);
    EXPECT_EQ(switches->list[0].parent, 2u);
    EXPECT_EQ(switches->list[1].parent, 2u);
    EXPECT_EQ(switches->list[2].parent, read::no_switch);
    EXPECT_EQ(switches->nodes, (std::vector<std::string>{"n1,n2", "n3", ""}));
}

TEST(TopologyText, ReadsBlocksAndNothing) {
    const auto blocks = parse_topology("BlockName=b1 BlockIndex=0 Nodes=n[1-2] BlockSize=2\n\n");
    ASSERT_TRUE(blocks.has_value());
    EXPECT_EQ(blocks->nodes, std::vector<std::string>{"n[1-2]"});
    EXPECT_TRUE(parse_topology("")->list.empty());
}

TEST(TopologyText, RefusesABrokenList) {
    EXPECT_FALSE(parse_topology("SwitchName=s Switches=l[1-").has_value());
}

TEST(TopologyText, AnyTextEnds) {
    rc::check([](const std::string& text) { parse_topology("SwitchName=a " + text); });
}

}  // namespace
}  // namespace hora::slurm
