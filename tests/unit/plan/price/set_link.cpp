// Does the planner price a set of a machine by what `hora ring` says of it?
#include "libplanner/plan/price/set_link.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "libplanner/model/links/set_bandwidth.hpp"
#include "libplanner/plan/choose.hpp"
#include "libplanner/plan/ring/predicted_ring.hpp"
#include "libplanner/read/cluster/cluster_builder.hpp"
#include "libplanner/read/cluster/node_layout.hpp"
#include "tests/unit/model/meshes.hpp"

namespace hora::plan {
namespace {

using Gpus = std::vector<std::uint32_t>;

domain::Device device_like_v100() {
    domain::Device device;
    device.name = "v100";
    device.peak[0] = FlopRate(15e12);
    device.memory_bandwidth = Bandwidth(900e9);
    device.pcie = Bandwidth(15.75e9);
    return device;
}

// Nodes of this machine on one switch.
domain::Cluster cluster_of(const domain::Topology& machine, std::uint32_t nodes = 1) {
    read::ClusterDescription description;
    description.devices = {device_like_v100()};
    description.network = {Bandwidth(5e9), Seconds(1e-5)};
    description.layouts = {read::layout_of(machine, description.devices[0])};
    for (std::uint32_t i = 0; i < nodes; ++i) {
        read::NodeDescription node;
        node.name = "n" + std::to_string(i);
        node.devices.assign(machine.gpus.size(), 0);
        description.nodes.push_back(node);
    }
    return read::build_cluster(std::move(description)).value();
}

Gpus gpus_in(MeshSet set) {
    Gpus gpus;
    for (std::uint32_t gpu = 0; set >> gpu != 0; ++gpu) {
        if ((set >> gpu & 1U) != 0) {
            gpus.push_back(gpu);
        }
    }
    return gpus;
}

domain::Topology some_machine() {
    const auto gpus = *rc::gen::element<std::uint32_t>(2, 3, 4, 5, 6);
    if (*rc::gen::element(0, 1, 2) == 0) {
        return tests::random_tree(gpus, [](std::uint32_t below) {
            return *rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, below));
        });
    }
    std::vector<tests::MeshLink> links;
    for (std::uint32_t a = 0; a < gpus; ++a) {
        for (std::uint32_t b = a + 1; b < gpus; ++b) {
            links.push_back({a, b, *rc::gen::element<std::uint32_t>(0, 0, 1, 1, 2)});
        }
    }
    return tests::mesh_of(gpus, links, tests::v100);
}

RC_GTEST_PROP(SetLink, IsWhatTheRingOfTheMachineSays, ()) {
    const domain::Topology machine = some_machine();
    const domain::Cluster cluster = cluster_of(machine, *rc::gen::element(1U, 2U));
    for (MeshSet set = 1; set < 1U << machine.gpus.size(); ++set) {
        const Gpus gpus = gpus_in(set);
        if (gpus.size() < 2) {
            continue;
        }
        const Bandwidth told = predict_ring(machine, gpus).best.set->bandwidth;
        RC_ASSERT(link_of(cluster, gpus).bandwidth == told);
        RC_ASSERT(predict_ring(cluster, gpus).best.set->bandwidth == told);
    }
}

// With more exchange than arithmetic, so that the link decides.
domain::Request of_size(std::uint32_t gpus) {
    domain::Request request;
    request.workload.layers = {{100'000'000, 200'000'000, 1'000'000}};
    request.batch = 48;
    request.min_gpus = gpus;
    request.max_gpus = gpus;
    request.cost.overlap = false;
    return request;
}

