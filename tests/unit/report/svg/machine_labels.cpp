// Do the boxes of a machine say what it has, in words that fit its numbers?
#include "libplanner/report/svg/machine_labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libplanner/report/svg/machine_boxes.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using testing::ElementsAre;
using testing::IsEmpty;

using Lines = std::vector<std::string>;

struct Machine {
    domain::Topology topology;

    Machine() { topology.objects.push_back({.kind = ObjectKind::machine}); }
    std::uint32_t add(domain::TopologyObject object) {
        const auto number = static_cast<std::uint32_t>(topology.objects.size());
        if (object.kind == ObjectKind::gpu) {
            topology.gpus.emplace_back().object = number;
        } else if (object.kind == ObjectKind::nic) {
            topology.nics.emplace_back().object = number;
        }
        topology.objects.push_back(std::move(object));
        return number;
    }
    std::uint32_t add(ObjectKind kind, std::uint32_t parent = 0, const std::string& name = "") {
        return add({.kind = kind, .parent = parent, .name = name});
    }
    void add_core(std::uint32_t socket, std::uint32_t numa) {
        domain::TopologyCore& core = topology.cores.emplace_back();
        core.socket = socket;
        core.numa = numa;
    }
    BoxLabel label(std::uint32_t object, std::vector<std::uint32_t> numbers = {}) const {
        MachineBox box;
        box.object = object;
        box.kind = topology.objects[object].kind;
        box.numbers = std::move(numbers);
        return label_of(topology, box);
    }
};

TEST(MachineLabels, AMachineIsCalledByWhatIsKnownOfIt) {
    const struct {
        std::string host;
        std::string product;
        std::string name;
    } cases[] = {{"", "", "machine"},
                 {"n1", "", "n1"},
                 {"", "DGXA100", "DGXA100"},
                 {"n1", "DGXA100", "n1 (DGXA100)"}};
    for (const auto& row : cases) {
        Machine machine;
        machine.topology.host = row.host;
        machine.topology.objects[0].name = row.product;
        EXPECT_EQ(machine_name(machine.topology), row.name);
        EXPECT_EQ(machine.label(0).title, row.name);
    }
}

TEST(MachineLabels, ASocketSaysItsOnlyNumaNodeAndItsCores) {
    Machine machine;
    const std::uint32_t socket = machine.add(ObjectKind::socket, 0, "Xeon");
    EXPECT_EQ(machine.label(socket).lines, (Lines{"Socket 0", ""}));
    machine.add({.kind = ObjectKind::numa_node, .parent = socket, .os_index = 8});
    EXPECT_EQ(machine.label(socket).lines, (Lines{"Socket 0", "NUMA node 8"}));
    machine.add_core(0, 8);
    machine.add_core(1, 9);
    EXPECT_EQ(machine.label(socket).lines, (Lines{"Socket 0", "NUMA node 8, 1 core"}));
    EXPECT_EQ(machine.label(socket).title, "Socket 0, Xeon");
    machine.add_core(0, 8);
    const std::uint32_t second =
        machine.add({.kind = ObjectKind::numa_node, .parent = socket, .os_index = 9});
    EXPECT_EQ(machine.label(socket).lines, (Lines{"Socket 0", "2 cores"}));
    EXPECT_EQ(machine.label(second).lines, (Lines{"NUMA node 9", "1 core"}));
}

TEST(MachineLabels, AGpuNamesItsTypeWhereThereAreSeveral) {
    Machine machine;
    const std::uint32_t first = machine.add(
        {.kind = ObjectKind::gpu, .parent = 0, .name = "A100", .address = {.bus = 0x34}});
    machine.add({.kind = ObjectKind::gpu, .parent = 0, .name = "A100"});
    EXPECT_EQ(machine.label(first, {0}).lines, (Lines{"GPU 0", "34:00.0"}));
    EXPECT_EQ(machine.label(first, {0}).title, "GPU 0, 0000:34:00.0, A100");
    machine.add({.kind = ObjectKind::gpu, .parent = 0, .name = "H100"});
    EXPECT_EQ(machine.label(first, {0}).lines, (Lines{"GPU 0", "34:00.0", "A100"}));
    machine.topology.objects[first].address.domain = 0x10000;
    EXPECT_EQ(machine.label(first, {0}).lines[1], "10000:34:00.0");
}

TEST(MachineLabels, NicsThatShareABoxSayHowManyTheyAre) {
    Machine machine;
    for (std::uint8_t i = 0; i < 4; ++i) {
        machine.add({.kind = ObjectKind::nic, .parent = 0, .address = {.bus = i}});
    }
    EXPECT_EQ(machine.label(1, {0}).lines, (Lines{"NIC 0", "00:00.0"}));
    for (std::size_t i = 0; i < 4; ++i) {
        machine.topology.nics[i].names = {"eth" + std::to_string(i), "mlx5_" + std::to_string(i)};
    }
    EXPECT_EQ(machine.label(1, {0}).lines, (Lines{"NIC 0", "eth0 mlx5_0", "00:00.0"}));
    EXPECT_EQ(machine.label(1, {0, 2}).lines, (Lines{"NIC 0, 2", "eth0 mlx5_0", "eth2 mlx5_2"}));
    EXPECT_EQ(machine.label(1, {0, 1, 3}).lines, (Lines{"3 NICs", "eth0 mlx5_0", "… eth3 mlx5_3"}));
}

TEST(MachineLabels, ContentsAreCountedByName) {
    Machine machine;
    EXPECT_THAT(contents_of(machine.topology), IsEmpty());
    machine.add(ObjectKind::socket, 0, "Xeon");
    machine.add(ObjectKind::socket, 0, "Xeon");
    machine.add(ObjectKind::gpu, 0, "A100");
    machine.add(ObjectKind::nic);
    EXPECT_THAT(contents_of(machine.topology), ElementsAre("2 × Xeon", "1 × A100", "1 × NIC"));
    for (const char* const name : {"H100", "V100", "T4", "P100"}) {
        machine.add(ObjectKind::gpu, 0, name);
    }
    EXPECT_THAT(contents_of(machine.topology),
                ElementsAre("2 × Xeon", "1 × A100", "1 × H100", "1 × V100", "1 × T4", "1 more type",
                            "1 × NIC"));
    machine.add(ObjectKind::gpu, 0, "K80");
    EXPECT_EQ(contents_of(machine.topology)[5], "2 more types");
}

}  // namespace
}  // namespace hora::report
