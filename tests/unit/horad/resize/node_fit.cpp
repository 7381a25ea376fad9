// Are the nodes found that can give a job so many GPUs?
#include "scripts/horad/resize/node_fit.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/unit/horad/resize/planned_job.hpp"

namespace hora::horad {
namespace {

using Nodes = std::vector<std::uint32_t>;

// Of a task, one a GPU.
ResizeRules with_cpus(std::uint32_t cpus) {
    ResizeRules rules;
    rules.cpus_per_task = cpus;
    return rules;
}

TEST(NodeFit, counts_the_jobs_own_gpus_and_cpus_as_free) {
    const slurm::Job job = job_on_n1();
    const ResizeRules rules = with_cpus(2);
    const auto snapshot = snapshot_with({0, 0, 0, 0, 0, 0});
    const NodeFit fit(job, rules, *snapshot);
    EXPECT_EQ(fit.candidates(2, true), Nodes{0});
    EXPECT_EQ(fit.candidates(3, true), Nodes());
    EXPECT_EQ(fit.candidates(4, false), (Nodes{1, 2, 3, 0})) << "of its type";
    EXPECT_EQ(fit.snapshot().states[0].free_cpus, 4U);
    EXPECT_EQ(snapshot->states[0].free_cpus, 0U) << "the snapshot stays as it is";
    EXPECT_FALSE(snapshot->cluster.gpus[0].is_free);
}

TEST(NodeFit, holds_gpus_to_the_cpus_that_are_left) {
    const slurm::Job job = job_on_n1();
    const auto snapshot = snapshot_with({2, 4, 4, 0, 0, 0});
    snapshot->states[1].free_cpus = 7;
    snapshot->states[2].free_cpus = 0;
    const ResizeRules rules = with_cpus(2);
    const NodeFit fit(job, rules, *snapshot);
    EXPECT_EQ(fit.candidates(4, true), Nodes{0});
    EXPECT_EQ(fit.candidates(3, true), (Nodes{1, 0})) << "seven CPUs are three GPUs";
    EXPECT_EQ(fit.candidates(1, true), (Nodes{1, 0})) << "no CPU is no GPU";
    const ResizeRules greedy = with_cpus(9);
    EXPECT_EQ(NodeFit(job, greedy, *snapshot).candidates(1, false), Nodes())
        << "no node has nine CPUs";
    snapshot->cluster.nodes[3].cpus = 0;
    EXPECT_EQ(NodeFit(job, greedy, *snapshot).candidates(4, false), Nodes{3})
        << "whose CPUs are not known";
}

TEST(NodeFit, takes_the_fullest_nodes_first_and_among_like_ones_the_first) {
    const slurm::Job job = job_on_n1();
    const ResizeRules rules = with_cpus(2);
    const NodeFit fit(job, rules, *snapshot_with({2, 2, 1, 2, 0, 0}));
    EXPECT_EQ(fit.candidates(1, true), (Nodes{2, 1, 3, 0}));
    EXPECT_EQ(fit.candidates(2, true), (Nodes{1, 3, 0}));
    EXPECT_EQ(fit.scope(), (Nodes{0, 1, 2, 3})) << "features titanx";
}

TEST(NodeFit, keeps_to_the_type_of_its_gpus) {
    slurm::Job job = job_on_n1();
    job.features.clear();
    const ResizeRules rules = with_cpus(2);
    const auto snapshot = snapshot_with({0, 0, 0, 0, 4, 4});
    EXPECT_EQ(NodeFit(job, rules, *snapshot).candidates(1, true), Nodes{0}) << "which it has now";
    ResizeRules typed = with_cpus(2);
    typed.gpu_type = "k80";
    EXPECT_EQ(NodeFit(job, typed, *snapshot).candidates(1, true), (Nodes{4, 5}));
    job.allocation.clear();
    EXPECT_EQ(NodeFit(job, rules, *snapshot).candidates(1, false), (Nodes{0, 1, 2, 3, 4, 5}))
        << "one that waits may have any";
}

TEST(NodeFit, keeps_to_the_numbers_that_the_owner_fixed) {
    struct Case {
        const char* name;
        ResizeRules rules;
        std::uint32_t gpus;
        std::optional<std::uint32_t> nodes;
    };
    const Case cases[] = {
        {"free", {}, 4, 1},
        {"at least two nodes", {.gpu_type = {}, .least_nodes = 2}, 4, 2},
        {"at most one node", {.gpu_type = {}, .most_nodes = 1}, 8, std::nullopt},
        {"two GPUs on each", {.gpu_type = {}, .gpus_per_node = 2}, 6, 3},
        {"an odd number of pairs", {.gpu_type = {}, .gpus_per_node = 2}, 5, std::nullopt},
        {"more nodes than GPUs", {.gpu_type = {}, .least_nodes = 3}, 2, std::nullopt},
        {"no number that the nodes share", {}, 7, std::nullopt},
        {"all there are", {}, 16, 4},
        {"one more", {}, 17, std::nullopt},
        {"none", {}, 0, std::nullopt},
    };
    const slurm::Job job = job_on_n1();
    for (const Case& each : cases) {
        const NodeFit fit(job, each.rules, *snapshot_with({2, 4, 4, 4, 4, 4}));
        EXPECT_EQ(fit.nodes_for(each.gpus, true), each.nodes) << each.name;
    }
}

TEST(NodeFit, gives_a_job_no_fewer_nodes_than_it_names) {
    slurm::Job job = job_on_n1();
    const ResizeRules rules;
    const auto snapshot = snapshot_with({2, 4, 4, 4, 0, 0});
    job.required_nodes = "n[1-2]";
    EXPECT_EQ(NodeFit(job, rules, *snapshot).nodes_for(4, true), 2U);
    EXPECT_EQ(NodeFit(job, rules, *snapshot).nodes_for(1, true), std::nullopt);
}

TEST(NodeFit, names_the_limit_that_is_in_the_way_and_no_other_reason) {
    const auto snapshot = snapshot_with({2, 4, 4, 4, 0, 0});
    snapshot->partitions[0].max_nodes = 1;
    const slurm::Job job = job_on_n1();
    const ResizeRules rules;
    const NodeFit fit(job, rules, *snapshot);
    EXPECT_EQ(fit.nodes_for(4, true), 1U);
    EXPECT_EQ(fit.limit_of(4, true), "");
    EXPECT_EQ(fit.nodes_for(8, true), std::nullopt);
    EXPECT_NE(fit.limit_of(8, true).find("leaves it 1 node"), std::string::npos)
        << fit.limit_of(8, true);
    EXPECT_EQ(fit.limit_of(7, true), "") << "no nodes are alike for seven";
    EXPECT_EQ(fit.limit_of(0, true), "");
}

// A larger number of nodes may keep to a limit of each.
TEST(NodeFit, goes_on_to_more_nodes_where_a_limit_is_of_each) {
    const auto snapshot = snapshot_with({2, 4, 4, 4, 0, 0});
    snapshot->partitions[0].max_cpus_per_node = 4;
    const slurm::Job job = job_on_n1();
    const ResizeRules rules = with_cpus(2);
    EXPECT_EQ(NodeFit(job, rules, *snapshot).nodes_for(8, true), 4U);
}

TEST(NodeFit, starts_an_exclusive_job_on_idle_nodes_alone) {
    slurm::Job job = job_on_n1();
    job.is_exclusive = true;
    const ResizeRules rules;
    const auto snapshot = snapshot_with({2, 4, 3, 4, 0, 0});
    EXPECT_EQ(NodeFit(job, rules, *snapshot).candidates(1, true), (Nodes{0, 1, 3}));
    EXPECT_EQ(NodeFit(job, rules, *snapshot).candidates(1, false), (Nodes{2, 0, 1, 3}));
}

RC_GTEST_PROP(NodeFit, finds_what_trying_each_number_of_nodes_finds, ()) {
    Nodes free;
    for (int node = 0; node < 6; ++node) {
        free.push_back(*rc::gen::inRange(0U, node == 0 ? 3U : 5U));
    }
    const auto gpus = *rc::gen::inRange(1U, 25U);
    ResizeRules rules;
    rules.cpus_per_task = *rc::gen::inRange(1U, 5U);
    rules.gpus_per_node = *rc::gen::inRange(0U, 5U);
    rules.least_nodes = *rc::gen::inRange(1U, 4U);
    rules.most_nodes = *rc::gen::inRange(1U, 7U);
    slurm::Job job = job_on_n1();
    job.shape.cpus = 4;
    const auto snapshot = snapshot_with(free);
    const NodeFit fit(job, rules, *snapshot);

    // n1 to n4 have GPUs of its type; two of n1 and the CPUs beside them are its own.
    const auto gives = [&](std::size_t node, std::uint32_t each) {
        const std::uint32_t own = node == 0 ? 2 : 0;
        return node < 4 && free[node] + own >= each &&
               2 * free[node] + 2 * own >= each * rules.cpus_per_task;
    };
    std::optional<std::uint32_t> wanted;
    for (std::uint32_t nodes = 1; nodes <= 4 && !wanted; ++nodes) {
        const std::uint32_t each = gpus / nodes;
        std::uint32_t able = 0;
        for (std::size_t node = 0; node < 6; ++node) {
            able += gives(node, each) ? 1 : 0;
        }
        if (gpus % nodes == 0 && able >= nodes && nodes >= rules.least_nodes &&
            nodes <= rules.most_nodes &&
            (rules.gpus_per_node == 0 || rules.gpus_per_node == each)) {
            wanted = nodes;
        }
    }
    RC_ASSERT(fit.nodes_for(gpus, true) == wanted);
    if (wanted) {
        RC_ASSERT(fit.candidates(gpus / *wanted, true).size() >= *wanted);
        // What is free is there at all.
        RC_ASSERT(fit.nodes_for(gpus, false).has_value());
    }
}

}  // namespace
}  // namespace hora::horad
