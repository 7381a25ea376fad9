#include "libplanner/request/lending.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "libplanner/plan/choose.hpp"
#include "libplanner/read/alike_nodes.hpp"
#include "libplanner/report/plan.hpp"
#include "libplanner/request/excerpt.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::request {
namespace {

TEST(Lending, LeavesOnlyAsManyAlikeNodesAsAPlanCanUse) {
    const domain::Snapshot snapshot = small_cluster();
    Lent lent(snapshot.cluster.gpus.size(), 1);
    leave_surplus(lent, snapshot, 1);
    for (std::size_t i = 0; i < lent.size(); ++i) {
        const std::uint32_t node = snapshot.cluster.gpus[i].node;
        EXPECT_EQ(lent[i] != 0, node == 0 || node == 4) << node;
    }
}

TEST(Lending, KeepsAllNodesOfASnapshotThatWasNotComparedYet) {
    domain::Snapshot snapshot = small_cluster();
    snapshot.alike.clear();
    Lent lent(snapshot.cluster.gpus.size(), 1);
    leave_surplus(lent, snapshot, 1);
    EXPECT_EQ(std::count(lent.begin(), lent.end(), 1), 24);
}

std::vector<std::uint32_t> chosen(const domain::Plan& plan) {
    std::vector<std::uint32_t> gpus;
    for (const domain::Member& member : plan.members) {
        gpus.push_back(member.gpu);
    }
    return gpus;
}

RC_GTEST_PROP(Lending, ThePlanIsTheSameWithoutTheRest, ()) {
    domain::Snapshot snapshot = small_cluster();
    domain::Cluster& cluster = snapshot.cluster;
    cluster.nodes[1].overhead = Seconds(*rc::gen::inRange(0, 2));
    snapshot.alike = read::alike_nodes(cluster);
    Lent lent;
    for (domain::Gpu& gpu : cluster.gpus) {
        gpu.is_free = *rc::gen::weightedElement<bool>({{3, true}, {1, false}});
        lent.push_back(static_cast<char>(gpu.is_free));
    }
    domain::Request request = big_job();
    request.layout = domain::Layout::uniform;
    request.max_gpus = *rc::gen::inRange(1U, 9U);
    request.max_nodes = *rc::gen::inRange(1U, 4U);
    const domain::Plan on_all = plan::choose(request, cluster);
    leave_surplus(lent, snapshot, std::min(request.max_nodes, request.max_gpus));
    const Excerpt excerpt = excerpt_of(cluster, lent);
    domain::Plan on_excerpt = plan::choose(request, excerpt.cluster);
    put_back(on_excerpt, excerpt);
    RC_ASSERT(chosen(on_excerpt) == chosen(on_all));
    for (std::size_t i = 0; i < lent.size(); ++i) {
        cluster.gpus[i].is_free = lent[i] != 0;
    }
    RC_ASSERT(!on_all.fits() || report::to_json(on_excerpt, cluster) ==
                                    report::to_json(plan::choose(request, cluster), cluster));
}

}  // namespace
}  // namespace hora::request
