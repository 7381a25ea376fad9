#include "scripts/watch-job/requeue/frozen.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <new>
#include <string>
#include <vector>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/watch_job/shell.hpp"

namespace hora::watch {
namespace {

TEST(Frozen, StopsAllOfAScriptAndEndsIt) {
    const tests::ScratchFolder folder;
    const Shell shell("(sleep 100; touch " + folder.path() + "/tail); touch " + folder.path() +
                      "/tail");
    shell.wait_for_sleep(3);
    Frozen frozen(shell.pid());
    EXPECT_EQ(frozen.size(), 3U);
    frozen.end({"nowhere", 0, 0});
    int status = 0;
    EXPECT_EQ(waitpid(shell.pid(), &status, 0), shell.pid());
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_FALSE(std::filesystem::exists(folder.path() + "/tail"));
}

// A rank of the job is none of the script's processes: it lives below slurmstepd.
pid_t start_rank(const char* cluster, const char* step, const char* restarts = "2") {
    const pid_t rank = fork();
    if (rank == 0) {
        setenv("SLURM_CLUSTER_NAME", cluster, 1);
        setenv("SLURM_JOB_ID", "4711", 1);
        setenv("SLURM_STEP_ID", "0", 1);
        setenv("SLURM_RESTART_COUNT", restarts, 1);
        if (std::string(step).empty()) {
            unsetenv("SLURM_STEP_ID");
        }
        execl("/bin/sleep", "sleep", "100", nullptr);
        _exit(127);
    }
    EXPECT_TRUE(comes_true([rank] {
        const auto process = find_process(rank);
        return process && process->name == "sleep";
    }));
    return rank;
}

TEST(Frozen, EndsTheRanksOfThisJobAndNoOthers) {
    const pid_t rank = start_rank("blue", "0");
    const pid_t of_other_cluster = start_rank("red", "0");
    const pid_t of_no_step = start_rank("blue", "");
    const pid_t of_other_start = start_rank("blue", "0", "3");
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    Frozen(shell.pid()).end({"blue", 4711, 2});
    int status = 0;
    EXPECT_EQ(waitpid(rank, &status, 0), rank);
    EXPECT_TRUE(WIFSIGNALED(status));
    for (const pid_t other : {of_other_cluster, of_no_step, of_other_start}) {
        EXPECT_EQ(waitpid(other, &status, WNOHANG), 0);
        kill(other, SIGKILL);
        waitpid(other, &status, 0);
    }
}

// In the middle of its exec a process has no variables, as the one that waits here until it is
// looked at again.
TEST(Frozen, EndsARankThatHasNoVariablesYetAsItFirstLooks) {
    int ends[2] = {};
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const auto job = static_cast<std::uint32_t>(getpid());
    std::string script = "read line; export SLURM_CLUSTER_NAME=blue SLURM_STEP_ID=0 SLURM_JOB_ID=" +
                         std::to_string(job) + "; exec sleep 100";
    const pid_t rank = fork();
    if (rank == 0) {
        dup2(ends[0], STDIN_FILENO);
        std::string name = "sh";
        std::string option = "-c";
        char* const words[] = {name.data(), option.data(), script.data(), nullptr};
        char* const none[] = {nullptr};
        execve("/bin/sh", words, none);
        _exit(127);
    }
    const auto has_name = [rank](const char* name) {
        return comes_true([&] {
            const auto process = find_process(rank);
            return process && process->name == name;
        });
    };
    EXPECT_TRUE(has_name("sh"));
    int lists = 0;
    end_ranks({"blue", job, 0}, [&] {
        if (++lists == 2) {
            close(ends[1]);
            EXPECT_TRUE(has_name("sleep"));
        }
        return all_processes();
    });
    EXPECT_EQ(lists, 2);
    kill(rank, SIGTERM);
    int status = 0;
    EXPECT_EQ(waitpid(rank, &status, 0), rank);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    close(ends[0]);
}

TEST(Frozen, LetsItGoOn) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    {
        Frozen frozen(shell.pid());
        wait_for_stop(shell.pid());
        frozen.let_go();
        EXPECT_TRUE(is_continued(shell.pid()));
    }
    EXPECT_EQ(shell.size(), 2U);
}

TEST(Frozen, LetsGoOnWhatNobodyDecided) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    {
        const Frozen frozen(shell.pid());
        // A stop that has not taken place yet is taken back without a word.
        wait_for_stop(shell.pid());
    }
    EXPECT_TRUE(is_continued(shell.pid()));
}

TEST(Frozen, LetsGoOnWhatItHasStoppedWhereItThrows) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    int lists = 0;
    const auto list = [&]() -> std::vector<Process> {
        if (++lists == 1) {
            return all_processes();
        }
        wait_for_stop(shell.pid());
        throw std::bad_alloc();
    };
    EXPECT_THROW(Frozen(shell.pid(), list), std::bad_alloc);
    EXPECT_TRUE(is_continued(shell.pid()));
}

TEST(Frozen, HoldsNothingWhereThereIsNoScript) {
    const pid_t gone = fork();
    if (gone == 0) {
        _exit(0);
    }
    waitpid(gone, nullptr, 0);
    EXPECT_EQ(Frozen(gone).size(), 0U);
}

// Whoever starts processes all the time is caught too.
TEST(Frozen, CatchesAShellThatForks) {
    const Shell shell("while true; do (true); done");
    for (int round = 0; round < 20; ++round) {
        Frozen frozen(shell.pid());
        EXPECT_GE(frozen.size(), 1U);
        wait_for_stop(shell.pid());
        const std::size_t held = shell.size();
        tests::pause_a_little();
        EXPECT_EQ(shell.size(), held) << "something still starts processes";
    }
}

}  // namespace
}  // namespace hora::watch
