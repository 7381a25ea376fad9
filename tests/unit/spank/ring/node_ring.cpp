#include "plugins/spank/ring/node_ring.hpp"

#include <gtest/gtest.h>

namespace hora::spank {
namespace {

const char* const two_levels =
    "SwitchName=leaf1 Nodes=n[1,4,7]\nSwitchName=leaf2 Nodes=n[2,5,8]\n"
    "SwitchName=leaf3 Nodes=n[3,6]\nSwitchName=pod1 Switches=leaf[1-2]\n"
    "SwitchName=pod2 Switches=leaf3\nSwitchName=core Switches=pod[1-2]\n";

TEST(NodeRing, EntersEachSwitchOnce) {
    const struct {
        const char* sentence;
        const char* fabric;
        std::vector<std::string> nodes;
        std::vector<std::string> expected;
    } cases[] = {
        {"names that interleave",
         two_levels,
         {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"},
         {"n1", "n4", "n7", "n2", "n5", "n8", "n3", "n6"}},
        {"one leaf", two_levels, {"n1", "n4"}, {"n1", "n4"}},
        {"Slurm's first node stays first", two_levels, {"n3", "n1", "n6"}, {"n3", "n6", "n1"}},
        {"no switches", "", {"n1", "n2"}, {}},
        {"nodes that no switch knows", two_levels, {"m1", "m2"}, {}},
        {"a node that hangs on no switch", two_levels, {"n1", "m1", "n4"}, {"n1", "n4", "m1"}},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(ring_over(*read::read_fabric(c.fabric), c.nodes), c.expected) << c.sentence;
    }
}

}  // namespace
}  // namespace hora::spank
