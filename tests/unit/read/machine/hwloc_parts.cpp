// Are a machine's sockets and NUMA nodes found, and the nearest of them to a device?
#include "libplanner/read/machine/hwloc_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace hora::read {
namespace {

using domain::ObjectKind;
using Owned = std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)>;

Owned machine_of(const char* description) {
    hwloc_topology_t topology = nullptr;
    hwloc_topology_init(&topology);
    EXPECT_EQ(hwloc_topology_set_synthetic(topology, description), 0) << description;
    EXPECT_EQ(hwloc_topology_load(topology), 0) << description;
    return {topology, hwloc_topology_destroy};
}

// Each object and the one that it is in: "machine socket0(0) numa0(1)".
std::string text_of(const domain::Topology& topology) {
    std::string text = "machine";
    for (std::size_t i = 1; i < topology.objects.size(); ++i) {
        const domain::TopologyObject& object = topology.objects[i];
        text += fmt::format(" {}{}({})", object.kind == ObjectKind::socket ? "socket" : "numa",
                            object.os_index, object.parent);
    }
    return text;
}

std::string text_of(std::uint32_t number) {
    return number == domain::not_known ? "-" : std::to_string(number);
}

struct Case {
    const char* sentence;
    const char* machine;
    const char* parts;
    // Of the last processing unit, by the package that it is in: socket, NUMA node, object, CPUs.
    const char* of_package;
    const char* of_unit;
};

const Case cases[] = {
    {"memory at each socket", "pack:2 [numa] core:2 pu:1",
     "machine socket0(0) numa0(1) socket1(0) numa1(3)", "socket 1, numa 1, in 4: 2,3",
     "socket 1, numa 1, in 4: 3"},
    {"two NUMA nodes a socket: the socket is near neither alone", "pack:2 numa:2 pu:2",
     "machine socket0(0) numa0(1) numa1(1) socket1(0) numa2(4) numa3(4)",
     "socket 1, numa -, in 4: 4,5,6,7", "socket 1, numa 3, in 6: 7"},
    {"of two kinds of memory at the same processors the first", "pack:2 [numa] [numa] pu:2",
     "machine socket0(0) numa0(1) numa1(1) socket1(0) numa2(4) numa3(4)",
     "socket 1, numa 2, in 5: 2,3", "socket 1, numa 2, in 5: 3"},
    {"a NUMA node of both sockets is no closer place than one of them", "[numa] pack:2 pu:2",
     "machine socket0(0) socket1(0) numa0(0)", "socket 1, numa 0, in 2: 2,3",
     "socket 1, numa 0, in 2: 3"},
};

std::string text_of(const Home& home) {
    return fmt::format("socket {}, numa {}, in {}: {}", text_of(home.socket), text_of(home.numa),
                       home.object, fmt::join(home.cpus, ","));
}

TEST(HwlocParts, AreTheNearestToWhatHangsThere) {
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        const Owned topology = machine_of(row.machine);
        HwlocMachine machine;
        const HwlocParts parts(topology.get(), machine);
        EXPECT_EQ(text_of(machine.topology), row.parts);
        const hwloc_obj_t package = hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_PACKAGE, 1);
        ASSERT_NE(package, nullptr);
        EXPECT_EQ(text_of(parts.home_of(package)), row.of_package);
        const int units = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PU);
        const hwloc_obj_t unit =
            hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_PU, static_cast<unsigned>(units - 1));
        EXPECT_EQ(text_of(parts.home_of(unit)), row.of_unit);
    }
}

TEST(HwlocParts, AMachineWithoutSocketsIsOnePlace) {
    const Owned topology = machine_of("numa:1 core:2 pu:2");
    HwlocMachine machine;
    const HwlocParts parts(topology.get(), machine);
    EXPECT_EQ(text_of(machine.topology), "machine numa0(0)");
    EXPECT_EQ(text_of(parts.home_of(hwloc_get_root_obj(topology.get()))),
              "socket -, numa 0, in 1: 0,1,2,3");
}

TEST(HwlocParts, WhatSpansSocketsIsNearNone) {
    const struct {
        const char* machine;
        const char* home;  // of what hangs at the whole machine
    } spanning[] = {
        {"pack:2 [numa] pu:2", "socket -, numa -, in 0: 0,1,2,3"},
        {"[numa] pack:2 pu:2", "socket -, numa 0, in 3: 0,1,2,3"},
        {"pack:1 [numa] pu:2", "socket 0, numa 0, in 2: 0,1"},
    };
    for (const auto& row : spanning) {
        const Owned topology = machine_of(row.machine);
        HwlocMachine machine;
        const HwlocParts parts(topology.get(), machine);
        EXPECT_EQ(text_of(parts.home_of(hwloc_get_root_obj(topology.get()))), row.home)
            << row.machine;
    }
}

}  // namespace
}  // namespace hora::read
