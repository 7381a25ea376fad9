#include "plugins/spank/job/node_facts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "libplanner/report/machine/topology.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/spank/machine.hpp"

namespace hora::spank {
namespace {

class NodeFacts : public testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& text) const {
        scratch_.write(name, text);
        return scratch_.file(name);
    }

    const tests::ScratchFolder scratch_;
    const std::filesystem::path folder_ = scratch_.path();
};

TEST_F(NodeFacts, AVirtualMachineHasTheHypervisorsFlag) {
    const std::string real = write("real", "processor : 0\nflags\t\t: fpu vme sse2\n");
    const std::string guest = write("guest", "flags\t\t: fpu hypervisor lahf_lm\n");
    const std::string last = write("last", "flags\t\t: fpu hypervisor\n");
    EXPECT_FALSE(is_virtual_machine(real));
    EXPECT_TRUE(is_virtual_machine(guest));
    EXPECT_TRUE(is_virtual_machine(last));
    EXPECT_FALSE(is_virtual_machine(folder_ / "missing"));

    const std::string file = write("topology.xml", "<system version=\"1\"/>");
    EXPECT_EQ(nccl_topo_file(file, guest), file);
    EXPECT_EQ(nccl_topo_file(file, real), "");
    EXPECT_EQ(nccl_topo_file(folder_ / "missing", guest), "");
    EXPECT_EQ(nccl_topo_file("", guest), "");
}

TEST_F(NodeFacts, ATopologyIsReadOrItsProblemTold) {
    TaskFacts facts;
    read_topology_of(folder_ / "missing", facts);
    EXPECT_FALSE(facts.topology);
    EXPECT_EQ(facts.topology_problem, "");

    const std::string broken = write("broken", "{");
    read_topology_of(broken, facts);
    EXPECT_FALSE(facts.topology);
    EXPECT_EQ(facts.topology_problem.substr(0, broken.size() + 1), broken + ":");

    TaskFacts good;
    read_topology_of(write("good", report::to_json(two_pairs())), good);
    EXPECT_EQ(good.topology_problem, "");
    ASSERT_TRUE(good.topology);
    EXPECT_EQ(good.topology->gpus.size(), 4U);
    EXPECT_EQ(good.topology->gpus[1].cpus, two_pairs().gpus[1].cpus);
}

TEST_F(NodeFacts, TheNodesNameTakesItsPlace) {
    EXPECT_EQ(file_of_node("/etc/{node}/{node}.json", "n1"), "/etc/n1/n1.json");
    EXPECT_EQ(file_of_node("/etc/a.json", "n1"), "/etc/a.json");
}

// The list of nodes stands in a variable, which the user may have written.
TEST_F(NodeFacts, OnlyANameTakesThePlaceOfANode) {
    for (const char* const name : {"../../tmp/mine", "/tmp/mine", "..", ".hidden", ""}) {
        EXPECT_EQ(file_of_node("/etc/{node}/a.json", name), "") << name;
        EXPECT_EQ(file_of_node("/etc/a.json", name), "/etc/a.json") << name;
    }
    EXPECT_EQ(file_of_node("/etc/{node}.json", "n1.site-a"), "/etc/n1.site-a.json");
}

}  // namespace
}  // namespace hora::spank
