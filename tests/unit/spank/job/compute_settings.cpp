// What holds on a node: what its hora.toml says, and without one the defaults?
#include "plugins/spank/job/compute_settings.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"

namespace hora::spank {
namespace {

class Settings : public testing::Test {
  protected:
    Expected<ComputeSettings> load(const char* text) const {
        folder_.write("hora.toml", text);
        return load_settings(folder_.file("hora.toml"));
    }

    const tests::ScratchFolder folder_;
};

TEST_F(Settings, are_the_same_without_a_file_and_from_an_empty_one) {
    const auto without = load_settings(folder_.file("missing/hora.toml"));
    const auto empty = load("");
    ASSERT_TRUE(without && empty) << empty.error().message;
    EXPECT_EQ(without->socket_interface, empty->socket_interface);
    EXPECT_EQ(without->ib_hca, empty->ib_hca);
    EXPECT_EQ(without->places_ring, empty->places_ring);
    EXPECT_EQ(without->acts, empty->acts);
    EXPECT_EQ(without->partition_acts, empty->partition_acts);
    EXPECT_EQ(without->topology_path, empty->topology_path);
    EXPECT_EQ(without->nccl_topo_file, empty->nccl_topo_file);
    EXPECT_EQ(without->network, empty->network);
    EXPECT_EQ(without->ports.first, empty->ports.first);
    EXPECT_EQ(without->ports.count, empty->ports.count);
    EXPECT_EQ(without->reader, empty->reader);
    EXPECT_EQ(without->reader_limit, empty->reader_limit);
    EXPECT_EQ(without->removes_finished, empty->removes_finished);
    EXPECT_EQ(without->keep_folders, empty->keep_folders);
}

TEST_F(Settings, are_what_the_file_says) {
    const auto settings = load(R"(
[checkpoint]
path = "/scratch/{user}/{job}-{submit}"
remove = false
keep = "0 s"
[network]
interface = "ib0"
hca = "mlx5_0"
bandwidth = "100 Gbit/s"
[ring]
place = false
[master]
port_base = 30000
port_range = 500
[model]
reader = "/opt/read"
timeout = "2.5 s"
[topology]
path = "/etc/{node}.json"
[nccl]
topo_file = "/etc/{node}.xml"
)");
    ASSERT_TRUE(settings) << settings.error().message;
    EXPECT_EQ(settings->checkpoint_path, "/scratch/{user}/{job}-{submit}");
    EXPECT_FALSE(settings->removes_finished);
    EXPECT_EQ(settings->keep_folders, Seconds(0));
    EXPECT_EQ(settings->socket_interface, "ib0");
    EXPECT_EQ(settings->ib_hca, "mlx5_0");
    EXPECT_EQ(settings->network, Bandwidth(12.5e9));
    EXPECT_FALSE(settings->places_ring);
    EXPECT_EQ(settings->ports.first, 30000);
    EXPECT_EQ(settings->ports.count, 500);
    EXPECT_EQ(settings->reader, "/opt/read");
    EXPECT_EQ(settings->reader_limit, std::chrono::milliseconds(2500));
    EXPECT_EQ(settings->topology_path, "/etc/{node}.json");
    EXPECT_EQ(settings->nccl_topo_file, "/etc/{node}.xml");
}

TEST_F(Settings, keep_ports_below_the_last_one) {
    const auto settings = load("[master]\nport_base = 65500\nport_range = 1000\n");
    ASSERT_TRUE(settings) << settings.error().message;
    EXPECT_EQ(settings->ports.first, 65500);
    EXPECT_EQ(settings->ports.count, 36);
}

TEST_F(Settings, of_a_partition_come_before_those_of_all) {
    const auto settings = load(R"(
mode = "act"
[partition.slow]
mode = "observe"
[partition.gpu]
mode = "act"
[partition.new]
mode = "advise"
)");
    ASSERT_TRUE(settings) << settings.error().message;
    EXPECT_TRUE(settings->acts_in("other"));
    EXPECT_TRUE(settings->acts_in(""));
    EXPECT_TRUE(settings->acts_in("gpu"));
    EXPECT_FALSE(settings->acts_in("slow"));
    EXPECT_FALSE(settings->acts_in("new"));
    const auto advising = load("mode = \"advise\"\n[partition.gpu]\nmode = \"act\"\n");
    ASSERT_TRUE(advising) << advising.error().message;
    EXPECT_FALSE(advising->acts_in("other"));
    EXPECT_TRUE(advising->acts_in("gpu"));
    EXPECT_FALSE(ComputeSettings().acts_in("gpu")) << "without a file nothing is done";
}

TEST_F(Settings, that_are_wrong_are_an_error_that_names_the_file) {
    for (const char* const text :
         {"mode = \"acting\"", "more = 1", "mode = ", "[master]\nport_base = 0"}) {
        const auto settings = load(text);
        ASSERT_FALSE(settings) << text;
        EXPECT_NE(settings.error().message.find("hora.toml"), std::string::npos)
            << settings.error().message;
    }
    EXPECT_FALSE(load_settings(folder_.path())) << "a folder";
}

}  // namespace
}  // namespace hora::spank
