// Is what the owner of a job has fixed told from what follows the number of its GPUs?
#include "scripts/horad/resize/resize_rules.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/horad/resize/planned_job.hpp"

namespace hora::horad {
namespace {

const std::vector<std::string> all_open{"min_nodes", "max_nodes", "num_tasks", "ntasks_per_node",
                                        "tres_per_node"};

ResizeRules rules_with(
    const domain::Decision& decision,
    const std::function<void(slurm::Job&)>& change = [](slurm::Job&) {}) {
    slurm::Job job = job_on_n1(decision);
    change(job);
    const auto rules = rules_of(job, memory_in);
    EXPECT_TRUE(rules) << rules.error().message;
    return rules.value_or(ResizeRules());
}

TEST(ResizeRules, leave_open_what_the_owner_did_not_say) {
    const ResizeRules rules = rules_with(decision_of());
    EXPECT_EQ(rules.gpu_type, "");
    EXPECT_EQ(rules.gpus_per_node, 0U);
    EXPECT_EQ(rules.least_nodes, 1U);
    EXPECT_EQ(rules.most_nodes, domain::unlimited_nodes);
    EXPECT_EQ(rules.tasks_per_node, 0U);
    EXPECT_EQ(rules.cpus_per_task, 2U);
    EXPECT_EQ(rules.gpus_of_task, 0U);
    EXPECT_FALSE(rules.is_balanced);
}

TEST(ResizeRules, refuse_a_request_that_cannot_be_told) {
    struct Case {
        const char* name;
        void (*change)(slurm::Job& job);
        const char* why;
    };
    constexpr const char* not_ours = "job 7 cannot be resized: Hora did not write its request";
    constexpr const char* not_by_node =
        "job 7 cannot be resized: its GPUs are not requested by the node";
    const Case cases[] = {
        {"no plan is found", [](slurm::Job& job) { job.admin_comment.clear(); }, not_ours},
        {"GPUs of the job", [](slurm::Job& job) { job.tres_per_job = "gres:gpu:2"; }, not_by_node},
        {"GPUs of a task", [](slurm::Job& job) { job.tres_per_task = "gres:gpu:1"; }, not_by_node},
        {"no list", [](slurm::Job& job) { job.shape.tres_per_node = "gres:gpu:x:y:z"; },
         not_by_node},
        {"no GPUs", [](slurm::Job& job) { job.shape.tres_per_node.clear(); },
         "job 7 cannot be resized: its GPUs are not requested by the node, of one type"},
        {"none of the GPUs", [](slurm::Job& job) { job.shape.tres_per_node = "gres:gpu:0"; },
         "job 7 cannot be resized: its GPUs are not requested by the node, of one type"},
        {"two types",
         [](slurm::Job& job) { job.shape.tres_per_node = "gres:gpu:titanx:1,gres:gpu:k80:1"; },
         "job 7 cannot be resized: its GPUs are not requested by the node, of one type"},
        {"more than GPUs",
         [](slurm::Job& job) { job.shape.tres_per_node = "gres:gpu:2,gres:ssd:1"; },
         "job 7 cannot be resized: it asks for more than GPUs by the node"},
    };
    for (const Case& each : cases) {
        slurm::Job job = job_on_n1();
        each.change(job);
        const auto rules = rules_of(job, memory_in);
        ASSERT_FALSE(rules) << each.name;
        EXPECT_EQ(rules.error().message, each.why) << each.name;
    }
}

TEST(ResizeRules, take_the_cpus_of_a_task_as_newer_releases_say_them) {
    const auto change = [](slurm::Job& job) { job.tres_per_task = "cpu=2"; };
    EXPECT_EQ(rules_with(decision_of(), change).cpus_per_task, 2U);
}

TEST(ResizeRules, are_of_requests_that_hora_has_written) {
    for (const char* const mode : {"observe", "advise"}) {
        domain::Decision decision = decision_of();
        decision.operating = mode;
        EXPECT_FALSE(rules_of(job_on_n1(decision), memory_in)) << mode;
    }
    domain::Decision without_plan = decision_of();
    without_plan.has_plan = false;
    EXPECT_FALSE(rules_of(job_on_n1(without_plan), memory_in));
}

TEST(ResizeRules, hold_the_number_of_nodes_to_the_owners_words) {
    struct Case {
        const char* name;
        std::vector<domain::FieldChange> changes;  // the nodes, beside what is open
        std::uint32_t least;
        std::uint32_t most;
    };
    const Case cases[] = {
        {"nothing said",
         {{"min_nodes", "", "2"}, {"max_nodes", "", "2"}},
         1,
         domain::unlimited_nodes},
        {"at least two",
         {{"min_nodes", "2", "3"}, {"max_nodes", "", "3"}},
         2,
         domain::unlimited_nodes},
        {"at most four", {{"min_nodes", "", "1"}, {"max_nodes", "4", "1"}}, 1, 4},
        {"at least what was planned", {{"max_nodes", "4", "3"}}, 3, 4},
        {"at most what was planned", {{"min_nodes", "", "3"}}, 1, 3},
        {"as many as were planned", {}, 3, 3},
        {"the most that there can be",
         {{"min_nodes", "1", "2"}, {"max_nodes", "16777216", "2"}},
         1,
         16777216},
        {"what is no number counts as not said",
         {{"min_nodes", "two", "2"}, {"max_nodes", "-1", "2"}},
         1,
         domain::unlimited_nodes},
        {"nor one that is too large",
         {{"min_nodes", "4294967297", "2"}, {"max_nodes", "18446744073709551617", "2"}},
         1,
         domain::unlimited_nodes},
    };
    for (const Case& each : cases) {
        domain::Decision decision = decision_of({"num_tasks", "ntasks_per_node", "tres_per_node"});
        decision.gpus = 6;
        decision.nodes = 3;
        for (const domain::FieldChange& change : each.changes) {
            decision.changes.push_back(change);
        }
        const ResizeRules rules = rules_with(decision);
        EXPECT_EQ(rules.least_nodes, each.least) << each.name;
        EXPECT_EQ(rules.most_nodes, each.most) << each.name;
    }
}

// To Slurm that is one node.
TEST(ResizeRules, keep_gpus_by_the_node_without_nodes_on_as_many_as_there_were) {
    domain::Decision decision = decision_of({"max_nodes", "num_tasks", "ntasks_per_node"});
    decision.changes.push_back({"min_nodes", "1", "1"});
    EXPECT_EQ(why_fixed(decision), "its owner fixed its nodes and the GPUs of each");
    decision.changes.push_back({"tres_per_node", "", "gres:gpu:2"});
    EXPECT_EQ(why_fixed(decision), "");
    EXPECT_EQ(rules_with(decision).most_nodes, domain::unlimited_nodes);
}

TEST(ResizeRules, keep_the_gpus_of_a_node_where_the_owner_counted_them) {
    const domain::FieldChange up_to_four{"max_nodes", "4", "1"};
    struct Case {
        const char* name;
        std::vector<std::string> open;
        std::uint32_t gpus_per_node;
    };
    const Case cases[] = {
        {"nothing counted", {"min_nodes", "num_tasks", "ntasks_per_node", "tres_per_node"}, 0},
        {"GPUs of a node", {"min_nodes", "num_tasks", "ntasks_per_node"}, 2},
        {"tasks of a node, and so its GPUs", {"min_nodes", "num_tasks", "tres_per_node"}, 2},
    };
    for (const Case& each : cases) {
        domain::Decision decision = decision_of(each.open);
        decision.changes.push_back(up_to_four);
        EXPECT_EQ(rules_with(decision).gpus_per_node, each.gpus_per_node) << each.name;
    }
    domain::Decision whole_nodes = decision_of();
    whole_nodes.options.emplace_back("hora-sizes", "nodes");
    EXPECT_EQ(rules_with(whole_nodes).gpus_per_node, 2U);
}

TEST(ResizeRules, keep_the_type_and_the_tasks_of_a_node) {
    EXPECT_EQ(rules_with(decision_of(),
                         [](slurm::Job& job) { job.shape.tres_per_node = "gres:gpu:titanx:2"; })
                  .gpu_type,
              "titanx");
    domain::Decision several = decision_of({"min_nodes", "num_tasks", "tres_per_node"});
    several.changes.push_back({"max_nodes", "4", "1"});
    const auto tasks = [&](std::uint32_t per_node) {
        return rules_with(several, [&](slurm::Job& job) { job.shape.tasks_per_node = per_node; })
            .tasks_per_node;
    };
    EXPECT_EQ(tasks(2), 0U) << "one a GPU";
    EXPECT_EQ(tasks(4), 4U) << "two a GPU, by the owner's word";
    EXPECT_EQ(rules_with(decision_of(), [](slurm::Job& job) { job.shape.tasks_per_node = 4; })
                  .tasks_per_node,
              0U)
        << "said by nobody";
    EXPECT_EQ(rules_with(decision_of(), [](slurm::Job& job) { job.shape.cpus_per_task = 0; })
                  .cpus_per_task,
              1U)
        << "as Slurm shows an unsaid number";
    domain::Decision balanced = decision_of();
    balanced.mode = domain::Mode::balanced;
    EXPECT_TRUE(rules_with(balanced).is_balanced);
}

// One task a node: --ntasks-per-node=1 or --hora-launch=node.
domain::Decision launcher(std::uint32_t gpus, std::uint32_t nodes) {
    domain::Decision decision = decision_of({"min_nodes", "max_nodes", "tres_per_node"});
    decision.gpus = gpus;
    decision.nodes = nodes;
    decision.changes.push_back({"num_tasks", "", std::to_string(nodes)});
    return decision;
}

TEST(ResizeRules, let_the_cpus_of_a_launcher_follow_its_gpus) {
    domain::Decision decision = launcher(8, 2);
    const ResizeRules said = rules_with(decision);
    EXPECT_EQ(said.tasks_per_node, 1U);
    EXPECT_EQ(said.gpus_of_task, 0U) << "its owner's CPUs stay";
    EXPECT_EQ(said.gpus_per_node, 0U);
    decision.changes.push_back({"cpus_per_task", "", "12"});
    const ResizeRules rules = rules_with(decision);
    EXPECT_EQ(rules.tasks_per_node, 1U);
    EXPECT_EQ(rules.cpus_per_task, 12U);
    EXPECT_EQ(rules.gpus_of_task, 4U);
    EXPECT_EQ(rules.cpus_with(2), 6U);
    decision = launcher(1, 2);  // no plan of ours
    decision.changes.push_back({"cpus_per_task", "", "12"});
    EXPECT_EQ(rules_with(decision).gpus_of_task, 1U);
    decision = launcher(8, 2);
    decision.changes.push_back({"cpus_per_task", "", "many"});
    EXPECT_EQ(rules_with(decision).gpus_of_task, 0U);
}

TEST(ResizeRules, are_no_launchers_where_tasks_are_not_nodes) {
    domain::Decision decision = launcher(8, 2);
    decision.changes.back().after = "8";
    const ResizeRules rules = rules_with(decision);
    EXPECT_EQ(rules.gpus_per_node, 2U);
    EXPECT_EQ(rules.tasks_per_node, 0U);
    domain::Decision on_none = launcher(0, 0);
    EXPECT_EQ(
        rules_with(on_none, [](slurm::Job& job) { job.shape.tasks_per_node = 3; }).tasks_per_node,
        3U);
}

TEST(ResizeRules, give_a_task_its_part_of_the_cpus) {
    struct Case {
        const char* name;
        std::uint32_t cpus;
        std::uint32_t of_gpus;
        std::uint32_t gpus;
        std::uint32_t wanted;
    };
    const Case cases[] = {
        {"any number of GPUs", 3, 0, 100, 3},
        {"as planned", 8, 4, 4, 8},
        {"half of it", 8, 4, 2, 4},
        {"rounded down", 7, 4, 3, 5},
        {"one at least", 1, 4, 1, 1},
        {"one also without GPUs", 8, 4, 0, 1},
        {"no overflow", 65535, 4, 131072, 2147450880},
    };
    for (const Case& each : cases) {
        ResizeRules rules;
        rules.cpus_per_task = each.cpus;
        rules.gpus_of_task = each.of_gpus;
        EXPECT_EQ(rules.cpus_of_task_with(each.gpus), each.wanted) << each.name;
    }
    ResizeRules rules;
    rules.cpus_per_task = 2;
    EXPECT_EQ(rules.tasks_with(4), 4U);
    EXPECT_EQ(rules.cpus_with(4), 8U);
    rules.tasks_per_node = 3;
    EXPECT_EQ(rules.tasks_with(4), 3U);
    EXPECT_EQ(rules.cpus_with(4), 6U);
}

}  // namespace
}  // namespace hora::horad
