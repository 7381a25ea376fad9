#include "plugins/spank/ring/node_ring.hpp"

#include <gtest/gtest.h>

#include "tests/unit/spank/ring_text.hpp"

namespace hora::spank {
namespace {

const char* const two_levels =
    "SwitchName=leaf1 Nodes=n[1,4,7]\nSwitchName=leaf2 Nodes=n[2,5,8]\n"
    "SwitchName=leaf3 Nodes=n[3,6]\nSwitchName=pod1 Switches=leaf[1-2]\n"
    "SwitchName=pod2 Switches=leaf3\nSwitchName=core Switches=pod[1-2]\n";

std::string ring_text(const char* fabric, const std::vector<std::string>& nodes) {
    return to_text(ring_over(*read::read_fabric(fabric), nodes));
}

TEST(NodeRing, EntersEachSwitchOnce) {
    const struct {
        const char* sentence;
        const char* fabric;
        std::vector<std::string> nodes;
        const char* expected;
    } cases[] = {
        {"names that interleave",
         two_levels,
         {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"},
         "n[1,4,7]/n[2,5,8]//n[3,6]"},
        {"one leaf", two_levels, {"n1", "n4"}, "n[1,4]"},
        {"Slurm's first node stays first", two_levels, {"n3", "n1", "n6"}, "n[3,6]//n1"},
        {"no switches", "", {"n1", "n2"}, ""},
        {"nodes that no switch knows", two_levels, {"m1", "m2"}, ""},
        {"a node that hangs on no switch", two_levels, {"n1", "m1", "n4"}, "n[1,4]///m1"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(ring_text(c.fabric, c.nodes), c.expected) << c.sentence;
    }
}

TEST(NodeRing, APartCrossesLeast) {
    const NodeRing ring = node_ring("n1/n[2-4]//n[5-8]");
    const std::pair<std::size_t, const char*> cases[] = {
        {1, "n1"},     {2, "n[2-3]"},         {3, "n[2-4]"},
        {4, "n[5-8]"}, {5, "n[2-4]//n[5-6]"}, {8, "n1/n[2-4]//n[5-8]"}};
    for (const auto& [count, expected] : cases) {
        EXPECT_EQ(to_text(part_of(ring, count)), expected) << count;
    }
}

}  // namespace
}  // namespace hora::spank
