#include "libplanner/read/state/snapshot.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "libplanner/report/plan/snapshot.hpp"
#include "tests/unit/read/some_snapshot.hpp"

namespace hora::read {
namespace {

using domain::Snapshot;

// The parts above a GPU, by value: their numbers may differ.
std::vector<std::string> way_up(const domain::Cluster& cluster, const domain::Gpu& gpu) {
    std::vector<std::string> way;
    for (std::uint32_t part = gpu.part; part != domain::no_part;
         part = cluster.parts[part].parent) {
        const domain::Part& found = cluster.parts[part];
        way.push_back(fmt::format("{} {} {} {}", static_cast<int>(found.kind), found.name,
                                  found.link.bandwidth.count(), found.link.latency.count()));
    }
    return way;
}

domain::Mesh mesh_of(const domain::Cluster& cluster, std::size_t node) {
    const std::uint32_t mesh = cluster.nodes[node].mesh;
    return mesh == domain::no_mesh ? domain::Mesh() : cluster.meshes[mesh];
}

void expect_same_machines(const Snapshot& a, const Snapshot& b) {
    RC_ASSERT(a.cluster.nodes.size() == b.cluster.nodes.size());
    for (std::size_t i = 0; i < a.cluster.nodes.size(); ++i) {
        RC_ASSERT(a.cluster.nodes[i].name == b.cluster.nodes[i].name);
        RC_ASSERT(a.cluster.nodes[i].cpus == b.cluster.nodes[i].cpus);
        RC_ASSERT(mesh_of(a.cluster, i) == mesh_of(b.cluster, i));
        RC_ASSERT(a.states[i].is_usable == b.states[i].is_usable);
        RC_ASSERT(a.states[i].answers == b.states[i].answers);
        RC_ASSERT(a.states[i].free_cpus == b.states[i].free_cpus);
        RC_ASSERT(a.states[i].features == b.states[i].features);
        RC_ASSERT(a.states[i].gpu_sockets == b.states[i].gpu_sockets);
    }
    RC_ASSERT(a.cluster.gpus.size() == b.cluster.gpus.size());
    for (std::size_t i = 0; i < a.cluster.gpus.size(); ++i) {
        const domain::Gpu& gpu = a.cluster.gpus[i];
        const domain::Gpu& other = b.cluster.gpus[i];
        RC_ASSERT(gpu.node == other.node);
        RC_ASSERT(gpu.index == other.index);
        RC_ASSERT(gpu.device == other.device);
        RC_ASSERT(gpu.is_free == other.is_free);
        RC_ASSERT(way_up(a.cluster, gpu) == way_up(b.cluster, other));
    }
}

TEST(Snapshot, ComesBackAsItWasWritten) {
    EXPECT_TRUE(rc::check([] {
        const Snapshot snapshot = hora::testing::some_snapshot();
        const std::string text = report::to_json(snapshot);
        const auto back = read_snapshot(text);
        if (!back) {
            RC_FAIL(back.error().message + " in " + text);
        }
        expect_same_machines(snapshot, *back);
        RC_ASSERT(report::to_json(*back) == text);
    }));
}

TEST(Snapshot, TornTextIsAnError) {
    EXPECT_TRUE(rc::check([] {
        const std::string text = report::to_json(hora::testing::some_snapshot());
        const auto length = *rc::gen::inRange<std::size_t>(0, text.size() - 1);
        RC_ASSERT(!read_snapshot(text.substr(0, length)).has_value());
    }));
}

// A valid value refers to nothing that is not there.
void expect_consistent(const Snapshot& snapshot) {
    const domain::Cluster& cluster = snapshot.cluster;
    RC_ASSERT(snapshot.states.size() == cluster.nodes.size());
    RC_ASSERT(!cluster.parts.empty());
    for (std::size_t i = 1; i < cluster.parts.size(); ++i) {
        RC_ASSERT(cluster.parts[i].parent < i);
    }
    for (std::uint32_t i = 0; i < cluster.nodes.size(); ++i) {
        const std::size_t gpus = domain::gpus_of_node(cluster, i).size();
        // RC_ASSERT evaluates both sides of "or".
        const bool is_of_its_gpus =
            cluster.nodes[i].mesh == domain::no_mesh ||
            cluster.meshes.at(cluster.nodes[i].mesh).bandwidths.size() == std::size_t{1} << gpus;
        RC_ASSERT(is_of_its_gpus);
    }
    for (const domain::Gpu& gpu : cluster.gpus) {
        RC_ASSERT(gpu.node < cluster.nodes.size());
        RC_ASSERT(gpu.device < cluster.devices.size());
        RC_ASSERT(gpu.part < cluster.parts.size());
    }
    for (const domain::Partition& partition : snapshot.partitions) {
        const bool is_within =
            partition.nodes.empty() || partition.nodes.back() < cluster.nodes.size();
        RC_ASSERT(is_within);
    }
}

TEST(Snapshot, CorruptTextIsAnErrorOrAConsistentValue) {
    EXPECT_TRUE(rc::check([] {
        std::string text = report::to_json(hora::testing::some_snapshot());
        for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
            const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
            text[place] = *rc::gen::oneOf(rc::gen::arbitrary<char>(),
                                          rc::gen::elementOf(std::string("0123456789-,\"[]{}")));
        }
        if (const auto snapshot = read_snapshot(text)) {
            expect_consistent(*snapshot);
        }
    }));
}

struct Case {
    const char* sentence;
    const char* from;
    const char* to;
    const char* message;
};

const Case cases[] = {
    {"another format", "hora-snapshot", "hora-plan", "snapshot.format is not \"hora-snapshot\""},
    {"a later version", "\"version\":1", "\"version\":2", "snapshot.version is 2, this reads 1"},
    {"a key too many", "\"version\":1", "\"version\":1,\"colour\":1",
     "snapshot.\"colour\" is not known"},
    {"a key too few", "\"written\":1700000000,", "", "snapshot.written is missing"},
    {"a negative count", "\"cpus\":16", "\"cpus\":-16",
     "groups[0].cpus is no whole number up to 1048576"},
    {"a count beyond all bounds", "\"cpus\":16", "\"cpus\":99999999999999999999",
     "groups[0].cpus is no whole number up to 1048576"},
    {"a device that is not there", "\"device\":0", "\"device\":7",
     "gpus[0].device is no whole number up to 1"},
    {"a node in no group", "\"nodes\":\"0-3\"}]", "\"nodes\":\"0-2\"}]",
     "nodes.groups do not hold each node exactly once"},
    {"a node that is not there", "\"nodes\":\"0-3\"}]", "\"nodes\":\"0-4\"}]",
     "groups[0].nodes \"0-4\" is no list of ascending indices below 4, such as \"0-3,7\""},
    {"a node named twice", "n[1-4]", "n[1-3],n1",
     "nodes.names names a node twice, or one of an odd length"},
    {"a list that is not known", "\"groups\":[", "\"groups\":[],\"more\":[",
     "nodes.\"more\" is not known"},
    {"a part that is its own parent", "\"parent\":0,\"bandwidth\":5",
     "\"parent\":1,\"bandwidth\":5", "switches[1].parent is no whole number up to 0"},
    {"a GPU on a socket that is not there", "\"gpu_sockets\":[0,0", "\"gpu_sockets\":[0,2",
     "groups[0].gpu_sockets holds something else than whole numbers below 2"},
    {"a socket that is no number", "\"gpu_sockets\":[0,0", "\"gpu_sockets\":[0,-1",
     "groups[0].gpu_sockets holds something else than whole numbers below 2"},
    {"a GPU without a socket beside others", "\"gpu_sockets\":[0,0", "\"gpu_sockets\":[0",
     "groups[0].gpu_sockets leaves out a GPU"},
    {"an unknown kind of part", "leaf_switch", "leaf", "switches[1].kind is not known"},
    {"a partition's node that is not there", "\"nodes\":\"0-3\",\"up\"", "\"nodes\":\"9\",\"up\"",
     "partitions[0].nodes \"9\" is no list of ascending indices below 4, such as \"0-3,7\""},
};

TEST(Snapshot, SaysWhatIsWrongAndWhere) {
    Snapshot snapshot = hora::testing::large_snapshot(4, 4);
    for (domain::NodeState& state : snapshot.states) {
        state.sockets = 2;
        state.gpu_sockets = {0, 0, 0, 0, 1, 1, 1, 1};
    }
    const std::string good = report::to_json(snapshot);
    ASSERT_TRUE(read_snapshot(good).has_value());
    for (const Case& test : cases) {
        std::string text = good;
        const std::size_t place = text.find(test.from);
        ASSERT_NE(place, std::string::npos) << test.sentence << " in " << good;
        text.replace(place, std::string_view(test.from).size(), test.to);
        const auto read = read_snapshot(text);
        ASSERT_FALSE(read.has_value()) << test.sentence;
        EXPECT_EQ(read.error().message, test.message) << test.sentence;
    }
}

TEST(Snapshot, NestingAndSizeAreBounded) {
    EXPECT_FALSE(read_snapshot(std::string(1'000'000, '[')).has_value());
    EXPECT_FALSE(read_snapshot(std::string(max_snapshot_size + 1, ' ')).has_value());
    EXPECT_FALSE(read_snapshot("").has_value());
    EXPECT_FALSE(read_snapshot("null").has_value());
}

TEST(Snapshot, TenThousandAlikeNodesAreSmall) {
    Snapshot snapshot = hora::testing::large_snapshot(10'000, 32);
    const std::string text = report::to_json(snapshot);
    EXPECT_LT(text.size(), 200'000u);
    const auto back = read_snapshot(text);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->cluster.gpus.size(), 80'000u);
}

TEST(Snapshot, IsUsedWhileItsAgeIsNeitherAboveTheMostNorAsFarBelowNone) {
    struct Age {
        std::int64_t written;
        SnapshotAge judged;
    };
    const Age ages[] = {{1000, SnapshotAge::usable},  {940, SnapshotAge::usable},
                        {939, SnapshotAge::too_old},  {0, SnapshotAge::too_old},
                        {1060, SnapshotAge::usable},  {1061, SnapshotAge::ahead},
                        {1 << 30, SnapshotAge::ahead}};
    for (const Age& each : ages) {
        domain::Snapshot snapshot;
        snapshot.written = each.written;
        EXPECT_EQ(judge_age(age_of(snapshot, 1000), Seconds(60)), each.judged) << each.written;
    }
}

}  // namespace
}  // namespace hora::read
