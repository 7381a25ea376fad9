#include "plugins/spank/job/step_layout.hpp"

#include <gtest/gtest.h>

namespace hora::spank {
namespace {

Variables third_of_four() {
    return {{"SLURM_PROCID", "2"},
            {"SLURM_STEP_NUM_TASKS", "4"},
            {"SLURM_LOCALID", "0"},
            {"SLURM_NODEID", "1"},
            {"SLURM_STEP_NODELIST", "n[1-3]"},
            {"SLURM_STEP_TASKS_PER_NODE", "2,1(x2)"}};
}

TEST(StepLayout, IsReadFromSlurmsVariables) {
    const StepLayout layout = read_step_layout(Environment(third_of_four())).value();
    EXPECT_EQ(layout.rank, 2U);
    EXPECT_EQ(layout.world, 4U);
    EXPECT_EQ(layout.local_world, 1U);
    EXPECT_EQ(layout.place(), 2U);
    EXPECT_EQ(layout.nodes, (std::vector<std::string>{"n1", "n2", "n3"}));
}

TEST(StepLayout, FailsOnWhatDisagrees) {
    const std::pair<const char*, const char*> changes[] = {{"SLURM_PROCID", "4"},
                                                           {"SLURM_PROCID", "-1"},
                                                           {"SLURM_STEP_NUM_TASKS", "5"},
                                                           {"SLURM_STEP_NUM_TASKS", "0"},
                                                           {"SLURM_LOCALID", "1"},
                                                           {"SLURM_NODEID", "3"},
                                                           {"SLURM_STEP_NODELIST", "n1"},
                                                           {"SLURM_STEP_NODELIST", "n[1"},
                                                           {"SLURM_STEP_TASKS_PER_NODE", "2,1(x"},
                                                           {"SLURM_STEP_TASKS_PER_NODE", ""}};
    for (const auto& [name, value] : changes) {
        Variables variables = third_of_four();
        variables[name] = value;
        EXPECT_FALSE(read_step_layout(Environment(variables))) << name << '=' << value;
        variables.erase(name);
        EXPECT_FALSE(read_step_layout(Environment(variables))) << name;
    }
}

TEST(StepLayout, ReadsTasksPerNode) {
    EXPECT_EQ(read_tasks_per_node("2(x3),1").value(), (std::vector<std::uint32_t>{2, 2, 2, 1}));
    EXPECT_EQ(read_tasks_per_node("8").value(), (std::vector<std::uint32_t>{8}));
    for (const char* text :
         {"", ",", "1,", "1(x0)", "1(x2", "1x2", "1(2)", "a", "1(x1048576),1", "9999999999"}) {
        EXPECT_FALSE(read_tasks_per_node(text)) << text;
    }
}

TEST(StepLayout, GoesByRankWhereTheRanksAreOrdered) {
    // The second task of n1, whose ranks come after n2's.
    const StepLayout by_name{.rank = 2,
                             .world = 3,
                             .local_rank = 1,
                             .local_world = 2,
                             .node = 0,
                             .nodes = {"n1", "n2"},
                             .tasks_per_node = {2, 1}};
    StepLayout layout = by_name;
    order_by_rank(layout, {"n2", "n1"});
    EXPECT_EQ(layout.nodes, (std::vector<std::string>{"n2", "n1"}));
    EXPECT_EQ(layout.tasks_per_node, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(layout.node, 1U);
    EXPECT_EQ(layout.place(), layout.rank);
    EXPECT_TRUE(layout.is_by_rank);
    for (const std::vector<std::string>& strange :
         {std::vector<std::string>{}, {"n2"}, {"n2", "n2"}, {"n2", "n3"}, {"n3", "n2", "n1"}}) {
        layout = by_name;
        order_by_rank(layout, strange);
        EXPECT_EQ(layout.nodes, by_name.nodes);
        EXPECT_EQ(layout.node, by_name.node);
        EXPECT_FALSE(layout.is_by_rank);
    }
}

}  // namespace
}  // namespace hora::spank
