// Is each difference between the topology and what NCCL saw shown, and nothing else?
#include "libplanner/plan/ring/machine_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/plan/ring/p4_box.hpp"

namespace hora::plan {
namespace {

using domain::ObjectKind;
using domain::PathKind;
using domain::Topology;
using Order = std::vector<std::uint32_t>;

const Order all{0, 1, 2, 3};

// The box, with an address for each of its two switches.
Topology box() {
    Topology made = tests::p4_box();
    std::uint8_t bus = 1;
    for (domain::TopologyObject& object : made.objects) {
        if (object.kind == ObjectKind::bridge) {
            object.is_switch = true;
            object.address.bus = bus;
            bus = 0x81;
        }
    }
    return made;
}

void set_path(Topology& machine, std::uint32_t a, std::uint32_t b, domain::GpuPath path) {
    machine.paths[a * machine.gpus.size() + b] = machine.paths[b * machine.gpus.size() + a] = path;
}

domain::TopologyObject& gpu(Topology& machine, std::uint32_t index) {
    return machine.objects[machine.gpus[index].object];
}

domain::TopologyObject& switch_above(Topology& machine, std::uint32_t index) {
    return machine.objects[gpu(machine, index).parent];
}

// "gpus 0 1, unseen 2, unknown 05, paths 0-1, links 03, switches 0"
std::string text_of(const MachineDifference& difference) {
    std::string text;
    const auto add = [&](std::string_view what, const std::vector<std::string>& values) {
        if (!values.empty()) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, fmt::join(values, " "));
        }
    };
    const auto numbers = [](const Order& gpus) {
        std::vector<std::string> words;
        for (const std::uint32_t one : gpus) {
            words.push_back(std::to_string(one));
        }
        return words;
    };
    add("unseen", numbers(difference.unseen));
    std::vector<std::string> words;
    for (const domain::PciAddress& address : difference.unknown) {
        words.push_back(fmt::format("{:02x}", address.bus));
    }
    add("unknown", words);
    words.clear();
    for (const PathDifference& path : difference.paths) {
        words.push_back(fmt::format("{}-{}", path.a, path.b));
    }
    add("paths", words);
    words.clear();
    for (const LinkDifference& link : difference.links) {
        words.push_back(fmt::format("{:02x}", link.device.bus));
    }
    add("links", words);
    words.clear();
    for (const SwitchDifference& one : difference.switches) {
        words.push_back(std::to_string(one.gpu));
    }
    add("switches", words);
    return text;
}

struct Case {
    const char* sentence;
    std::function<void(Topology& described, Topology& seen)> change;
    const char* difference;
};

