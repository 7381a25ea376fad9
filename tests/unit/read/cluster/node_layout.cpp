// Are GPUs grouped by what they hang on, with the slowest way between two of a group?
#include "libplanner/read/cluster/node_layout.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libplanner/model/links/path.hpp"

namespace hora::read {
namespace {

using domain::ObjectKind;
using domain::PartKind;

domain::PcieLink lanes(std::uint32_t count) {
    return {8, count, model::pcie_bandwidth(8, count), false, false};
}

// A machine of one object, to hang others on.
class Machine {
  public:
    Machine() { topology.objects.emplace_back(); }

    std::uint32_t add(ObjectKind kind, std::uint32_t parent, domain::PcieLink uplink = {}) {
        domain::TopologyObject object{.kind = kind, .parent = parent};
        object.is_switch = kind == ObjectKind::bridge;
        object.uplink = uplink;
        topology.objects.push_back(object);
        return static_cast<std::uint32_t>(topology.objects.size() - 1);
    }
    std::uint32_t add_socket() { return add(ObjectKind::host_bridge, add(ObjectKind::socket, 0)); }
    std::uint32_t add_switch(std::uint32_t parent) {
        return add(ObjectKind::bridge, parent, lanes(16));
    }
    void add_gpu(std::uint32_t parent, domain::PcieLink uplink = lanes(16)) {
        topology.gpus.emplace_back().object = add(ObjectKind::gpu, parent, uplink);
    }

