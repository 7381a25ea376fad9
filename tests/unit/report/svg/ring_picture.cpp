// Does the picture of a ring say what is known of its links, and nothing else?
#include "libplanner/report/svg/ring_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "libplanner/plan/ring/predicted_ring.hpp"
#include "libplanner/report/svg/legend.hpp"
#include "libplanner/report/svg/machine_boxes.hpp"
#include "tests/unit/report/svg/drawn.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using domain::PathKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint16_t amd = 0x1002;
constexpr std::uint16_t nvidia = 0x10de;

// GPUs on one host bridge.
domain::Topology machine(std::uint32_t gpus, std::uint16_t vendor = nvidia) {
    domain::Topology topology;
    topology.objects.push_back({.kind = ObjectKind::machine});
    topology.objects.push_back({.kind = ObjectKind::host_bridge, .parent = 0});
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        topology.gpus.emplace_back().object = static_cast<std::uint32_t>(topology.objects.size());
        topology.objects.push_back({.kind = ObjectKind::gpu, .parent = 1, .vendor = vendor});
    }
    topology.paths.assign(gpus * gpus, {.kind = PathKind::phb, .bandwidth = Bandwidth(12e9)});
    return topology;
}

void set_path(domain::Topology& topology, std::size_t a, std::size_t b, domain::GpuPath path) {
    topology.paths[a * topology.gpus.size() + b] = path;
    topology.paths[b * topology.gpus.size() + a] = path;
}

// By their numbers.
plan::RingFigures ring_of(const domain::Topology& topology) {
    std::vector<std::uint32_t> order(topology.gpus.size());
    std::iota(order.begin(), order.end(), 0);
    return plan::figures_of(topology, order);
}

struct Below {
    explicit Below(const domain::Topology& topology) {
        const MachineBoxes boxes = boxes_of(topology);
        top = boxes.bottom;
        bottom = draw_below_gpus(canvas, legend, topology, boxes, ring_of(topology));
    }
    Drawn drawn() const { return Drawn(canvas); }

    SvgCanvas canvas;
    Legend legend;
    double top = 0;
    double bottom = 0;
};

TEST(RingPicture, NeedsTwoGpus) {
    for (const std::uint32_t gpus : {0U, 1U}) {
        const Below below(machine(gpus));
        EXPECT_EQ(below.bottom, below.top) << gpus;
        EXPECT_THAT(below.drawn().groups("ring"), IsEmpty());
    }
    EXPECT_EQ(ring_caption(ring_of(machine(0))), "no GPU, and no ring");
    EXPECT_EQ(ring_caption(ring_of(machine(1))), "one GPU needs no ring");
    EXPECT_EQ(ring_caption(ring_of(machine(2))), "ring 0-1, its link 12 GB/s");
    EXPECT_EQ(Below(machine(2)).drawn().groups("ring").size(), 1U);
}

TEST(RingPicture, NamesTheSlowestLinksUpToThree) {
    const auto caption = [](std::vector<std::size_t> slow_after) {
        domain::Topology topology = machine(6);
        for (const std::size_t a : slow_after) {
            set_path(topology, a, (a + 1) % 6, {PathKind::sys, Bandwidth(6e9)});
        }
        const Drawn drawn = Below(topology).drawn();
        const bool is_even = slow_after.empty() || slow_after.size() == 6;
        EXPECT_EQ(drawn.groups("ring slowest").size(), is_even ? 0 : slow_after.size());
        EXPECT_EQ(drawn.groups("ring").size(), is_even ? 6 : 6 - slow_after.size());
        EXPECT_EQ(Drawn::texts(drawn.root()).size(), is_even ? 0U : 6U) << "labels";
        return ring_caption(ring_of(topology));
    };
    EXPECT_EQ(caption({}), "ring 0-1-2-3-4-5, each link 12 GB/s");
    EXPECT_EQ(caption({5}), "ring 0-1-2-3-4-5, slowest link GPU5–GPU0 6 GB/s");
    EXPECT_EQ(caption({0, 2, 4}),
              "ring 0-1-2-3-4-5, slowest links GPU0–GPU1, GPU2–GPU3, GPU4–GPU5 6 GB/s");
    EXPECT_EQ(caption({0, 1, 2, 3}), "ring 0-1-2-3-4-5, slowest 4 of 6 links 6 GB/s");
    EXPECT_EQ(caption({0, 1, 2, 3, 4, 5}), "ring 0-1-2-3-4-5, each link 6 GB/s");
}

TEST(RingPicture, ALinkOfUnknownSpeedIsNotTheSlowest) {
    domain::Topology topology = machine(3);
    set_path(topology, 0, 1, {PathKind::sys, Bandwidth(0)});
    EXPECT_EQ(ring_caption(ring_of(topology)), "ring 0-1-2, slowest link not known");
    const Drawn drawn = Below(topology).drawn();
    EXPECT_THAT(drawn.groups("ring slowest"), IsEmpty());
    EXPECT_THAT(drawn.titles("ring"),
                testing::Contains("GPU0–GPU1 between sockets, speed not known"));
    for (domain::GpuPath& path : topology.paths) {
        path.bandwidth = Bandwidth(0);
    }
    EXPECT_EQ(ring_caption(ring_of(topology)), "ring 0-1-2, each link speed not known");
}

TEST(RingPicture, CallsAmdsLinksByTheirName) {
    for (const auto& [vendor, name] : {std::pair(amd, "XGMI"), std::pair(nvidia, "NVLink")}) {
        domain::Topology topology = machine(2, vendor);
        topology.nvlinks = {{.a = 2, .b = 3, .bandwidth = Bandwidth(50e9)}};
        set_path(topology, 0, 1, {PathKind::nvlink, Bandwidth(50e9)});
        const Drawn drawn = Below(topology).drawn();
        EXPECT_THAT(drawn.titles("nvlink"), ElementsAre(std::string(name) + ", 50 GB/s"));
        EXPECT_THAT(drawn.titles("ring"),
                    ElementsAre("GPU0–GPU1 by " + std::string(name) + ", 50 GB/s"));
    }
}

TEST(RingPicture, SumsUpTheLinksToNvswitches) {
    const auto with_switches = [](std::uint32_t count, bool is_assumed) {
        domain::Topology topology = machine(3);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto number = static_cast<std::uint32_t>(topology.objects.size());
            topology.objects.push_back({.kind = ObjectKind::nvswitch, .parent = 0});
            for (const std::uint32_t gpu : {2U, 3U}) {  // not of the third
                topology.nvlinks.push_back({.a = gpu,
                                            .b = number,
                                            .bandwidth = Bandwidth(50e9),
                                            .is_assumed = is_assumed});
            }
        }
        return topology;
    };
    const Drawn one = Below(with_switches(1, false)).drawn();
    EXPECT_THAT(one.titles("nvswitch"), ElementsAre("1 NVSwitch"));
    EXPECT_THAT(one.titles("nvlink"), ElementsAre("GPU 0: NVLink to the NVSwitches, 50 GB/s",
                                                  "GPU 1: NVLink to the NVSwitches, 50 GB/s"));
    const Drawn six = Below(with_switches(6, true)).drawn();
    EXPECT_THAT(six.titles("nvswitch"), ElementsAre("6 NVSwitches"));
    EXPECT_THAT(six.titles("nvlink").front(), HasSubstr("300 GB/s (assumed)"));
}

}  // namespace
}  // namespace hora::report
