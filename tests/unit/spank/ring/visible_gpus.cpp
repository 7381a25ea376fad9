// Are a task's GPUs those that Slurm says, and none where its variables disagree?
#include "plugins/spank/ring/visible_gpus.hpp"

#include <gtest/gtest.h>

namespace hora::spank {
namespace {

using Gpus = std::vector<std::uint32_t>;

struct Case {
    const char* name;
    Variables variables;
    Gpus gpus;
    std::uint32_t of_step;
    std::uint32_t seen;
};

TEST(VisibleGpus, are_read_from_slurms_variables) {
    const Case cases[] = {
        {"no GPUs", {}, {}, 0, 0},
        {"none to be seen", {{"CUDA_VISIBLE_DEVICES", ""}, {"SLURM_STEP_GPUS", "1"}}, {}, 0, 0},
        {"one", {{"CUDA_VISIBLE_DEVICES", "0"}, {"SLURM_STEP_GPUS", "3"}}, {3}, 1, 1},
        {"several",
         {{"CUDA_VISIBLE_DEVICES", "0,1,2"}, {"SLURM_STEP_GPUS", "1,2,3"}},
         {1, 2, 3},
         3,
         3},
        {"a range, which Slurm does not write",
         {{"CUDA_VISIBLE_DEVICES", "0,1,2"}, {"SLURM_STEP_GPUS", "1-3"}},
         {},
         3,
         3},
        {"one of the step's four: which is not known",
         {{"CUDA_VISIBLE_DEVICES", "0"},
          {"SLURM_STEP_GPUS", "0,1,2,3"},
          {"SLURM_GPUS_ON_NODE", "4"}},
         {},
         4,
         1},
        {"AMD's", {{"ROCR_VISIBLE_DEVICES", "0,1"}, {"SLURM_STEP_GPUS", "4,5"}}, {4, 5}, 2, 2},
        {"NVIDIA's come first",
         {{"CUDA_VISIBLE_DEVICES", "0"}, {"ROCR_VISIBLE_DEVICES", "0,1"}, {"SLURM_STEP_GPUS", "4"}},
         {4},
         1,
         1},
        {"no list of Slurm's", {{"CUDA_VISIBLE_DEVICES", "0,1"}}, {}, 2, 2},
        {"a script's variable is another",
         {{"CUDA_VISIBLE_DEVICES", "0"}, {"SLURM_JOB_GPUS", "2"}},
         {},
         1,
         1},
        {"a list that is none",
         {{"CUDA_VISIBLE_DEVICES", "0"}, {"SLURM_STEP_GPUS", "a"}},
         {},
         1,
         1},
        {"a number that is none",
         {{"CUDA_VISIBLE_DEVICES", "0,1"},
          {"SLURM_STEP_GPUS", "0,1"},
          {"SLURM_GPUS_ON_NODE", "-1"}},
         {0, 1},
         2,
         2},
        {"a number beyond all nodes",
         {{"CUDA_VISIBLE_DEVICES", "0"}, {"SLURM_GPUS_ON_NODE", "65536"}},
         {},
         1,
         1},
    };
    for (const Case& each : cases) {
        const VisibleGpus visible = read_visible_gpus(Environment(each.variables), false);
        EXPECT_EQ(visible.gpus, each.gpus) << each.name;
        EXPECT_EQ(visible.of_step, each.of_step) << each.name;
        EXPECT_EQ(visible.seen, each.seen) << each.name;
    }
    const Environment script({{"CUDA_VISIBLE_DEVICES", "0"}, {"SLURM_JOB_GPUS", "2"}});
    EXPECT_EQ(read_visible_gpus(script, true).gpus, Gpus{2});
}

}  // namespace
}  // namespace hora::spank
