// Do jobs share the GPUs that they can share, and within their owners' limits?
#include "scripts/horad/observe/gpu_map.hpp"

#include <gtest/gtest.h>

#include "scripts/horad/observe/headroom.hpp"

namespace hora::horad {
namespace {

// Nodes of 4 GPUs: a1, a2 of one type, b1 of another; partition p has a1 and b1, q a2 and b1, r a2.
domain::Snapshot cluster(std::vector<std::vector<std::uint32_t>> partitions) {
    domain::Snapshot made;
    made.cluster.devices.resize(2);
    made.cluster.devices[0].name = "titanx";
    made.cluster.devices[1].name = "p100";
    const char* const names[] = {"a1", "a2", "b1"};
    for (std::uint32_t node = 0; node < 3; ++node) {
        domain::Node one;
        one.name = names[node];
        made.cluster.nodes.push_back(one);
        domain::NodeState state;
        state.free_cpus = 8;
        made.states.push_back(state);
        for (std::uint32_t gpu = 0; gpu < 4; ++gpu) {
            made.cluster.gpus.push_back(
                {.node = node, .index = gpu, .device = node == 2 ? 1U : 0U});
        }
    }
    const char* const partition_names[] = {"p", "q", "r"};
    for (std::size_t i = 0; i < partitions.size(); ++i) {
        domain::Partition partition;
        partition.name = partition_names[i];
        partition.nodes = partitions[i];
        made.partitions.push_back(partition);
    }
    return made;
}

ObservedJob job_on(const std::string& where, const std::string& partition = "p") {
    ObservedJob job;
    job.id = 7;
    job.uid = 1000;
    job.where = where;
    job.partition = partition;
    job.gpus = 2;
    job.state = where.empty() ? slurm::JobState::pending : slurm::JobState::running;
    return job;
}

TEST(GpuMap, PartitionsThatShareANodeAreOne) {
    const domain::Snapshot apart = cluster({{0, 2}, {1}});
    const GpuMap two(apart);
    ASSERT_EQ(two.groups().size(), 3U);
    EXPECT_NE(two.group_of(job_on("a1")), two.group_of(job_on("a2")));
    const domain::Snapshot joined = cluster({{0, 2}, {1, 2}});
    const GpuMap one(joined);
    ASSERT_EQ(one.groups().size(), 2U);
    EXPECT_EQ(one.group_of(job_on("a1")), one.group_of(job_on("a[2]")));
    EXPECT_NE(one.group_of(job_on("a1")), one.group_of(job_on("b1")));
    EXPECT_EQ(one.groups()[*one.group_of(job_on("a1"))].usable, 8U);
}

TEST(GpuMap, IdleIsWhatAJobCouldHave) {
    domain::Snapshot made = cluster({{0, 1, 2}});
    made.cluster.gpus[0].is_free = false;
    made.states[0].free_cpus = 1;
    made.states[1].is_usable = false;
    const GpuMap map(made);
    const GpuGroup& group = map.groups()[*map.group_of(job_on("a1"))];
    EXPECT_EQ(group.usable, 4U);
    EXPECT_EQ(group.idle, 1U) << "no more than there are CPUs";
    EXPECT_EQ(group.free, (std::vector<std::uint32_t>{1, 0})) << "by node";
}

TEST(GpuMap, KnowsTheLinkInsideANode) {
    domain::Snapshot made = cluster({{0, 1, 2}});
    EXPECT_EQ(GpuMap(made).groups()[0].inside, domain::Link()) << "it is not known";
    const auto link = [](double bandwidth) { return domain::Link{Bandwidth(bandwidth), {}}; };
    made.cluster.parts = {
        {.kind = domain::PartKind::fabric, .link = link(1), .name = ""},
        {.kind = domain::PartKind::node, .parent = 0, .link = link(5), .name = "a1"},
        {.kind = domain::PartKind::pcie_switch, .parent = 1, .link = link(9), .name = ""}};
    for (domain::Gpu& gpu : made.cluster.gpus) {
        gpu.part = 2;
    }
    EXPECT_EQ(GpuMap(made).groups()[0].inside, link(5));
}

TEST(GpuMap, SaysWhichNodesOfItsGroupAJobHolds) {
    const domain::Snapshot made = cluster({{0, 1, 2}});
    const GpuMap map(made);
    ObservedJob job = job_on("a[1-2]");
    const std::size_t group = map.group_of(job).value();
    EXPECT_TRUE(map.held_by(job, group).empty()) << "Slurm does not say";
    job.allocation = {{.node = "a2", .gpus = 3, .indices = {}},
                      {.node = "a1", .gpus = 1, .indices = {}}};
    EXPECT_EQ(map.held_by(job, group), (std::vector<domain::NodeGpus>{{1, 3}, {0, 1}}));
    job.allocation.push_back({.node = "b1", .gpus = 1, .indices = {}});
    EXPECT_TRUE(map.held_by(job, group).empty()) << "of another type";
}

TEST(GpuMap, APendingJobBelongsWhereItWasPlannedOrAsks) {
    const domain::Snapshot made = cluster({{0, 1, 2}});
    const GpuMap map(made);
    ObservedJob job = job_on("");
    job.features = "p100";
    EXPECT_EQ(map.groups()[map.group_of(job).value()].name, "p100 of p");
    job.features.clear();
    EXPECT_EQ(map.groups()[map.group_of(job).value()].name, "titanx of p");
    job.partition = "nowhere";
    EXPECT_FALSE(map.group_of(job));
}

TEST(GpuMap, AJobOfSeveralPartitionsWaitsInTheFirstThatIsUp) {
    domain::Snapshot made = cluster({{0, 2}, {1}});
    const GpuMap both_up(made);
    EXPECT_EQ(both_up.group_of(job_on("", "p,q")), both_up.group_of(job_on("a1")));
    made.partitions[0].is_up = false;
    const GpuMap map(made);
    EXPECT_EQ(map.group_of(job_on("", "p,q")), map.group_of(job_on("a2")));
    EXPECT_EQ(map.group_of(job_on("", "p")), map.group_of(job_on("a1"))) << "where it was sent";
}

// Partition q is a2 alone, and p all nodes.
TEST(GpuMap, AnInnerPartitionIsApartWhileAJobWaitsThereForMoreThanIsIdle) {
    struct Case {
        const char* name;
        const char* partition;  // in which a job waits
        std::uint32_t gpus;
        bool is_idle;  // the inner node
        bool is_apart;
    };
    const Case cases[] = {
        {"in the inner one, whose node is taken", "q", 1, false, true},
        {"in the inner one, whose node is idle", "q", 1, true, false},
        {"in the inner one, for more than it has idle", "q", 5, true, true},
        {"in the outer one", "p", 20, false, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        domain::Snapshot made = cluster({{0, 1, 2}, {1}});
        for (domain::Gpu& gpu : made.cluster.gpus) {
            gpu.is_free = gpu.node != 1 || each.is_idle;
        }
        ObservedJob waits = job_on("", each.partition);
        waits.gpus = each.gpus;
        waits.eligible = 500;
        waits.waits_for = slurm::WaitsFor::resources;
        const auto apart = nodes_apart(made, {waits}, 1000);
        EXPECT_EQ(apart.size(), each.is_apart ? 1U : 0U);
        const GpuMap map(made, apart);
        EXPECT_EQ(map.group_of(job_on("a1")) != map.group_of(job_on("a2")), each.is_apart);
        EXPECT_EQ(map.group_of(job_on("a[1-2]")), map.group_of(job_on("a2")));
        if (each.is_apart) {
            EXPECT_EQ(map.group_of(waits), map.group_of(job_on("a2"))) << "where it waits";
            EXPECT_EQ(map.groups()[map.group_of(waits).value()].name, "titanx of q");
            EXPECT_NE(map.group_of(job_on("", "p")), map.group_of(waits));
        }
    }
}

TEST(GpuMap, NodesOfAReservationAreForItsJobs) {
    domain::Snapshot made = cluster({{0, 1, 2}});
    made.reservations.push_back({"course", {1}, 500, 2000});
    EXPECT_TRUE(nodes_apart(made, {}, 400).empty());
    EXPECT_TRUE(nodes_apart(made, {}, 2000).empty());
    const GpuMap map(made, nodes_apart(made, {}, 1000));
    ObservedJob job = job_on("");
    const auto outside = map.group_of(job);
    job.reservation = "course";
    EXPECT_NE(map.group_of(job), outside);
    EXPECT_EQ(map.group_of(job), map.group_of(job_on("a2")));
}

TEST(GpuMap, AJobMayUseWhatItsPartitionAndFeaturesAllow) {
    domain::Snapshot made = cluster({{0, 1, 2}, {1}});
    made.states[0].features = {"fast"};
    const GpuMap map(made);
    const auto usable = [&](ObservedJob job) {
        return map.usable_for(job, *map.group_of(job), 1000).value_or(0);
    };
    EXPECT_EQ(usable(job_on("a1")), 8U);
    EXPECT_EQ(usable(job_on("a2", "q")), 4U);
    ObservedJob picky = job_on("a1");
    picky.features = "fast";
    EXPECT_EQ(usable(picky), 4U);
}

TEST(Headroom, IsThatOfThePartitionThatRulesTheJob) {
    domain::Snapshot made = cluster({{0, 2}, {1}});
    made.partitions[0].max_nodes = 1;
    EXPECT_EQ(most_gpus(job_on("", "p,q"), made, 4), 4U);
    made.partitions[0].is_up = false;
    EXPECT_EQ(most_gpus(job_on("", "p,q"), made, 4), std::nullopt) << "it can start in q alone";
    EXPECT_EQ(most_gpus(job_on("a1", "p"), made, 4), 4U) << "one that runs goes on in p";
}

TEST(Headroom, TheTightestLimitHolds) {
    domain::Allowance per_job;
    per_job.qos = "normal";
    per_job.per_job.gpus = 6;
    domain::Allowance of_user;
    of_user.qos = "normal";
    of_user.user = "alice";
    of_user.per_user.gpus = 1;
    domain::Allowance left;
    left.account = "physics";
    left.left.gpus = 1;
    domain::Allowance of_nodes;
    of_nodes.qos = "normal";
    of_nodes.per_user.nodes = 2;
    domain::Allowance of_cpus;
    of_cpus.qos = "normal";
    of_cpus.per_job.cpus = 10;
    domain::Allowance of_others;
    of_others.qos = "long";
    of_others.per_job.gpus = 1;

    struct Case {
        const char* name;
        std::vector<domain::Allowance> allowances;
        std::optional<std::uint32_t> wanted;
    };
    const Case cases[] = {
        {"no limit", {}, std::nullopt},
        {"another QOS's", {of_others}, std::nullopt},
        {"of one job", {per_job}, 6},
        {"what a user has left, beside what the job holds", {per_job, of_user}, 3},
        {"two nodes, of four GPUs each", {of_nodes}, 8},
        {"ten CPUs, of which each GPU takes two", {of_cpus}, 5},
        {"what a group has left, beside what the job holds", {per_job, left}, 3},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        auto made = std::make_shared<domain::Snapshot>(cluster({{0, 1, 2}}));
        made->allowances = each.allowances;
        made->users.push_back({1000, "alice", {}, {}});
        ObservedJob job = job_on("a1");
        job.qos = "normal";
        job.account = "physics";
        job.uid = 1000;
        job.shape.nodes = 1;
        job.shape.tasks = job.gpus;
        job.shape.cpus_per_task = 2;
        EXPECT_EQ(most_gpus(job, *made, 4), each.wanted);
    }
}

}  // namespace
}  // namespace hora::horad
