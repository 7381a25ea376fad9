// Does each box of a machine stand below what holds it, and none in another's row?
#include "libplanner/report/svg/machine_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace hora::report {
namespace {

using domain::ObjectKind;

// Children before their parents, as boxes_of() has them.
struct Tree {
    MachineBoxes all;

    std::uint32_t add(ObjectKind kind, std::vector<std::uint32_t> children = {}) {
        const auto number = static_cast<std::uint32_t>(all.boxes.size());
        for (const std::uint32_t child : children) {
            all.boxes[child].parent = number;
        }
        MachineBox box;
        box.kind = kind;
        box.children = std::move(children);
        all.boxes.push_back(std::move(box));
        return number;
    }
    const MachineBox& at(std::uint32_t number) const { return all.boxes[number]; }
};

TEST(MachineLayout, OfNothingTakesNoRoom) {
    MachineBoxes none;
    place_boxes(none, 88);
    EXPECT_EQ(none.width, 0);
    EXPECT_EQ(none.bottom, 0);
}

TEST(MachineLayout, GpusStandInOneRowHoweverDeepTheyHang) {
    Tree tree;
    const std::uint32_t deep = tree.add(ObjectKind::gpu);
    const std::uint32_t beside = tree.add(ObjectKind::gpu);
    const std::uint32_t inner = tree.add(ObjectKind::bridge, {deep, beside});
    const std::uint32_t shallow = tree.add(ObjectKind::gpu);
    const std::uint32_t outer = tree.add(ObjectKind::bridge, {inner, shallow});
    const std::uint32_t bridge = tree.add(ObjectKind::host_bridge, {outer});
    const std::uint32_t numa = tree.add(ObjectKind::numa_node, {bridge});
    const std::uint32_t nic = tree.add(ObjectKind::nic);
    const std::uint32_t socket = tree.add(ObjectKind::socket, {numa, nic});
    tree.all.roots = {socket};
    place_boxes(tree.all, 88);
    for (const std::uint32_t device : {beside, shallow, nic}) {
        EXPECT_EQ(tree.at(device).y, tree.at(deep).y);
        EXPECT_EQ(tree.at(device).bottom(), tree.all.bottom);
    }
    const std::uint32_t downwards[] = {socket, numa, bridge, outer, inner, deep};
    for (std::size_t i = 1; i < std::size(downwards); ++i) {
        EXPECT_GE(tree.at(downwards[i]).y, tree.at(downwards[i - 1]).bottom()) << i;
    }
}

TEST(MachineLayout, AParentIsAsWideAsItsChildrenAndTheseInItsMiddle) {
    Tree tree;
    std::vector<std::uint32_t> gpus;
    for (int i = 0; i < 64; ++i) {
        gpus.push_back(tree.add(ObjectKind::gpu));
    }
    const std::uint32_t lone = tree.add(ObjectKind::gpu);
    const std::uint32_t wide = tree.add(ObjectKind::socket, gpus);
    const std::uint32_t narrow = tree.add(ObjectKind::socket, {lone});
    tree.all.roots = {wide, narrow};
    place_boxes(tree.all, 88);
    EXPECT_EQ(tree.at(gpus.front()).x, tree.at(wide).x);
    EXPECT_EQ(tree.at(gpus.back()).x + 88, tree.at(wide).x + tree.at(wide).width);
    EXPECT_EQ(tree.at(lone).middle(), tree.at(narrow).middle());
    EXPECT_GT(tree.at(narrow).width, 88);
    EXPECT_EQ(tree.at(narrow).x + tree.at(narrow).width, tree.all.width);
}

}  // namespace
}  // namespace hora::report
