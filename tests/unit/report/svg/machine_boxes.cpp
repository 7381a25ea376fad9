// Has each device of any tree one box, and does none stand in another's place?
#include "libplanner/report/svg/machine_boxes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "libplanner/plan/ring/predicted_ring.hpp"
#include "libplanner/report/svg/topology_svg.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;

// A tree as a file may have it, also where no machine is built so.
domain::Topology some_tree() {
    domain::Topology topology;
    topology.objects.push_back({.kind = ObjectKind::machine});
    for (int i = *rc::gen::inRange(0, 30); i > 0; --i) {
        const auto number = static_cast<std::uint32_t>(topology.objects.size());
        domain::TopologyObject object;
        object.kind = *rc::gen::element(ObjectKind::socket, ObjectKind::numa_node,
                                        ObjectKind::host_bridge, ObjectKind::bridge,
                                        ObjectKind::gpu, ObjectKind::nic, ObjectKind::nvswitch);
        object.parent = *rc::gen::inRange(0u, number);
        object.os_index = *rc::gen::inRange(0u, 3u);
        object.is_switch = *rc::gen::arbitrary<bool>();
        object.uplink.bandwidth = Bandwidth(*rc::gen::element(0.0, 8e9, 16e9));
        if (object.kind == ObjectKind::gpu) {
            topology.gpus.emplace_back().object = number;
        } else if (object.kind == ObjectKind::nic) {
            topology.nics.emplace_back().object = number;
        }
        topology.objects.push_back(object);
    }
    topology.paths.resize(topology.gpus.size() * topology.gpus.size());
    return topology;
}

// How many boxes have each number.
std::vector<int> times_shown(const MachineBoxes& all, ObjectKind kind, std::size_t count) {
    std::vector<int> times(count, 0);
    for (const MachineBox& box : all.boxes) {
        for (std::size_t i = 0; box.kind == kind && i < box.numbers.size(); ++i) {
            ++times.at(box.numbers[i]);
        }
    }
    return times;
}

bool are_apart(const MachineBoxes& all, std::vector<std::uint32_t> row, double left, double right) {
    for (const std::uint32_t index : row) {
        const MachineBox& box = all.boxes[index];
        if (box.x < left - 1e-6 || box.x + box.width > right + 1e-6) {
            return false;
        }
        left = box.x + box.width;
    }
    return true;
}

TEST(MachineBoxes, HoldEachDeviceOnceAndStandApart) {
    EXPECT_TRUE(rc::check([] {
        const domain::Topology topology = some_tree();
        const MachineBoxes all = boxes_of(topology);
        RC_ASSERT(times_shown(all, ObjectKind::gpu, topology.gpus.size()) ==
                  std::vector<int>(topology.gpus.size(), 1));
        RC_ASSERT(times_shown(all, ObjectKind::nic, topology.nics.size()) ==
                  std::vector<int>(topology.nics.size(), 1));
        RC_ASSERT(are_apart(all, all.roots, 0, all.width));
        for (std::uint32_t i = 0; i < all.boxes.size(); ++i) {
            const MachineBox& box = all.boxes[i];
            RC_ASSERT(are_apart(all, box.children, box.x, box.x + box.width));
            for (const std::uint32_t child : box.children) {
                RC_ASSERT(all.boxes[child].parent == i);
            }
        }
    }));
}

TEST(TopologySvg, OfAnyTreeHasAGroupForEachGpu) {
    EXPECT_TRUE(rc::check([] {
        const domain::Topology topology = some_tree();
        std::vector<std::uint32_t> gpus;
        for (std::uint32_t i = 0; i < topology.gpus.size(); ++i) {
            gpus.push_back(i);
        }
        const std::string svg = to_svg(topology, plan::predict_ring(topology, gpus).best);
        std::size_t groups = 0;
        for (std::size_t at = svg.find("<g class=\"gpu\">"); at != svg.npos;
             at = svg.find("<g class=\"gpu\">", at + 1)) {
            ++groups;
        }
        RC_ASSERT(groups == gpus.size());
        RC_ASSERT(svg.find("nan") == svg.npos);
        RC_ASSERT(svg.find("inf") == svg.npos);
    }));
}

}  // namespace
}  // namespace hora::report
