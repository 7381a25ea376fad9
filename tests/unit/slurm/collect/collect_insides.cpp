// Do nodes that are alike share a layout, and is each contradiction said once for all of its nodes?
#include "plugins/slurm/collect/collect_insides.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libplanner/read/machine/device_catalog.hpp"

namespace hora::slurm {
namespace {

constexpr const char* by_socket =
    "NodeName=n[1-9] Name=gpu File=/dev/nvidia[0-1] Cores=0-3\n"
    "NodeName=n[1-9] Name=gpu File=/dev/nvidia[2-3] Cores=4-7\n"
    "NodeName=odd[1-9] Name=gpu File=/dev/nvidia[0-2]\n"
    "NodeName=auto[1-9] AutoDetect=nvml Name=gpu File=/dev/nvidia0\n";

class InsidesTest : public testing::Test {
  protected:
    InsidesTest() : gres_(read::parse_gres_conf(by_socket)) {}

    read::SlurmNode node(std::size_t gpus = 4) const {
        read::SlurmNode node;
        node.gpus.assign(gpus, read::find_device(read::known_devices(), "titanx"));
        node.sockets = 2;
        node.cores_per_socket = 4;
        return node;
    }
    std::uint32_t layout_of(const char* name, std::size_t gpus = 4, std::uint32_t device = 0) {
        return insides_.find(name, node(gpus), std::vector<std::uint32_t>(gpus, device)).layout;
    }

    read::SiteNodes site_;
    const read::GresConf gres_;
    Insides insides_{site_, gres_};
};

TEST_F(InsidesTest, AreSharedByNodesThatAreAlike) {
    const std::uint32_t first = layout_of("n1");
    EXPECT_EQ(layout_of("n2"), first);
    EXPECT_EQ(layout_of("n1"), first) << "asked again";
    EXPECT_NE(layout_of("n3", 4, 1), first) << "of another type of GPU";
    EXPECT_NE(layout_of("other"), first) << "no line is of it";
    EXPECT_EQ(insides_.remarks(), std::vector<std::string>());
    EXPECT_EQ(insides_.take_layouts().size(), 3U);
}

TEST_F(InsidesTest, HaveTheSocketsOfGresConf) {
    const std::vector<std::uint32_t> two_and_two{0, 0, 1, 1};
    EXPECT_EQ(insides_.find("n1", node(), {0, 0, 0, 0}).gpu_sockets, two_and_two);
    EXPECT_TRUE(insides_.find("other", node(), {0, 0, 0, 0}).gpu_sockets.empty());
    EXPECT_EQ(insides_.find("n2", node(), {0, 0, 0, 0}).gpu_sockets, two_and_two);
}

TEST_F(InsidesTest, ThatAreNotKnownAreSaidOnceForAllNodes) {
    for (const char* const name : {"odd1", "odd2", "n1", "odd3"}) {
        layout_of(name);
    }
    EXPECT_EQ(insides_.remarks(),
              std::vector<std::string>{"the inside of node \"odd[1-3]\" counts as unknown: "
                                       "gres.conf gives it 3 GPUs, Slurm 4"});
    layout_of("n2", 2);
    EXPECT_EQ(insides_.remarks().size(), 2U) << "another contradiction";
}

TEST_F(InsidesTest, AreFoundBySlurmWhereTheLinesNameNotAllGpus) {
    layout_of("auto1");
    layout_of("auto2", 1);
    EXPECT_EQ(insides_.remarks(), std::vector<std::string>());
}

TEST_F(InsidesTest, OfANodeWithoutGpusAreNoProblem) {
    layout_of("odd1", 0);
    layout_of("", 0);
    EXPECT_EQ(insides_.remarks(), std::vector<std::string>());
}

}  // namespace
}  // namespace hora::slurm
