#include "libplanner/model/links/path.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace hora::model {
namespace {

using domain::ObjectKind;
using domain::PathKind;
using domain::Topology;

constexpr domain::PcieLink x16{8, 16, Bandwidth(16e9 * 8 * 128 / 130 / 8), false, false};

class Machine {
  public:
    Machine() { add(ObjectKind::machine, domain::no_object); }

    std::uint32_t add(ObjectKind kind, std::uint32_t parent) {
        topology.objects.push_back({.kind = kind, .parent = parent});
        return static_cast<std::uint32_t>(topology.objects.size() - 1);
    }
    // Socket, NUMA node and host bridge.
    std::uint32_t add_host_bridge() {
        const std::uint32_t socket = add(ObjectKind::socket, 0);
        return add(ObjectKind::host_bridge, add(ObjectKind::numa_node, socket));
    }
    std::uint32_t add_switch(std::uint32_t parent, domain::PcieLink uplink = x16) {
        const std::uint32_t port = add(ObjectKind::bridge, parent);
        const std::uint32_t own = add(ObjectKind::bridge, port);
        topology.objects[own].is_switch = true;
        topology.objects[own].uplink = uplink;
        return own;
    }
    std::uint32_t add_gpu(std::uint32_t parent, domain::PcieLink uplink = x16) {
        const std::uint32_t own = add(ObjectKind::gpu, add(ObjectKind::bridge, parent));
        topology.objects[own].uplink = uplink;
        topology.gpus.emplace_back().object = own;
        return own;
    }

