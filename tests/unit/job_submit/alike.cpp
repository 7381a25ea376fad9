#include "plugins/job_submit/alike.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "libplanner/plan/choose.hpp"
#include "tests/unit/job_submit/cluster.hpp"

namespace hora::submit {
namespace {

std::vector<std::uint32_t> chosen(const domain::Plan& plan) {
    std::vector<std::uint32_t> gpus;
    for (const domain::Member& member : plan.members) {
        gpus.push_back(member.gpu);
    }
    return gpus;
}

TEST(Alike, LeavesOnlyAsManyAlikeNodesAsAPlanCanUse) {
    domain::Cluster cluster = small_cluster().cluster;
    leave_surplus(cluster, 1);
    for (const domain::Gpu& gpu : cluster.gpus) {
        EXPECT_EQ(gpu.is_free, gpu.node == 0 || gpu.node == 4) << gpu.node;
    }
}

RC_GTEST_PROP(Alike, TheChoiceIsTheSameWithoutTheSurplus, ()) {
    domain::Cluster cluster = small_cluster().cluster;
    for (domain::Gpu& gpu : cluster.gpus) {
        gpu.is_free = *rc::gen::inRange(0, 4) != 0;
    }
    domain::Request request = big_job();
    request.layout = domain::Layout::uniform;
    request.max_gpus = *rc::gen::inRange(1U, 9U);
    request.max_nodes = *rc::gen::inRange(1U, 4U);
    domain::Cluster fewer = cluster;
    leave_surplus(fewer, std::min(request.max_nodes, request.max_gpus));
    RC_ASSERT(chosen(plan::choose(request, cluster)) == chosen(plan::choose(request, fewer)));
}

}  // namespace
}  // namespace hora::submit
