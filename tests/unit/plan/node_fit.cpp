// Is the choice inside one node the best of all, over links of any speed?
#include "libplanner/plan/node_fit.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <optional>
#include <set>

#include "tests/unit/plan/gpu_sets.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using tests::GpuIndices;
using tests::plain_case;
constexpr double alone = std::numeric_limits<double>::infinity();

GpuSet set_of(const GpuIndices& gpus, std::uint32_t first) {
    GpuSet set;
    for (const std::uint32_t gpu : gpus) {
        set.add(gpu - first);
    }
    return set;
}

TEST(GpuSet, OrdersByItsLowestDifference) {
    const GpuSet low = set_of({0, 255}, 0);
    EXPECT_LT(low, set_of({1, 2}, 0));
    EXPECT_LT(set_of({0, 64}, 0), set_of({0, 65}, 0));
    EXPECT_LT(set_of({63, 255}, 0), set_of({64, 65}, 0));
    EXPECT_GT(set_of({128}, 0), set_of({64}, 0));
    EXPECT_EQ(set_of({5, 200}, 0), set_of({200, 5}, 0));
    EXPECT_TRUE(low.has(255) && low.has(0));
    EXPECT_FALSE(low.has(1) || low.has(254) || low.has(191));
}

// 0 where they meet outside of the node.
double link_of(const domain::Cluster& cluster, const GpuIndices& gpus, Closeness closeness) {
    if (gpus.size() == 1) {
        return alone;
    }
    const domain::Part& part = cluster.parts[tests::spanning_part(cluster, gpus)];
    const bool is_inside =
        part.kind != domain::PartKind::leaf_switch && part.kind != domain::PartKind::fabric;
    return is_inside ? tests::closeness_of(cluster, gpus, closeness == Closeness::of_all) : 0;
}

std::optional<NodeChoice> try_all(const domain::Cluster& cluster, const GpuIndices& eligible,
                                  std::size_t count, double link, std::uint32_t first,
                                  Closeness closeness) {
    std::optional<NodeChoice> best;
    tests::for_each_set(eligible, count, [&](const GpuIndices& set) {
        const double own = link_of(cluster, set, closeness);
        const NodeChoice one{own, tests::broken_by(cluster, set), set_of(set, first)};
        if (own >= link && (!best || one.worth() < best->worth())) {
            best = one;
        }
    });
    return best;
}

void compare(NodeFits& fits, const domain::Cluster& cluster, const GpuIndices& eligible,
             Closeness closeness) {
    const NodeFit* const fit = fits.find(closeness, eligible);
    const std::uint32_t first = fits.first_of_node(eligible.front());
    std::set<double> links = {0, alone};
    for (const domain::Part& part : cluster.parts) {
        links.insert(part.link.bandwidth.count());
    }
    for (const domain::Mesh& mesh : cluster.meshes) {
        for (const Bandwidth bandwidth : mesh.bandwidths) {
            links.insert(bandwidth.count());
        }
    }
    RC_ASSERT(fit != nullptr);
    RC_ASSERT(fit->most() == eligible.size());
    for (const double link : links) {
        std::uint32_t most = 1;
        for (std::uint32_t count = 1; count <= eligible.size(); ++count) {
            const auto best = try_all(cluster, eligible, count, link, first, closeness);
            RC_ASSERT(best.has_value() == (fit->fastest_link(count) >= link));
            if (best) {
                const NodeChoice& found = fit->best(count, link);
                most = std::max(most, count);
                RC_ASSERT(found.link >= link);
                RC_ASSERT(found.broken == best->broken);
                RC_ASSERT(found.picks == best->picks);
            }
        }
        RC_ASSERT(fit->most_over(link) == most);
    }
}

// Some of the free GPUs of each node: the others were ruled out by their price.
RC_GTEST_PROP(NodeFit, IsTheBestOfAllSets, (std::uint64_t seed)) {
    const domain::Cluster cluster = tests::random_case(seed, 12).cluster;
    NodeFits fits(cluster);
    for (std::uint32_t node = 0; node < cluster.nodes.size(); ++node) {
        for (const std::uint32_t left_out : {0U, 1U, 2U}) {
            GpuIndices eligible;
            for (const std::uint32_t gpu : tests::free_gpus(cluster)) {
                if (cluster.gpus[gpu].node == node && (left_out == 0 || gpu % 3 != left_out)) {
                    eligible.push_back(gpu);
                }
            }
            if (!eligible.empty()) {
                compare(fits, cluster, eligible, Closeness::of_all);
                compare(fits, cluster, eligible, Closeness::inside_one_of_several);
            }
        }
    }
}

TEST(NodeFits, WorkOutNodesThatLookAlikeOnce) {
    domain::Cluster cluster = plain_case({{0, 0}, {0, 0}, {0, 0}, {0, 0}}).cluster;
    cluster.gpus[4].is_free = false;
    cluster.parts[4].link.bandwidth = Bandwidth(2e10);
    NodeFits fits(cluster);
    const NodeFit* const first = fits.find(Closeness::of_all, GpuIndices{0, 1});
    EXPECT_EQ(first, fits.find(Closeness::of_all, GpuIndices{2, 3}));
    EXPECT_NE(first, fits.find(Closeness::of_all, GpuIndices{2})) << "less is eligible";
    EXPECT_NE(fits.find(Closeness::of_all, GpuIndices{2}),
              fits.find(Closeness::of_all, GpuIndices{3}))
        << "another one is eligible";
    EXPECT_NE(fits.find(Closeness::of_all, GpuIndices{3}),
              fits.find(Closeness::of_all, GpuIndices{5}))
        << "less is free";
    EXPECT_NE(first, fits.find(Closeness::of_all, GpuIndices{6, 7})) << "another link";
    EXPECT_EQ(first, fits.find(Closeness::of_all, GpuIndices{0, 1})) << "the answer moved";
}

TEST(NodeFits, LeaveOutNodesOfTooManyGpus) {
    const std::vector<std::uint32_t> most(GpuSet::most, 0);
    const std::vector<std::uint32_t> more(GpuSet::most + 1, 0);
    const domain::Cluster cluster = plain_case({more, most}).cluster;
    NodeFits fits(cluster);
    const std::uint32_t second = GpuSet::most + 1;
    EXPECT_EQ(fits.find(Closeness::of_all, GpuIndices{0, GpuSet::most}), nullptr);
    EXPECT_NE(fits.find(Closeness::of_all, GpuIndices{second, second + GpuSet::most - 1}), nullptr);
    EXPECT_EQ(fits.first_of_node(second - 1), 0U);
    EXPECT_EQ(fits.first_of_node(second), second);
    EXPECT_EQ(fits.first_of_node(second + 7), second);
}

}  // namespace
}  // namespace hora::plan
