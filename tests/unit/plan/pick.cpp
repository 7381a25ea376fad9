// Are the GPUs picked on fewest nodes, evenly, closest together, and first?
#include "libplanner/plan/pick.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <map>
#include <optional>

#include "tests/unit/any_number.hpp"
#include "tests/unit/plan/gpu_sets.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using hora::testing::any_number;
using tests::GpuIndices;
using tests::plain_case;

// All that decides between sets, by the definitions in choose.hpp.
struct Rank {
    std::size_t nodes = 0;
    bool is_uneven = false;
    double slowness = 0;
    std::vector<std::uint32_t> on;
    Broken broken;
    GpuIndices gpus;

    friend auto operator<=>(const Rank&, const Rank&) = default;
};

std::map<std::uint32_t, GpuIndices> nodes_of(const domain::Cluster& cluster,
                                             const GpuIndices& gpus) {
    std::map<std::uint32_t, GpuIndices> nodes;
    for (const std::uint32_t gpu : gpus) {
        nodes[cluster.gpus[gpu].node].push_back(gpu);
    }
    return nodes;
}

Rank rank_of(const domain::Cluster& cluster, const GpuIndices& gpus) {
    const auto nodes = nodes_of(cluster, gpus);
    Rank rank{nodes.size(), false, -std::numeric_limits<double>::infinity(), {}, {}, gpus};
    for (const auto& [node, own] : nodes) {
        rank.is_uneven |= own.size() != nodes.begin()->second.size();
        if (own.size() > 1) {
            rank.slowness =
                std::max(rank.slowness, -tests::closeness_of(cluster, own, nodes.size() == 1));
        }
    }
    for (const std::uint32_t gpu : gpus) {
        if (rank.is_uneven) {
            rank.on.push_back(cluster.gpus[gpu].node);
        }
    }
    rank.broken = tests::broken_by(cluster, gpus);
    return rank;
}

RC_GTEST_PROP(Pick, CompactIsTheBestOfAllSets, (std::uint64_t seed)) {
    const domain::Cluster cluster = tests::random_case(seed, 9).cluster;
    const GpuIndices eligible = tests::free_gpus(cluster);
    NodeFits fits(cluster);
    for (std::size_t wanted = 1; wanted <= eligible.size(); ++wanted) {
        std::optional<Rank> best;
        tests::for_each_set(eligible, wanted, [&](const GpuIndices& set) {
            const Rank rank = rank_of(cluster, set);
            best = best && *best < rank ? best : rank;
        });
        const Pick pick = pick_compact(cluster, &fits, eligible, wanted);
        RC_ASSERT(pick.gpus == best->gpus);
        RC_ASSERT(pick.nodes == best->nodes);
        RC_ASSERT(pick.uneven == best->on);
        RC_ASSERT(pick.broken == best->broken);
        RC_ASSERT(-pick.slowest_link == best->slowness);
        const Pick quick = pick_compact(cluster, nullptr, eligible, wanted);
        RC_ASSERT(quick.gpus.size() == wanted);
        RC_ASSERT(quick.nodes == best->nodes);
        RC_ASSERT(quick.uneven.empty() == best->on.empty());
    }
}

RC_GTEST_PROP(Pick, UniformIsTheBestOfAllSets, (std::uint64_t seed)) {
    const domain::Cluster cluster = tests::random_case(seed, 9).cluster;
    const GpuIndices eligible = tests::free_gpus(cluster);
    std::map<std::size_t, std::size_t> nodes_with;  // by GPUs, or more
    for (const auto& [node, own] : nodes_of(cluster, eligible)) {
        for (std::size_t each = 1; each <= own.size(); ++each) {
            ++nodes_with[each];
        }
    }
    NodeFits fits(cluster);
    for (const auto& [each, most] : nodes_with) {
        for (std::size_t nodes = 1; nodes <= most; ++nodes) {
            std::optional<Rank> best;
            tests::for_each_set(eligible, nodes * each, [&](const GpuIndices& set) {
                const Rank rank = rank_of(cluster, set);
                if (rank.nodes == nodes && !rank.is_uneven && (!best || rank < *best)) {
                    best = rank;
                }
            });
            RC_ASSERT(pick_uniform(cluster, &fits, eligible, nodes, each).gpus == best->gpus);
            const Pick quick = pick_uniform(cluster, nullptr, eligible, nodes, each);
            RC_ASSERT(rank_of(cluster, quick.gpus).nodes == nodes);
            RC_ASSERT(!rank_of(cluster, quick.gpus).is_uneven);
        }
    }
}