    domain::Topology topology;
};

domain::Device some_device() {
    domain::Device device;
    device.pcie = Bandwidth(16e9);
    return device;
}

std::vector<std::string> names_of(const NodeLayout& layout) {
    std::vector<std::string> names;
    for (const GpuGroup& group : layout.groups) {
        names.push_back(group.name);
    }
    return names;
}

// Two sockets with two switches each, whose GPUs are counted across them.
Machine two_sockets() {
    Machine machine;
    std::vector<std::uint32_t> switches;
    for (int socket = 0; socket < 2; ++socket) {
        const std::uint32_t root = machine.add_socket();
        switches.push_back(machine.add_switch(root));
        switches.push_back(machine.add_switch(root));
    }
    for (int round = 0; round < 2; ++round) {
        for (const std::uint32_t one : switches) {
            machine.add_gpu(one);
        }
    }
    return machine;
}

TEST(NodeLayout, HasAGroupForEachPlaceWhereGpusMeet) {
    const NodeLayout layout = layout_of(two_sockets().topology, some_device());
    EXPECT_EQ(names_of(layout), (std::vector<std::string>{"", "socket0", "switch0", "switch1",
                                                          "socket1", "switch2", "switch3"}));
    EXPECT_EQ(layout.group_of, (std::vector<std::uint32_t>{2, 3, 5, 6, 2, 3, 5, 6}));
    std::vector<std::uint32_t> parents;
    for (const GpuGroup& group : layout.groups) {
        parents.push_back(group.parent);
    }
    EXPECT_EQ(parents, (std::vector<std::uint32_t>{domain::no_part, 0, 1, 1, 0, 4, 4}));
    EXPECT_EQ(layout.groups[0].kind, PartKind::node);
    EXPECT_EQ(layout.groups[1].kind, PartKind::socket);
    EXPECT_EQ(layout.groups[2].kind, PartKind::pcie_switch);
}

TEST(NodeLayout, HasNoneForWhatHoldsAllOrOne) {
    Machine machine;
    const std::uint32_t root = machine.add_socket();
    const std::uint32_t above = machine.add_switch(root);
    const std::uint32_t below = machine.add_switch(above);
    machine.add_gpu(below);
    machine.add_gpu(below);
    machine.add_gpu(machine.add_switch(above));
    const NodeLayout layout = layout_of(machine.topology, some_device());
    EXPECT_EQ(names_of(layout), (std::vector<std::string>{"", "switch0"}));
    EXPECT_EQ(layout.group_of, (std::vector<std::uint32_t>{1, 1, 0}));
    EXPECT_EQ(layout.groups[0].kind, PartKind::node) << "though the GPUs meet at a switch";
}

TEST(NodeLayout, IsAsFastAsTheSlowestWay) {
    Machine machine;
    const std::uint32_t root = machine.add_socket();
    const std::uint32_t fast = machine.add_switch(root);
    const std::uint32_t slow = machine.add_switch(root);
    machine.add_gpu(fast);
    machine.add_gpu(fast);
    machine.add_gpu(slow);
    machine.add_gpu(slow, lanes(8));
    machine.add_gpu(slow, lanes(4));
    const NodeLayout layout = layout_of(machine.topology, some_device());
    ASSERT_EQ(layout.groups.size(), 3U);
    EXPECT_EQ(layout.groups[1].link, pcie_link(Bandwidth(12e9)));
    EXPECT_EQ(layout.groups[2].link, pcie_link(Bandwidth(3e9)));
    EXPECT_EQ(layout.groups[0].link, pcie_link(Bandwidth(3e9)));
}

TEST(NodeLayout, TakesTheDevicesLinkForWhatIsNotKnown) {
    const struct {
        const char* sentence;
        domain::PcieLink link;
        double specified;
    } cases[] = {
        {"neither rate nor lanes are known: it has sixteen", {}, 16e9},
        {"what is usual gives way to the device's", {8, 16, Bandwidth(1e9), true, true}, 16e9},
        {"on as many lanes as it has", {8, 4, Bandwidth(1e9), true, true}, 4e9},
    };
    for (const auto& [sentence, link, specified] : cases) {
        Machine machine;
        machine.add_gpu(machine.add_socket(), link);
        const NodeLayout one = layout_of(machine.topology, some_device());
        const domain::Link wanted = pcie_link(model::attained_over_pcie(Bandwidth(specified)));
        EXPECT_EQ(one.groups[0].link, wanted) << sentence;
        machine.add_gpu(1, link);
        EXPECT_EQ(layout_of(machine.topology, some_device()).groups[0].link, wanted) << sentence;
    }
}

TEST(NodeLayout, TakesNvlinkWhereAllOfAGroupHaveIt) {
    Machine machine = two_sockets();
    const std::vector<domain::TopologyGpu>& gpus = machine.topology.gpus;
    machine.topology.nvlinks.push_back({gpus[0].object, gpus[4].object, Bandwidth(50e9), false});
    domain::Device device = some_device();
    device.nvlink = Bandwidth(300e9);
    const NodeLayout layout = layout_of(machine.topology, device);
    EXPECT_EQ(layout.groups[2].link, nvlink_link(model::attained_over_nvlink(Bandwidth(50e9))));
    EXPECT_EQ(layout.groups[3].link, pcie_link(Bandwidth(12e9))) << "the topology knows of NVLink";
    EXPECT_EQ(layout.groups[0].link, pcie_link(model::between_sockets({})))
        << "what its worst set exchanges, which is on both sockets";
}

TEST(NodeLayout, TakesADevicesNvlinkAllToAllUnlessItWasMeasured) {
    Machine machine = two_sockets();
    domain::Device device = some_device();
    device.nvlink = Bandwidth(300e9);
    for (const GpuGroup& group : layout_of(machine.topology, device).groups) {
        EXPECT_EQ(group.link, usual_link(device)) << group.name;
    }
    const std::size_t count = machine.topology.gpus.size();
    machine.topology.paths.resize(count * count);
    for (const std::size_t at : {0 * count + 4, 4 * count + 0}) {
        machine.topology.paths[at] = {domain::PathKind::pix, Bandwidth(7e9), true};
    }
    const NodeLayout measured = layout_of(machine.topology, device);
    EXPECT_EQ(measured.groups[2].link, pcie_link(Bandwidth(7e9)));
    EXPECT_EQ(measured.groups[3].link, usual_link(device));
}

TEST(NodeLayout, OfNoGpuIsOneEmptyGroup) {
    const NodeLayout layout = layout_of(Machine().topology, some_device());
    EXPECT_EQ(names_of(layout), (std::vector<std::string>{""}));
    EXPECT_TRUE(layout.group_of.empty());
}

}  // namespace
}  // namespace hora::read