const Case cases[] = {
    {"the same machine", [](Topology&, Topology&) {}, ""},
    {"GPUs in another order",
     [](Topology&, Topology& seen) {
         std::swap(seen.gpus[0], seen.gpus[1]);
         std::swap(seen.gpus[2], seen.gpus[3]);
     },
     ""},
    {"a GPU that NCCL did not see",
     [](Topology&, Topology& seen) { gpu(seen, 1).address.bus = 0x55; }, "unseen 1, unknown 55"},
    {"bandwidths 5 % apart are the same",
     [](Topology& described, Topology& seen) {
         set_path(described, 0, 1, {PathKind::pix, Bandwidth(100), false});
         set_path(seen, 0, 1, {PathKind::pix, Bandwidth(105), false});
     },
     ""},
    {"beyond they differ",
     [](Topology& described, Topology& seen) {
         set_path(described, 0, 1, {PathKind::pix, Bandwidth(100), false});
         set_path(seen, 0, 1, {PathKind::pix, Bandwidth(106), false});
     },
     "paths 0-1"},
    {"whichever is faster",
     [](Topology& described, Topology& seen) {
         set_path(described, 0, 1, {PathKind::pix, Bandwidth(106), false});
         set_path(seen, 0, 1, {PathKind::pix, Bandwidth(100), false});
     },
     "paths 0-1"},
    {"what was measured is compared with nothing",
     [](Topology& described, Topology& seen) {
         set_path(described, 0, 1, {PathKind::pix, Bandwidth(100), true});
         set_path(seen, 0, 1, {PathKind::pix, Bandwidth(200), false});
     },
     ""},
    {"but its kind is",
     [](Topology& described, Topology& seen) {
         set_path(described, 0, 1, {PathKind::phb, Bandwidth(100), true});
         set_path(seen, 0, 1, {PathKind::pix, Bandwidth(200), false});
     },
     "paths 0-1"},
    {"NCCL tells host bridges and NUMA nodes not apart",
     [](Topology& described, Topology& seen) {
         set_path(described, 0, 2, {PathKind::node, Bandwidth(6e9), false});
         set_path(seen, 0, 2, {PathKind::phb, Bandwidth(6e9), false});
     },
     ""},
    {"nor the other way round",
     [](Topology& described, Topology& seen) {
         set_path(described, 0, 2, {PathKind::phb, Bandwidth(6e9), false});
         set_path(seen, 0, 2, {PathKind::node, Bandwidth(6e9), false});
     },
     ""},
    {"a GPU's link at half its speed",
     [](Topology&, Topology& seen) { gpu(seen, 0).uplink.bandwidth = Bandwidth(6e9); }, "links 03"},
    {"a switch's link",
     [](Topology&, Topology& seen) { switch_above(seen, 3).uplink.bandwidth = Bandwidth(6e9); },
     "links 81"},
    {"a link that NCCL could not tell",
     [](Topology&, Topology& seen) { gpu(seen, 0).uplink.bandwidth = Bandwidth(0); }, "links 03"},
    {"a link that is only what such a device usually has",
     [](Topology& described, Topology& seen) {
         gpu(described, 0).uplink.is_usual = true;
         gpu(seen, 0).uplink.bandwidth = Bandwidth(0);
     },
     ""},
    {"a usual one that NCCL saw otherwise",
     [](Topology& described, Topology& seen) {
         gpu(described, 0).uplink.is_usual = true;
         gpu(seen, 0).uplink.bandwidth = Bandwidth(6e9);
     },
     "links 03"},
    {"a link that is not described",
     [](Topology& described, Topology&) { gpu(described, 0).uplink.bandwidth = Bandwidth(0); }, ""},
    {"a switch of another address is shown only beside a path",
     [](Topology&, Topology& seen) { switch_above(seen, 0).address.bus = 0x44; }, ""},
    {"beside it, of the GPUs at its ends",
     [](Topology&, Topology& seen) {
         switch_above(seen, 0).address.bus = 0x44;
         set_path(seen, 0, 2, {PathKind::pxb, Bandwidth(6e9), false});
     },
     "paths 0-2, switches 0"},
};

TEST(MachineDifference, TellsWhatDiffers) {
    for (const Case& test : cases) {
        Topology described = box();
        Topology seen = box();
        test.change(described, seen);
        const MachineDifference difference = compare(described, all, seen);
        EXPECT_EQ(text_of(difference), test.difference) << test.sentence;
        EXPECT_EQ(difference.is_none(), *test.difference == '\0') << test.sentence;
    }
}

TEST(MachineDifference, LooksOnlyAtTheGpusOfTheJob) {
    const Topology described = box();
    Topology seen = box();
    gpu(seen, 3).uplink.bandwidth = Bandwidth(6e9);
    set_path(seen, 2, 3, {PathKind::sys, Bandwidth(1e9), false});
    gpu(seen, 2).address.bus = 0x55;
    const MachineDifference difference = compare(described, Order{1, 0}, seen);
    EXPECT_EQ(difference.gpus, (Order{1, 0}));
    EXPECT_EQ(text_of(difference), "unknown 55") << "the topology has no such GPU";
    EXPECT_EQ(difference.ring.stops.size(), 2U);
}

TEST(MachineDifference, TellsTheRingThatNcclWouldTake) {
    const Topology described = box();
    Topology seen = box();
    for (const auto& [a, b] : {std::pair(0, 1), std::pair(2, 3)}) {
        set_path(seen, a, b, {PathKind::sys, Bandwidth(6e9), false});
    }
    for (const auto& [a, b] : {std::pair(0, 2), std::pair(1, 3)}) {
        set_path(seen, a, b, {PathKind::pix, Bandwidth(12e9), false});
    }
    const auto stops = [](const RingFigures& ring) {
        Order gpus;
        for (const RingStop& stop : ring.stops) {
            gpus.push_back(stop.gpu);
        }
        return gpus;
    };
    const MachineDifference difference = compare(described, all, seen);
    EXPECT_EQ(stops(difference.ring), all);
    EXPECT_EQ(stops(difference.ring_by_seen), (Order{0, 1, 3, 2}));
    EXPECT_EQ(difference.ring_by_seen.pace->count(), 6e9) << "with the topology's figures";
    EXPECT_TRUE(compare(described, {}, seen).ring_by_seen.stops.empty());
}

}  // namespace
}  // namespace hora::plan