RC_GTEST_PROP(Pick, IsBetterIsAnOrderOfSets, (std::uint64_t seed)) {
    const domain::Cluster cluster = tests::random_case(seed, 7).cluster;
    const GpuIndices eligible = tests::free_gpus(cluster);
    RC_PRE(eligible.size() >= 2U);
    const std::size_t count = any_number<std::size_t>(1, eligible.size());
    std::vector<Pick> picks;
    std::vector<Rank> ranks;
    tests::for_each_set(eligible, count, [&](const GpuIndices& set) {
        const Rank rank = rank_of(cluster, set);
        Pick pick = count_nodes(cluster, set);
        RC_ASSERT(pick.nodes == rank.nodes);
        RC_ASSERT(pick.uneven == rank.on);
        pick.slowest_link = -rank.slowness;
        pick.broken = rank.broken;
        picks.push_back(std::move(pick));
        ranks.push_back(rank);
    });
    for (std::size_t i = 0; i < picks.size(); ++i) {
        for (std::size_t k = 0; k < picks.size(); ++k) {
            RC_ASSERT(picks[i].is_better(picks[k]) == (ranks[i] < ranks[k]));
        }
    }
}

TEST(Pick, NearestTakesNoneAllAndTheClosest) {
    domain::Cluster cluster = plain_case({{0, 0, 0, 0}}).cluster;
    cluster.parts.push_back(
        {domain::PartKind::pcie_switch, 1, {Bandwidth(2e10), Seconds(0)}, "switch"});
    cluster.gpus[1].part = cluster.gpus[2].part = 2;
    NodeFits fits(cluster);
    const GpuIndices all{0, 1, 2, 3};
    EXPECT_EQ(nearest(fits, Closeness::of_all, {}, 0), GpuIndices{});
    EXPECT_EQ(nearest(fits, Closeness::of_all, all, 0), GpuIndices{});
    EXPECT_EQ(nearest(fits, Closeness::of_all, all, 1), GpuIndices{0})
        << "it breaks the node alone";
    EXPECT_EQ(nearest(fits, Closeness::of_all, all, 2), (GpuIndices{1, 2}));
    EXPECT_EQ(nearest(fits, Closeness::of_all, all, 4), all);
    const std::vector<std::uint32_t> many(GpuSet::most + 1, 0);
    const domain::Cluster huge = plain_case({many}).cluster;
    NodeFits none(huge);
    EXPECT_EQ(nearest(none, Closeness::of_all, GpuIndices{0, 7, GpuSet::most}, 2),
              (GpuIndices{0, 7}));
}

TEST(Pick, GroupsByNode) {
    const domain::Cluster cluster = plain_case({{0, 0}, {0}, {0, 0}}).cluster;
    EXPECT_TRUE(by_node(cluster, {}).empty());
    const GpuIndices some{1, 3, 4};
    const auto nodes = by_node(cluster, some);
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(GpuIndices(nodes[0].begin(), nodes[0].end()), GpuIndices{1});
    EXPECT_EQ(GpuIndices(nodes[1].begin(), nodes[1].end()), (GpuIndices{3, 4}));
}

// What a quick search for spots leaves out (spots.cpp).
RC_GTEST_PROP(Pick, TakesNoneAfterEnoughOfTheFullestNodes, ()) {
    const auto most = any_number<std::size_t>(1, 5);
    std::vector<std::vector<std::uint32_t>> nodes(any_number<std::size_t>(1, 12));
    std::size_t total = 0;
    for (auto& node : nodes) {
        node.resize(any_number<std::size_t>(1, most + 1));
        total += node.size();
    }
    const domain::Cluster cluster = plain_case(nodes).cluster;
    const GpuIndices all = tests::free_gpus(cluster);
    const auto wanted = any_number<std::size_t>(1, total + 1);
    std::size_t full = 0;
    std::size_t first = 0;
    for (std::size_t node = 0; node < nodes.size() && full < (wanted + most - 1) / most; ++node) {
        first += nodes[node].size();
        full += nodes[node].size() == most ? 1 : 0;
    }
    RC_ASSERT(pick_compact(cluster, nullptr, std::span(all).first(first), wanted).gpus ==
              pick_compact(cluster, nullptr, all, wanted).gpus);
}

}  // namespace
}  // namespace hora::plan
