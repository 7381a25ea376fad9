#include "libplanner/request/scope/cluster_subset.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/read/some_snapshot.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::request {
namespace {

std::vector<std::string> way_up(const domain::Cluster& cluster, const domain::Gpu& gpu) {
    std::vector<std::string> names;
    for (std::uint32_t part = gpu.part; part != domain::no_part;
         part = cluster.parts[part].parent) {
        names.push_back(cluster.parts[part].name);
    }
    return names;
}

bool has_available(const domain::Cluster& whole, const AvailableGpus& available,
                   std::uint32_t node) {
    for (std::size_t gpu = 0; gpu < whole.gpus.size(); ++gpu) {
        if (whole.gpus[gpu].node == node && available[gpu] != 0) {
            return true;
        }
    }
    return false;
}

RC_GTEST_PROP(ClusterSubset, HasTheWholeNodesOfAvailableGpusInTheirOrder, ()) {
    const domain::Cluster whole = hora::testing::some_snapshot().cluster;
    AvailableGpus available(whole.gpus.size());
    std::vector<std::uint32_t> expected;
    for (auto& is_available : available) {
        is_available = *rc::gen::weightedElement<char>({{3, 0}, {1, 1}});
    }
    for (std::uint32_t gpu = 0; gpu < whole.gpus.size(); ++gpu) {
        if (has_available(whole, available, whole.gpus[gpu].node)) {
            expected.push_back(gpu);
        }
    }
    const ClusterSubset subset = subset_of(whole, available);
    RC_ASSERT(subset.gpus == expected);
    RC_ASSERT(subset.cluster.gpus.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const domain::Gpu& copy = subset.cluster.gpus[i];
        const domain::Gpu& own = whole.gpus[expected[i]];
        RC_ASSERT(copy.is_free == (available[expected[i]] != 0));
        RC_ASSERT(copy.index == own.index);
        RC_ASSERT(copy.device == own.device);
        RC_ASSERT(subset.cluster.nodes[copy.node].name == whole.nodes[own.node].name);
        RC_ASSERT(way_up(subset.cluster, copy) == way_up(whole, own));
    }
}

RC_GTEST_PROP(ClusterSubset, HasNoPartAndNoNodeWithoutItsGpus, ()) {
    const domain::Cluster whole = hora::testing::some_snapshot().cluster;
    AvailableGpus available(whole.gpus.size());
    for (auto& is_available : available) {
        is_available = *rc::gen::weightedElement<char>({{3, 0}, {1, 1}});
    }
    const domain::Cluster subset = subset_of(whole, available).cluster;
    std::vector<bool> has_part(subset.parts.size());
    std::vector<bool> has_node(subset.nodes.size());
    for (const domain::Gpu& gpu : subset.gpus) {
        has_node[gpu.node] = true;
        for (std::uint32_t part = gpu.part; part != domain::no_part;
             part = subset.parts[part].parent) {
            has_part[part] = true;
        }
    }
    for (std::uint32_t part = 0; part < subset.parts.size(); ++part) {
        RC_ASSERT(has_part[part]);
        const bool is_after_its_parent =
            subset.parts[part].parent == domain::no_part || subset.parts[part].parent < part;
        RC_ASSERT(is_after_its_parent);
    }
    RC_ASSERT(std::find(has_node.begin(), has_node.end(), false) == has_node.end());
}

TEST(ClusterSubset, GivesAPlanTheIndicesOfTheWhole) {
    const domain::Cluster whole = small_cluster().cluster;
    AvailableGpus available(whole.gpus.size(), 0);
    available[9] = 1;  // of n3
    const ClusterSubset subset = subset_of(whole, available);
    domain::Plan plan;
    plan.members.resize(2);
    plan.members[0].gpu = 1;
    plan.members[1].gpu = 3;
    to_whole(plan, subset);
    EXPECT_EQ(plan.members[0].gpu, 9U);
    EXPECT_EQ(plan.members[1].gpu, 11U);
}

}  // namespace
}  // namespace hora::request
