#include "libplanner/model/links/ring_pace.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace hora::model {
namespace {

using domain::PathKind;

// Four GPUs below two switches of one host bridge: 0 and 1 below the first, 2 and 3 below the
// other.
domain::Topology two_switches(double uplink, double path) {
    domain::Topology machine;
    machine.objects.resize(8);
    const std::uint32_t parents[] = {domain::no_object, 0, 1, 1, 2, 2, 3, 3};
    for (std::uint32_t i = 0; i < 8; ++i) {
        machine.objects[i].parent = parents[i];
    }
    for (const std::uint32_t bridge : {2, 3}) {
        machine.objects[bridge].uplink.bandwidth = Bandwidth(uplink);
    }
    machine.gpus.resize(4);
    machine.paths.resize(16, {.kind = PathKind::pix, .bandwidth = Bandwidth(path)});
    for (std::uint32_t gpu = 0; gpu < 4; ++gpu) {
        machine.gpus[gpu].object = 4 + gpu;
        machine.objects[4 + gpu].uplink.bandwidth = Bandwidth(16);
    }
    return machine;
}

void set_path(domain::Topology& machine, std::uint32_t a, std::uint32_t b, PathKind kind,
              double bandwidth) {
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
        machine.paths[from * machine.gpus.size() + to] = {.kind = kind,
                                                          .bandwidth = Bandwidth(bandwidth)};
    }
}

struct Case {
    const char* sentence;
    double uplink;  // of each switch; 0: not known
    std::vector<std::uint32_t> order;
    void (*change)(domain::Topology& machine);
    double pace;
};

constexpr auto as_it_is = [](domain::Topology&) {};

const Case cases[] = {
    {"one GPU has no link", 16, {0}, as_it_is, 0},
    {"two GPUs have each other's", 16, {0, 1}, as_it_is, 12},
    {"a ring that leaves each switch once shares nothing", 16, {0, 1, 2, 3}, as_it_is, 12},
    {"one that leaves each twice halves its uplink", 16, {0, 2, 1, 3}, as_it_is, 8},
    {"which may be faster than the path", 32, {0, 2, 1, 3}, as_it_is, 12},
    {"of an uplink that is not known the fastest path out of it is halved",
     0,
     {0, 2, 1, 3},
     [](domain::Topology& machine) { set_path(machine, 0, 2, PathKind::phb, 20); },
     10},
    {"also where the ring does not take that path",
     0,
     {0, 2, 1, 3},
     [](domain::Topology& machine) {
         set_path(machine, 0, 1, PathKind::pix, 40);
         set_path(machine, 2, 3, PathKind::pix, 40);
     },
     6},
    {"the slowest path sets the pace",
     16,
     {0, 1, 2, 3},
     [](domain::Topology& machine) { set_path(machine, 3, 0, PathKind::sys, 5); },
     5},
    {"NVLink shares nothing",
     16,
     {0, 2, 1, 3},
     [](domain::Topology& machine) {
         for (const auto& [a, b] : {std::pair(0U, 2U), std::pair(1U, 2U)}) {
             set_path(machine, a, b, PathKind::nvlink, 50);
         }
     },
     12},
    {"nor does it say what an uplink of unknown speed carries",
     0,
     {0, 2, 1, 3},
     [](domain::Topology& machine) { set_path(machine, 0, 2, PathKind::nvlink, 50); },
     6},
    {"two links into a switch share its uplink, though NVLinks leave it",
     40,
     {2, 0, 3, 1},
     [](domain::Topology& machine) {
         machine.objects[2].uplink.bandwidth = Bandwidth(10);
         set_path(machine, 0, 3, PathKind::nvlink, 50);
         set_path(machine, 1, 2, PathKind::nvlink, 50);
     },
     5},
    {"a path of unknown speed leaves the pace unknown",
     16,
     {0, 1, 2, 3},
     [](domain::Topology& machine) { set_path(machine, 1, 2, PathKind::phb, 0); },
     0},
    {"so does a machine without paths",
     16,
     {0, 1},
     [](domain::Topology& machine) { machine.paths.clear(); },
     0},
};

TEST(RingPace, IsTheLeastShareThatALinkGets) {
    for (const Case& test : cases) {
        domain::Topology machine = two_switches(test.uplink, 12);
        test.change(machine);
        EXPECT_EQ(ring_pace(machine, test.order), Bandwidth(test.pace)) << test.sentence;
    }
}

RC_GTEST_PROP(RingPace, IsTheSameWhereverTheRingBeginsAndWhicheverWayItGoes, ()) {
    domain::Topology machine = two_switches(*rc::gen::element(0, 7, 16), 12);
    for (std::uint32_t a = 0; a < 4; ++a) {
        for (std::uint32_t b = 0; b < a; ++b) {
            const auto kind = *rc::gen::element(PathKind::nvlink, PathKind::pix, PathKind::sys);
            set_path(machine, a, b, kind, *rc::gen::inRange(1, 40));
        }
    }
    std::vector<std::uint32_t> order(4);
    std::iota(order.begin(), order.end(), 0U);
    const int orders = *rc::gen::inRange(0, 24);
    for (int i = 0; i < orders; ++i) {
        std::next_permutation(order.begin(), order.end());
    }
    const Bandwidth pace = ring_pace(machine, order);
    std::rotate(order.begin(), order.begin() + *rc::gen::inRange(0, 4), order.end());
    RC_ASSERT(ring_pace(machine, order) == pace);
    std::reverse(order.begin(), order.end());
    RC_ASSERT(ring_pace(machine, order) == pace);
}

}  // namespace
}  // namespace hora::model
