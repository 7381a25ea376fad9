#include "plugins/spank/process/left_processes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::spank {
namespace {

struct Case {
    const char* sentence;
    std::string cgroup;
    std::string container;
    bool is_in_step;
};

TEST(LeftProcesses, AStepIsKnownByTheFolderThatTracksIt) {
    const Case cases[] = {
        {"slurmstepd with version 1",
         "6:freezer:/slurm_n1/uid_0/job_7\n5:devices:/slurm_n1/uid_0/job_7/step_0\n0::/\n",
         "/slurm_n1/uid_0/job_7", false},
        {"a program with version 1", "6:freezer:/slurm_n1/uid_0/job_7/step_0\n5:devices:/\n0::/\n",
         "/slurm_n1/uid_0/job_7", true},
        {"slurmstepd with version 2", "0::/system.slice/slurmstepd.scope/job_7/step_0/slurm\n",
         "/system.slice/slurmstepd.scope/job_7", false},
        {"a program with version 2", "0::/s.scope/job_7/step_0/user/task_0", "/s.scope/job_7",
         true},
        {"another step", "0::/s.scope/job_7/step_01/user/task_0", "/s.scope/job_7", false},
        {"constrained, but not tracked", "5:devices:/slurm/uid_0/job_7/step_0\n0::/\n", "", false},
        {"another job", "0::/s.scope/job_77/step_0/user\n", "", false},
        {"outside Slurm", "0::/user.slice\n", "", false},
        {"without cgroups", "", "", false},
    };
    for (const Case& one : cases) {
        const std::string container = job_container(one.cgroup, 7);
        EXPECT_EQ(container, one.container) << one.sentence;
        EXPECT_EQ(!container.empty() && is_in_step(one.cgroup, container, "step_0"), one.is_in_step)
            << one.sentence;
    }
}

TEST(LeftProcesses, AStepOfAnotherClusterIsAnother) {
    EXPECT_FALSE(is_in_step("0::/other/job_7/step_0\n", "/job_7", "step_0"));
    EXPECT_FALSE(is_in_step("0::/other/slurm/job_7/step_0\n", "/slurm/job_7", "step_0"));
}

}  // namespace
}  // namespace hora::spank
