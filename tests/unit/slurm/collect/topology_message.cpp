// Does all that slurmctld says of its switches arrive, whatever the caller's environment is?
#include "plugins/slurm/collect/topology_message.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

// Null pointers where a text is not set.
struct Switch {
    std::optional<std::string> name;
    std::optional<std::string> nodes;
    std::optional<std::string> switches;
};

struct Controller {
    int error = 0;
    bool has_message = true;
    std::vector<Switch> switches;
};

Controller controller;
topo_info_response_msg_t message{};
int freed = 0;

char* text_of(std::optional<std::string>& text) {
    return text ? text->data() : nullptr;
}

template <hora::slurm::HasSwitches Message>
void fill(Message& filled) {
    static std::vector<std::remove_reference_t<decltype(*filled.topo_array)>> records;
    records.clear();
    for (Switch& one : controller.switches) {
        auto& record = records.emplace_back();
        record.name = text_of(one.name);
        record.nodes = text_of(one.nodes);
        record.switches = text_of(one.switches);
        record.level = static_cast<std::uint16_t>(one.switches ? 1 : 0);
        record.link_speed = 1;
    }
    filled.record_count = static_cast<std::uint32_t>(records.size());
    filled.topo_array = records.data();
}

// Other releases print it by scontrol.
template <class Message>
void fill(Message& /*filled*/) {}

constexpr bool has_switches = hora::slurm::HasSwitches<topo_info_response_msg_t>;

}  // namespace

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
extern "C" {

int slurm_load_topo(topo_info_response_msg_t** place) {
    if (controller.error == 0 && controller.has_message) {
        fill(message);
        *place = &message;
    }
    return hora::tests::answer_with(controller.error);
}

void slurm_free_topo_info_msg(topo_info_response_msg_t* /*message*/) {
    ++freed;
}

}  // extern "C"
#endif

namespace hora::slurm {
namespace {

class TopologyMessage : public testing::Test {
  protected:
    void SetUp() override {
        controller = {};
        freed = 0;
        unsetenv("SLURM_TOPO_LEN");
        if (!has_switches) {
            GTEST_SKIP() << "scontrol prints it";
        }
    }
    void TearDown() override { unsetenv("SLURM_TOPO_LEN"); }
};

std::vector<Switch> two_leaves(const std::string& nodes) {
    return {{"leaf1", nodes, std::nullopt}, {"leaf2", "m1", ""}, {"core", "", "leaf[1-2]"}};
}

TEST_F(TopologyMessage, EachSwitchIsALineThatSaysAllOfIt) {
    controller.switches = two_leaves("n[1-8]");
    const auto text = load_topology_text();
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(*text,
              "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[1-8]\n"
              "SwitchName=leaf2 Level=1 LinkSpeed=1 Nodes=m1\n"
              "SwitchName=core Level=1 LinkSpeed=1 Switches=leaf[1-2]\n");
    EXPECT_EQ(freed, 1);
}

// Slurm's commands cut lines where this is set, for narrow terminals.
TEST_F(TopologyMessage, ItIsWholeThoughTheUserLikesShortLines) {
    std::string nodes = "n1";
    for (int node = 3; node < 20'000; node += 2) {
        nodes += ",n" + std::to_string(node);
    }
    controller.switches = two_leaves(nodes);
    for (const char* const length : {"", "0", "16", "60", "-1", "x"}) {
        setenv("SLURM_TOPO_LEN", length, 1);
        const auto text = load_topology_text();
        ASSERT_TRUE(text) << text.error().message;
        EXPECT_NE(text->find(" Nodes=" + nodes + "\n"), std::string::npos) << length;
        EXPECT_STREQ(getenv("SLURM_TOPO_LEN"), length) << "the caller's own";
    }
}

TEST_F(TopologyMessage, IsEmptyWhereThereIsNoSwitch) {
    const auto text = load_topology_text();
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(*text, "");
    EXPECT_EQ(freed, 1);
}

TEST_F(TopologyMessage, SaysWhyThereIsNone) {
    controller.error = ETIMEDOUT;
    EXPECT_EQ(load_topology_text().error().message,
              "cannot load the topology from slurmctld: Connection timed out");
    controller.error = 0;
    controller.has_message = false;
    EXPECT_EQ(load_topology_text().error().message,
              "cannot load the topology from slurmctld: the answer is empty");
    EXPECT_EQ(freed, 0);
}

TEST_F(TopologyMessage, ASwitchWithoutANameIsNone) {
    controller.switches = {{std::nullopt, "n1", std::nullopt}, {"leaf1", std::nullopt, {}}};
    const auto text = load_topology_text();
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(*text, "SwitchName=leaf1 Level=0 LinkSpeed=1\n");
}

}  // namespace
}  // namespace hora::slurm