    Topology topology;
};

double gigabytes(const Topology& topology, std::size_t a, std::size_t b) {
    return topology.path(a, b).bandwidth.count() / 1e9;
}

// Four GPUs: a pair under each of two switches.
Machine two_switches(bool has_two_sockets) {
    Machine machine;
    const std::uint32_t host = machine.add_host_bridge();
    const std::uint32_t other = has_two_sockets ? machine.add_host_bridge() : host;
    for (const std::uint32_t where : {host, other}) {
        const std::uint32_t own = machine.add_switch(where);
        machine.add_gpu(own);
        machine.add_gpu(own);
    }
    machine.topology.processor = {"x86_64", "GenuineIntel", "", 6, 79};
    return machine;
}

TEST(Path, GivesNcclsFiguresOfABoxWithTwoSwitches) {
    Topology one = two_switches(false).topology;
    find_paths(one);
    EXPECT_EQ(one.path(0, 1).kind, PathKind::pix);
    EXPECT_DOUBLE_EQ(gigabytes(one, 0, 1), 12);
    EXPECT_EQ(one.path(0, 2).kind, PathKind::phb);
    EXPECT_DOUBLE_EQ(gigabytes(one, 0, 2), 10);

    Topology two = two_switches(true).topology;
    find_paths(two);
    EXPECT_EQ(two.path(1, 2).kind, PathKind::sys);
    EXPECT_DOUBLE_EQ(gigabytes(two, 1, 2), 6);
    EXPECT_DOUBLE_EQ(gigabytes(two, 2, 3), 12);
}

TEST(Path, TellsOneSwitchFromSeveral) {
    Machine machine;
    const std::uint32_t outer = machine.add_switch(machine.add_host_bridge());
    const std::uint32_t inner = machine.add_switch(outer);
    machine.add_gpu(inner);
    machine.add_gpu(inner);
    machine.add_gpu(outer);
    find_paths(machine.topology);
    EXPECT_EQ(machine.topology.path(0, 1).kind, PathKind::pix);
    EXPECT_EQ(machine.topology.path(0, 2).kind, PathKind::pxb);
}

TEST(Path, TellsHostBridgesOfOneNodeFromOthers) {
    Machine machine;
    const std::uint32_t socket = machine.add(ObjectKind::socket, 0);
    const std::uint32_t near = machine.add(ObjectKind::numa_node, socket);
    const std::uint32_t far = machine.add(ObjectKind::numa_node, socket);
    for (const std::uint32_t node : {near, near, far}) {
        machine.add_gpu(machine.add(ObjectKind::host_bridge, node));
    }
    find_paths(machine.topology);
    EXPECT_EQ(machine.topology.path(0, 1).kind, PathKind::node);
    EXPECT_EQ(machine.topology.path(0, 2).kind, PathKind::sys) << "two nodes in one socket";
}

TEST(Path, IsAsSlowAsItsSlowestLink) {
    Machine machine;
    const domain::PcieLink x4{8, 4, Bandwidth(x16.bandwidth / 4), false, false};
    const std::uint32_t host = machine.add_host_bridge();
    machine.add_gpu(machine.add_switch(host));
    machine.add_gpu(machine.add_switch(host, x4));
    machine.add_gpu(host, {});
    find_paths(machine.topology);
    EXPECT_DOUBLE_EQ(gigabytes(machine.topology, 0, 1), 3) << "the switch's uplink";
    EXPECT_DOUBLE_EQ(gigabytes(machine.topology, 0, 2), 12) << "what is not known does not count";
}

TEST(Path, KeepsWhatWasMeasured) {
    Topology topology = two_switches(false).topology;
    find_paths(topology);
    topology.paths[1] = topology.paths[4] = {PathKind::sys, Bandwidth(5.96e9), true};
    find_paths(topology);
    EXPECT_EQ(topology.path(0, 1).kind, PathKind::pix) << "how they meet is known anyway";
    EXPECT_DOUBLE_EQ(gigabytes(topology, 0, 1), 5.96);
    EXPECT_TRUE(topology.path(1, 0).is_measured);
}

TEST(Path, FollowsNvlinkDirectlyAndOverSwitches) {
    Machine machine = two_switches(true);
    const std::uint32_t nvswitch = machine.add(ObjectKind::nvswitch, 0);
    Topology& topology = machine.topology;
    const auto gpu = [&](std::size_t i) { return topology.gpus[i].object; };
    topology.nvlinks = {{gpu(0), gpu(1), Bandwidth(50e9), false},
                        {gpu(1), nvswitch, Bandwidth(150e9), false},
                        {gpu(2), nvswitch, Bandwidth(100e9), false}};
    find_paths(topology);
    EXPECT_EQ(topology.path(0, 1).kind, PathKind::nvlink);
    EXPECT_DOUBLE_EQ(gigabytes(topology, 0, 1), 40);
    EXPECT_DOUBLE_EQ(gigabytes(topology, 1, 2), 80);
    EXPECT_EQ(topology.path(0, 2).kind, PathKind::sys);
    EXPECT_EQ(topology.path(2, 3).kind, PathKind::pix);
}

struct SocketCase {
    const char* name;
    domain::Processor processor;
    double gigabytes;
};

const SocketCase socket_cases[] = {
    {"Broadwell", {"x86_64", "GenuineIntel", "", 6, 79}, 6},
    {"Skylake and Cascade Lake", {"x86_64", "GenuineIntel", "", 6, 85}, 10},
    {"Ice Lake", {"x86_64", "GenuineIntel", "", 6, 106}, 10},
    {"Sapphire Rapids", {"x86_64", "GenuineIntel", "", 6, 143}, 22},
    {"Emerald Rapids", {"x86_64", "GenuineIntel", "", 6, 207}, 40},
    {"AMD", {"x86_64", "AuthenticAMD", "", 25, 1}, 16},
    {"an old Xeon by its name alone",
     {"x86_64", "", "Intel(R) Xeon(R) CPU E5-2650 0 @ 2.00GHz", domain::not_known,
      domain::not_known},
     6},
    {"nothing known", {}, 10},
};

TEST(Path, IsCappedBetweenSockets) {
    for (const SocketCase& one : socket_cases) {
        EXPECT_DOUBLE_EQ(between_sockets(one.processor).count() / 1e9, one.gigabytes) << one.name;
    }
}

TEST(Path, KnowsLanes) {
    EXPECT_DOUBLE_EQ(attained({2.5, 16, {}, false, false}).count(), 3e9);
    EXPECT_DOUBLE_EQ(attained({16, 8, {}, false, false}).count(), 12e9);
    EXPECT_DOUBLE_EQ(attained({32, 16, {}, false, false}).count(), 48e9);
    EXPECT_EQ(attained({}), Bandwidth(0));
    EXPECT_NEAR(attained({0, 0, Bandwidth(15.75e9), true, false}).count(), 12e9, 1e7);
}

RC_GTEST_PROP(Path, IsTheSameFromBothEnds, ()) {
    Machine machine;
    std::vector<std::uint32_t> places = {machine.add_host_bridge(), machine.add_host_bridge()};
    const auto steps = *rc::gen::container<std::vector<std::pair<std::uint32_t, bool>>>(
        rc::gen::pair(rc::gen::inRange(0u, 1000u), rc::gen::arbitrary<bool>()));
    for (const auto& [where, is_switch] : steps) {
        const std::uint32_t place = places[where % places.size()];
        if (is_switch) {
            places.push_back(machine.add_switch(place));
        } else if (machine.topology.gpus.size() < 12) {
            machine.add_gpu(place);
        }
    }
    Topology& topology = machine.topology;
    find_paths(topology);
    const std::size_t gpus = topology.gpus.size();
    for (std::size_t a = 0; a < gpus; ++a) {
        for (std::size_t b = 0; b < gpus; ++b) {
            RC_ASSERT(topology.path(a, b) == topology.path(b, a));
            RC_ASSERT(a == b || topology.path(a, b).bandwidth > Bandwidth(0));
            // Two ways that meet lower never make a third meet higher than the worse of them.
            for (std::size_t c = 0; c < gpus; ++c) {
                RC_ASSERT(a == b || b == c || a == c ||
                          topology.path(a, c).kind <=
                              std::max({topology.path(a, b).kind, topology.path(b, c).kind,
                                        PathKind::pxb}));
            }
        }
    }
}

}  // namespace
}  // namespace hora::model
