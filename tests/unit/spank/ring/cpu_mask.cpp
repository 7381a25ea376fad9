#include "plugins/spank/ring/cpu_mask.hpp"

#include <gtest/gtest.h>

namespace hora::spank {
namespace {

TEST(CpuMask, IsReadFromSlurmsList) {
    EXPECT_EQ(read_masks("0x1,0x0A,0x100000000"), (std::vector<Cpus>{{0}, {1, 3}, {32}}));
    for (const char* const wrong : {"", "0x", "0x0", "1", "0x1,", "0x1,g", "0xfg", "none"}) {
        EXPECT_EQ(read_masks(wrong), std::vector<Cpus>()) << wrong;
    }
    EXPECT_TRUE(read_masks("0x" + std::string(5000, 'f')).empty());
}

TEST(CpuMask, FollowsTheGpu) {
    const Cpus left{0, 1, 2, 3};
    const Cpus right{4, 5, 6, 7};
    const Cpus all{0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<Cpus> near{left, left, right, right};
    const std::vector<Cpus> dealt{{0}, {4}, {1}, {5}};  // as Slurm deals: one on each socket
    const struct {
        const char* sentence;
        TaskCpus task;
        Cpus expected;
    } cases[] = {
        {"a task that sits right stays", {0, {0}, dealt, near}, {0}},
        {"two that sit wrong trade", {1, {4}, dealt, near}, {1}},
        {"and so does the other", {2, {1}, dealt, near}, {4}},
        {"unbound, the near part of all CPUs", {2, all, {}, near}, right},
        {"one mask for all tasks", {1, all, {all}, near}, left},
        {"Slurm's list does not hold for a task that is bound otherwise",
         {1, {5}, dealt, near},
         {5}},
        {"nobody to trade with", {0, {4}, {{4}, {5}}, {left, left}}, {4}},
        {"near CPUs are not known", {0, all, {}, {{}}}, all},
        {"a task that nothing is known of", {0, all, {}, {}}, all},
        {"but not to fewer CPUs than the task asked for",
         {0, {2, 3, 4, 5}, {}, {left}, 4},
         {2, 3, 4, 5}},
        {"nor are more of them left out than it can spare", {0, all, {}, {left}, 4}, left},
        {"a mask over both sockets is narrowed", {0, {3, 4}, {{3, 4}}, {left}}, {3}},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(choose_cpus(c.task), c.expected) << c.sentence;
    }
}

TEST(CpuMask, TasksThatTradeTakeEachCpuOnce) {
    const std::vector<Cpus> bound{{4}, {0}, {5}, {1}};
    const std::vector<Cpus> near{{0, 1}, {4, 5}, {0, 1}, {4, 5}};
    Cpus taken;
    for (std::size_t task = 0; task < bound.size(); ++task) {
        const Cpus chosen = choose_cpus({task, bound[task], bound, near});
        taken.insert(taken.end(), chosen.begin(), chosen.end());
    }
    EXPECT_EQ(taken, (Cpus{0, 4, 1, 5}));
}

}  // namespace
}  // namespace hora::spank
