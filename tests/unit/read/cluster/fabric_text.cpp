#include "libplanner/read/cluster/fabric_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hora::read {
namespace {

constexpr std::uint32_t none = domain::no_fabric_switch;

struct Case {
    const char* sentence;
    const char* text;
    std::vector<domain::FabricSwitch> switches;
    std::vector<std::string> nodes;
    std::vector<std::uint32_t> attached_to;
};

const Case cases[] = {
    {"no text has no switch", "", {}, {}, {}},
    {"leaves and what is above them, as scontrol shows them",
     "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n1,n2\n"
     "SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=n3\n"
     "SwitchName=spine Level=1 LinkSpeed=1 Nodes=n[1-3] Switches=leaf[1-2]\n",
     {{"leaf1", 2}, {"leaf2", 2}, {"spine", none}},
     {"n1", "n2", "n3"},
     {0, 0, 1}},
    {"a topology.conf with comments, continued lines, blanks and keys of any case",
     "# the fabric\n"
     "switchname = leaf1\\\n"
     "  NODES=n1,n2, # behind it\n"
     "SwitchName=leaf2 Nodes=\"n3\"\n"
     "\n"
     "SWITCHNAME=spine Switches=leaf[1-2] LinkSpeed=1",
     {{"leaf1", 2}, {"leaf2", 2}, {"spine", none}},
     {"n1", "n2", "n3"},
     {0, 0, 1}},
    {"a list goes on after a backslash without blanks",
     "SwitchName=leaf1 Nodes=n1,\\\nn2\n",
     {{"leaf1", none}},
     {"n1", "n2"},
     {0, 0}},
    {"a hash behind a backslash is no comment",
     "SwitchName=a\\#b Nodes=n1",
     {{"a\\#b", none}},
     {"n1"},
     {0}},
    {"blocks",
     "BlockName=b1 BlockIndex=0 Nodes=n[1-2] BlockSize=2\n\n",
     {{"b1", none}},
     {"n1", "n2"},
     {0, 0}},
    {"aggregated blocks of two sizes",
     "BlockName=b1 BlockIndex=0 Nodes=n1 BlockSize=1\n"
     "BlockName=b2 BlockIndex=1 Nodes=n2 BlockSize=1\n"
     "BlockName=b3 BlockIndex=2 Nodes=n3 BlockSize=1\n"
     "BlockName=b4 BlockIndex=3 Nodes=n4 BlockSize=1\n"
     "AggregatedBlock=b[1-4] BlockIndex=4 Nodes=n[1-4] BlockSize=4\n"
     "AggregatedBlock=b[1-2] BlockIndex=5 Nodes=n[1-2] BlockSize=2\n"
     "AggregatedBlock=b[3-4] BlockIndex=6 Nodes=n[3-4] BlockSize=2\n",
     {{"b1", 5}, {"b2", 5}, {"b3", 6}, {"b4", 6}, {"b[1-4]", none}, {"b[1-2]", 4}, {"b[3-4]", 4}},
     {"n1", "n2", "n3", "n4"},
     {0, 1, 2, 3}},
    {"block sizes of a topology.conf make greater blocks",
     "BlockName=b1 Nodes=n1\nBlockName=b2 Nodes=n2\nBlockName=b3 Nodes=n3\nBlockSizes=1,2\n",
     {{"b1", 3}, {"b2", 3}, {"b3", 4}, {"2 blocks from b1", none}, {"1 blocks from b3", none}},
     {"n1", "n2", "n3"},
     {0, 1, 2}},
    {"a node on two leaves hangs on the first",
     "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n[1-2]\n",
     {{"a", none}, {"b", none}},
     {"n1", "n2"},
     {0, 1}},
    {"a switch below two hangs on the first, and one that is not described is passed over",
     "SwitchName=a Nodes=n1\nSwitchName=b Switches=a,z\nSwitchName=c Switches=a\n",
     {{"a", 1}, {"b", none}, {"c", none}},
     {"n1"},
     {0}},
    {"other lines are passed over",
     "slurm_load_topo error: nothing\nFoo=1 Nodes=x\n= =\n",
     {},
     {},
     {}},
};

TEST(FabricText, ReadsWhatSlurmWritesAndReads) {
    for (const Case& test : cases) {
        const auto named = read_fabric(test.text);
        ASSERT_TRUE(named.has_value()) << test.sentence << ": " << named.error().message;
        EXPECT_EQ(named->fabric.switches, test.switches) << test.sentence;
        EXPECT_EQ(named->nodes, test.nodes) << test.sentence;
        EXPECT_EQ(named->fabric.attached_to, test.attached_to) << test.sentence;
    }
}

struct Bad {
    const char* sentence;
    const char* text;
    const char* message;
};

const Bad bad_cases[] = {
    {"a list that is not closed", "\nSwitchName=s Switches=l[1-",
     "line 2: host list \"l[1-\" has a '[' that is never closed"},
    {"a switch that is there twice", "SwitchName=s Nodes=n1\nSwitchName=s Nodes=n2",
     "line 2: \"s\" is there twice"},
    {"switches above each other", "SwitchName=a Switches=b\nSwitchName=b Switches=a",
     "switch \"a\" is above itself, or below more than 63 others"},
    {"too many nodes", "SwitchName=a Nodes=n[1-100000]\nSwitchName=b Nodes=m1",
     "line 2: more than 100000 nodes"},
    {"a list that never ends", "SwitchName=a Nodes=n[1-999999999999]",
     "line 1: host list \"n[1-999999999999]\" names more than 100000 hosts"},
    {"a size that is no number", "BlockSizes=4,x", "line 1: BlockSizes: "},
};

TEST(FabricText, SaysWhatIsWrongAndWhere) {
    for (const Bad& test : bad_cases) {
        const auto named = read_fabric(test.text);
        ASSERT_FALSE(named.has_value()) << test.sentence;
        EXPECT_EQ(named.error().message.substr(0, std::string_view(test.message).size()),
                  test.message)
            << test.sentence;
    }
}

TEST(FabricText, FindsTheNodesOfACluster) {
    const auto named =
        read_fabric("SwitchName=leaf1 Nodes=n[1-2]\nSwitchName=leaf2 Nodes=n[3-4]\n");
    ASSERT_TRUE(named.has_value());
    const std::vector<std::string> nodes{"n3", "n1", "m1"};
    const FabricOfNodes found = fabric_of(*named, nodes);
    EXPECT_EQ(found.fabric.attached_to, (std::vector<std::uint32_t>{1, 0, none}));
    EXPECT_EQ(found.fabric.switches, named->fabric.switches);
    EXPECT_EQ(found.unknown, (std::vector<std::string>{"n2", "n4"}));
    EXPECT_EQ(found.loose, std::vector<std::uint32_t>{2});
    EXPECT_TRUE(fabric_of(NamedFabric{}, nodes).loose.empty());
}

TEST(FabricText, AnyTextEnds) {
    EXPECT_TRUE(rc::check([](const std::string& text) { read_fabric("SwitchName=a " + text); }));
}

}  // namespace
}  // namespace hora::read
