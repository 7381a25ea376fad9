#include "libplanner/request/scope/available_gpus.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "libplanner/plan/choose.hpp"
#include "libplanner/read/state/alike_nodes.hpp"
#include "libplanner/report/plan/plan.hpp"
#include "libplanner/request/scope/cluster_subset.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::request {
namespace {

TEST(AvailableGpus, LeavesOnlyAsManyAlikeNodesAsAPlanCanUse) {
    const domain::Snapshot snapshot = small_cluster();
    AvailableGpus available(snapshot.cluster.gpus.size(), 1);
    leave_surplus(available, snapshot, 1);
    for (std::size_t i = 0; i < available.size(); ++i) {
        const std::uint32_t node = snapshot.cluster.gpus[i].node;
        EXPECT_EQ(available[i] != 0, node == 0 || node == 4) << node;
    }
}

TEST(AvailableGpus, KeepsAllNodesOfASnapshotThatWasNotComparedYet) {
    domain::Snapshot snapshot = small_cluster();
    snapshot.alike.clear();
    AvailableGpus available(snapshot.cluster.gpus.size(), 1);
    leave_surplus(available, snapshot, 1);
    EXPECT_EQ(std::count(available.begin(), available.end(), 1), 24);
}

std::vector<std::uint32_t> chosen(const domain::Plan& plan) {
    std::vector<std::uint32_t> gpus;
    for (const domain::Member& member : plan.members) {
        gpus.push_back(member.gpu);
    }
    return gpus;
}

RC_GTEST_PROP(AvailableGpus, ThePlanIsTheSameWithoutTheRest, ()) {
    domain::Snapshot snapshot = small_cluster();
    domain::Cluster& cluster = snapshot.cluster;
    cluster.nodes[1].overhead = Seconds(*rc::gen::inRange(0, 2));
    snapshot.alike = read::alike_nodes(cluster);
    AvailableGpus available;
    for (domain::Gpu& gpu : cluster.gpus) {
        gpu.is_free = *rc::gen::weightedElement<bool>({{3, true}, {1, false}});
        available.push_back(static_cast<char>(gpu.is_free));
    }
    domain::Request request = big_job();
    request.layout = domain::Layout::uniform;
    request.max_gpus = *rc::gen::inRange(1U, 9U);
    request.max_nodes = *rc::gen::inRange(1U, 4U);
    const domain::Plan on_all = plan::choose(request, cluster);
    leave_surplus(available, snapshot, std::min(request.max_nodes, request.max_gpus));
    const ClusterSubset subset = subset_of(cluster, available);
    domain::Plan on_subset = plan::choose(request, subset.cluster);
    to_whole(on_subset, subset);
    RC_ASSERT(chosen(on_subset) == chosen(on_all));
    for (std::size_t i = 0; i < available.size(); ++i) {
        cluster.gpus[i].is_free = available[i] != 0;
    }
    RC_ASSERT(!on_all.fits() || report::to_json(on_subset, cluster) ==
                                    report::to_json(plan::choose(request, cluster), cluster));
}

}  // namespace
}  // namespace hora::request
