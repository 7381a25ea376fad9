// Is what slurmctld has answered seen once and surely, also where a call after it fails?
#include "plugins/slurm/collect/collect.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/unit/slurm/collect/fake_controller.hpp"

namespace hora::slurm {
namespace {

class CollectorTest : public testing::Test {
  protected:
    CollectorTest() : collector(SiteFacts{}) {
        controller = {};
        EXPECT_EQ(refresh(), true);
    }

    Expected<bool> refresh() { return collector.refresh(now); }
    // What stands in the picture of the cluster for its administrator.
    std::vector<std::string> remarks() const { return collector.collected(0)->remarks; }

    Collector collector;
    Collector::Clock::time_point now{};
};

TEST_F(CollectorTest, SaysOnceThatSomethingIsNew) {
    EXPECT_EQ(refresh(), false);
    for (Part* const part : {&controller.configuration, &controller.nodes, &controller.partitions,
                             &controller.reservations}) {
        ++part->updated;
        EXPECT_EQ(refresh(), true);
        EXPECT_EQ(refresh(), false);
        EXPECT_EQ(part->answers, 2);
    }
}

TEST_F(CollectorTest, KeepsTheNewsOfACallWhereALaterOneFails) {
    ++controller.nodes.updated;
    controller.reservations.error = ETIMEDOUT;
    EXPECT_FALSE(refresh().has_value());
    EXPECT_FALSE(refresh().has_value());
    EXPECT_EQ(controller.nodes.answers, 2);
    controller.reservations.error = 0;
    EXPECT_EQ(refresh(), true);
    EXPECT_EQ(refresh(), false);
}

TEST_F(CollectorTest, AsksForTheSwitchesOfAConfigurationBehindWhichACallFailed) {
    ++controller.configuration.updated;
    controller.nodes.error = ETIMEDOUT;
    EXPECT_FALSE(refresh().has_value());
    EXPECT_EQ(controller.asked_for_topology, 1);
    controller.nodes.error = 0;
    EXPECT_EQ(refresh(), true);
    EXPECT_EQ(controller.asked_for_topology, 2);
}

TEST_F(CollectorTest, AsksForTheSwitchesAgainUntilTheyAreKnown) {
    controller.topology = failure("no answer");
    ++controller.configuration.updated;
    EXPECT_EQ(refresh(), true);
    EXPECT_EQ(remarks().size(), 1U);
    EXPECT_EQ(refresh(), false);
    EXPECT_EQ(controller.asked_for_topology, 2) << "not at every look";
    now += std::chrono::minutes(2);
    EXPECT_EQ(refresh(), false);
    EXPECT_EQ(controller.asked_for_topology, 3);
    controller.topology = std::string();
    now += std::chrono::minutes(2);
    EXPECT_EQ(refresh(), true);
    EXPECT_TRUE(remarks().empty());
    now += std::chrono::minutes(2);
    EXPECT_EQ(refresh(), false);
    EXPECT_EQ(controller.asked_for_topology, 4) << "never without need";
}

// Of the cluster and of its one partition; 0: not set.
struct Memory {
    const char* sentence;
    std::uint64_t of_cluster;
    std::uint64_t of_partition;
    std::optional<std::uint32_t> per_cpu;
    std::optional<std::uint32_t> per_node;
};

const Memory memories[] = {
    {"none", 0, 0, {}, {}},
    {"DefMemPerCPU", 100 | MEM_PER_CPU, 0, 100, {}},
    {"DefMemPerNode", 5000, 0, {}, 5000},
    {"the partition's goes first", 100 | MEM_PER_CPU, 3000, {}, 3000},
    {"more than can be counted", 0, std::uint64_t{1} << 40, {}, 0xffffffff},
};

TEST_F(CollectorTest, ReadsTheMemoryOfAJobThatSaysNone) {
    partition_info_t partition{};
    partitions = {};
    partitions.record_count = 1;
    partitions.partition_array = &partition;
    for (const Memory& each : memories) {
        for (const bool is_allocated : {true, false}) {
            SCOPED_TRACE(each.sentence);
            configuration.select_type_param = is_allocated ? select_memory : 0;
            configuration.def_mem_per_cpu = each.of_cluster;
            partition.def_mem_per_cpu = each.of_partition;
            const domain::DefaultMemory memory =
                collector.collected(0)->snapshot.partitions.front().default_memory;
            EXPECT_EQ(memory.per_gpu, std::nullopt);
            EXPECT_EQ(memory.per_cpu, is_allocated ? each.per_cpu : std::nullopt);
            EXPECT_EQ(memory.per_node, is_allocated ? each.per_node : std::nullopt);
        }
    }
    configuration = {};
    partitions = {};
}

TEST_F(CollectorTest, ReadsTheMemoryOfEachGpu) {
    job_defaults_t both[] = {{.type = JOB_DEF_CPU_PER_GPU, .value = 2},
                             {.type = JOB_DEF_MEM_PER_GPU, .value = 700}};
    const ListPointer defaults = slurm_list_create(nullptr);
    for (job_defaults_t& one : both) {
        slurm_list_append(defaults, &one);
    }
    partition_info_t partition{};
    partition.job_defaults_list = defaults;
    partitions.record_count = 1;
    partitions.partition_array = &partition;
    configuration.select_type_param = select_memory;
    configuration.def_mem_per_cpu = 100 | MEM_PER_CPU;
    const auto collected = collector.collected(0);
    EXPECT_EQ(collected->snapshot.partitions.front().default_memory.per_gpu, 700U);
    EXPECT_EQ(collected->snapshot.partitions.front().default_memory.per_cpu, std::nullopt);
    // slurm.conf's goes before what a partition says of its nodes.
    configuration.job_defaults_list = defaults;
    partition.job_defaults_list = nullptr;
    partition.def_mem_per_cpu = 8000;
    const auto of_cluster = collector.collected(0);
    EXPECT_EQ(of_cluster->snapshot.partitions.front().default_memory.per_gpu, 700U);
    EXPECT_EQ(of_cluster->snapshot.partitions.front().default_memory.per_node, std::nullopt);
    slurm_list_destroy(defaults);
    configuration = {};
    partitions = {};
}

}  // namespace
}  // namespace hora::slurm
