#include "libplanner/model/links/set_bandwidth.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "libplanner/model/links/path.hpp"
#include "libplanner/model/links/ring_pace.hpp"
#include "tests/unit/model/meshes.hpp"

namespace hora::model {
namespace {

using tests::mesh_of;
using Gpus = std::vector<std::uint32_t>;

struct Case {
    const char* sentence;
    domain::Topology machine;
    Gpus gpus;
    std::uint32_t channels;
    double speed;
};

Gpus first(std::uint32_t count) {
    Gpus gpus(count);
    std::iota(gpus.begin(), gpus.end(), 0U);
    return gpus;
}

// What NCCL 2.28's own search printed for these.
TEST(SetBandwidth, IsWhatNcclFinds) {
    const domain::Topology dgx1 = tests::dgx1v();
    const Case cases[] = {
        {"all GPUs of a hybrid cube mesh", dgx1, first(8), 6, 20},
        {"a fully joined quad", dgx1, first(4), 4, 20},
        {"two pairs of two quads: one ring, both ways", dgx1, {0, 1, 4, 5}, 2, 20},
        {"a third ring through GPUs that have two links", dgx1, {0, 3, 4, 7}, 3, 20},
        {"six GPUs that one single link holds together", dgx1, first(6), 2, 20},
        {"a GPU that only one other reaches is passed through it", dgx1, {0, 1, 3, 5}, 2, 20},
        {"the same in another corner", dgx1, {0, 4, 5, 7}, 2, 20},
        {"four that a ring of single links joins", dgx1, {1, 3, 5, 7}, 2, 20},
        {"a pair with two links", dgx1, {0, 3}, 1, 40},
        {"a pair with one", dgx1, {0, 1}, 1, 20},
        {"16 GPUs on NVSwitches", tests::switched(16, 6, 25e9, tests::v100), first(16), 3, 40},
        {"8 A100 on NVSwitches", tests::switched(8, 12, 25e9, tests::a100), first(8), 6, 40},
        {"any three of them", tests::switched(8, 12, 25e9, tests::a100), {1, 4, 6}, 6, 40},
        {"two pairs on two sockets of POWER8, which is fast between", tests::power8(), first(4), 2,
         12},
        {"8 H100 have faster channels", tests::switched(8, 18, 25e9, tests::h100), first(8), 6, 60},
    };
    for (const Case& test : cases) {
        const SetBandwidth found = set_bandwidth(test.machine, test.gpus);
        EXPECT_EQ(found.channels, test.channels) << test.sentence;
        EXPECT_EQ(found.channel, Bandwidth(test.speed * 1e9)) << test.sentence;
        EXPECT_EQ(found.bandwidth, Bandwidth(test.channels * test.speed * 1e9)) << test.sentence;
        EXPECT_TRUE(found.is_exact) << test.sentence;
    }
}

TEST(SetBandwidth, OverPcieIsThatOfTheSlowestLink) {
    EXPECT_EQ(set_bandwidth(tests::dgx1v(), Gpus{0, 5}).bandwidth, Bandwidth(6e9))
        << "no link, and no GPU between: over the sockets' link";
    EXPECT_EQ(set_bandwidth(tests::dgx1v(), Gpus{0}), SetBandwidth());
    EXPECT_EQ(set_bandwidth(domain::Topology(), Gpus{0, 1}), SetBandwidth());
    domain::Topology machine = mesh_of(4, {}, tests::v100);
    for (auto& path : machine.paths) {
        path = {domain::PathKind::pix, Bandwidth(4.46e9), true};
    }
    for (const auto& [a, b] : {std::pair(0, 1), std::pair(2, 3)}) {
        machine.paths[static_cast<std::size_t>(a * 4 + b)].bandwidth = Bandwidth(5.96e9);
        machine.paths[static_cast<std::size_t>(b * 4 + a)].bandwidth = Bandwidth(5.96e9);
    }
    EXPECT_EQ(set_bandwidth(machine, Gpus{0, 1}).bandwidth, Bandwidth(5.96e9));
    EXPECT_EQ(set_bandwidth(machine, first(4)).bandwidth, Bandwidth(4.46e9));
}

TEST(SetBandwidth, BeyondEightGpusWithLinksOfTheirOwnIsABound) {
    std::vector<tests::MeshLink> links;
    for (std::uint32_t gpu = 0; gpu < 10; ++gpu) {
        links.push_back({std::min(gpu, (gpu + 1) % 10), std::max(gpu, (gpu + 1) % 10), 1});
    }
    const domain::Topology machine = mesh_of(10, links, tests::v100);
    EXPECT_FALSE(set_bandwidth(machine, first(10)).is_exact);
    EXPECT_LE(set_bandwidth(machine, first(10)).bandwidth, Bandwidth(20e9));
    EXPECT_GT(set_bandwidth(machine, first(10)).bandwidth, Bandwidth(0));
}

TEST(SetBandwidth, OfAllSetsIsThatOfEach) {
    const domain::Topology machine = tests::dgx1v();
    const std::vector<Bandwidth> all = all_set_bandwidths(machine);
    ASSERT_EQ(all.size(), 256U);
    EXPECT_EQ(all[0b11111111], Bandwidth(120e9));
    EXPECT_EQ(all[0b10011001], Bandwidth(60e9));
    EXPECT_EQ(all[0b1001], Bandwidth(40e9));
    EXPECT_EQ(all[0b1], Bandwidth(0));
}

domain::Topology random_mesh(std::uint32_t gpus) {
    std::vector<tests::MeshLink> links;
    for (std::uint32_t a = 0; a < gpus; ++a) {
        for (std::uint32_t b = a + 1; b < gpus; ++b) {
            links.push_back(
                {a, b, *rc::gen::weightedElement<std::uint32_t>({{2, 0}, {3, 1}, {2, 2}, {1, 3}})});
        }
    }
    return mesh_of(gpus, links, tests::v100);
}

// The same machine, its GPUs named otherwise.
domain::Topology renamed(const domain::Topology& machine, const Gpus& name) {
    const auto count = static_cast<std::uint32_t>(machine.gpus.size());
    std::vector<tests::MeshLink> links;
    const std::vector<std::uint32_t> counts = tests::links_of(machine);
    for (std::uint32_t a = 0; a < count; ++a) {
        for (std::uint32_t b = a + 1; b < count; ++b) {
            links.push_back(
                {std::min(name[a], name[b]), std::max(name[a], name[b]), counts[a * count + b]});
        }
    }
    return mesh_of(count, links, tests::v100);
}

// Fully joined, so that no hop needs a GPU between: which one is taken depends on their names.
RC_GTEST_PROP(SetBandwidth, IsTheSameUnderOtherNames, ()) {
    const auto count = *rc::gen::element<std::uint32_t>(2, 3, 4, 5, 6);
    const domain::Topology machine = random_mesh(count);
    const std::vector<std::uint32_t> links = tests::links_of(machine);
    const bool is_joined = static_cast<std::uint32_t>(std::count(links.begin(), links.end(), 0U)) ==
                           count;  // the diagonal
    Gpus name = first(count);
    for (std::uint32_t i = count - 1; i > 0; --i) {
        std::swap(name[i], name[*rc::gen::inRange<std::uint32_t>(0, i + 1)]);
    }
    const SetBandwidth plain = set_bandwidth(machine, first(count));
    RC_ASSERT(set_bandwidth(machine, name) == plain);
    const SetBandwidth other = set_bandwidth(renamed(machine, name), first(count));
    if (is_joined && plain.is_exact && other.is_exact) {
        RC_ASSERT(other == plain);
    }
}

// Over PCIe, the best of all orders.
RC_GTEST_PROP(SetBandwidth, OverPcieIsTheBestPaceOfAllOrders, ()) {
    const auto count = *rc::gen::element<std::uint32_t>(2, 3, 4, 5, 6);
    domain::Topology machine = tests::random_tree(
        count, [](std::uint32_t below) { return *rc::gen::inRange<std::uint32_t>(0, below); });
    Gpus order = first(count);
    Bandwidth best(0);
    do {
        best = std::max(best, ring_pace(machine, order));
    } while (std::next_permutation(order.begin() + 1, order.end()));
    RC_ASSERT(set_bandwidth(machine, first(count)).bandwidth == best);
}

}  // namespace
}  // namespace hora::model