RC_GTEST_PROP(SetLink, OfThePlanIsTheBestOfItsSize, ()) {
    const domain::Topology machine = some_machine();
    domain::Cluster cluster = cluster_of(machine);
    MeshSet free = 0;
    for (domain::Gpu& gpu : cluster.gpus) {
        gpu.is_free = *rc::gen::element(true, true, true, false);
        free |= gpu.is_free ? 1U << gpu.index : 0;
    }
    std::map<std::size_t, Bandwidth> best;
    for (MeshSet set = free; set != 0; set = (set - 1) & free) {
        const Gpus gpus = gpus_in(set);
        Bandwidth& known = best[gpus.size()];
        known = std::max(known, model::set_bandwidth(machine, gpus).bandwidth);
    }
    for (const auto& [count, bandwidth] : best) {
        if (count > 1) {
            const domain::Plan plan = choose(of_size(static_cast<std::uint32_t>(count)), cluster);
            RC_ASSERT(plan.members.size() == count);
            RC_ASSERT(plan.link.bandwidth == bandwidth);
        }
    }
}

struct Case {
    const char* sentence;
    std::uint32_t gpus;
    Gpus busy;
    Gpus chosen;
    double bandwidth;
};

TEST(SetLink, OfADgx1DecidesWhichGpusAreChosen) {
    const Case cases[] = {
        {"a pair with two links", 2, {}, {0, 3}, 40},
        {"another one, where one of the first is taken", 2, {3}, {1, 2}, 40},
        {"a pair with one where no other is left", 2, {2, 3, 4, 5, 7}, {0, 1}, 20},
        {"a fully joined quad", 4, {}, {0, 1, 2, 3}, 80},
        {"the other quad", 4, {2}, {4, 5, 6, 7}, 80},
        {"all", 8, {}, {0, 1, 2, 3, 4, 5, 6, 7}, 120},
    };
    const domain::Cluster idle = cluster_of(tests::dgx1v());
    for (const Case& test : cases) {
        domain::Cluster cluster = idle;
        for (const std::uint32_t gpu : test.busy) {
            cluster.gpus[gpu].is_free = false;
        }
        const domain::Plan plan = choose(of_size(test.gpus), cluster);
        Gpus chosen;
        for (const domain::Member& member : plan.members) {
            chosen.push_back(member.gpu);
        }
        EXPECT_EQ(chosen, test.chosen) << test.sentence;
        EXPECT_EQ(plan.link.bandwidth, Bandwidth(test.bandwidth * 1e9)) << test.sentence;
    }
}

// Arithmetic hides the exchange, and the second link is worth nothing: it is taken all the same.
TEST(SetLink, ThatIsFasterIsTakenAmongEquals) {
    domain::Request request = of_size(2);
    request.workload.layers = {{100'000'000'000, 4, 4}};
    request.cost.overlap = true;
    const domain::Cluster cluster = cluster_of(tests::dgx1v(), 2);
    const domain::Plan plan = choose(request, cluster);
    ASSERT_EQ(plan.members.size(), 2U);
    EXPECT_EQ(plan.members[0].gpu, 0U);
    EXPECT_EQ(plan.members[1].gpu, 3U);
    EXPECT_EQ(plan.link.bandwidth, Bandwidth(40e9));
}

TEST(MeshSets, AreTheBestOfEachSizeTheLowerGpusFirst) {
    domain::Cluster cluster;
    cluster.meshes = {{3, Seconds(1), {}}};
    for (const double bandwidth : {0, 0, 0, 5, 0, 7, 7, 6}) {
        cluster.meshes[0].bandwidths.push_back(Bandwidth(bandwidth));
    }
    MeshSets sets(cluster);
    EXPECT_EQ(sets.best_of(0, 0b111), (std::vector<MeshSet>{0, 0b001, 0b101, 0b111}));
    EXPECT_EQ(sets.best_of(0, 0b110), (std::vector<MeshSet>{0, 0b010, 0b110}));
    EXPECT_EQ(sets.best_of(0, 0b011), (std::vector<MeshSet>{0, 0b001, 0b011}));
    EXPECT_EQ(sets.best_of(0, 0), std::vector<MeshSet>{0});
    EXPECT_EQ(sets.link_of(0, 0b011), (domain::Link{Bandwidth(5), Seconds(1)}));
}

}  // namespace
}  // namespace hora::plan
