// Does a script go on whose watcher is killed while it holds it?
#include "scripts/watch-job/requeue/stop_guard.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include "plugins/spank/process/process_descriptor.hpp"
#include "scripts/watch-job/requeue/frozen.hpp"
#include "tests/unit/watch_job/shell.hpp"

namespace hora::watch {
namespace {

std::vector<Process> children_of(pid_t process) {
    std::vector<Process> children = all_processes();
    std::erase_if(children, [&](const Process& one) { return one.parent != process; });
    return children;
}

// After so many forks, each by the child of the one before, the last child gets a signal.
int forks_until_signal = 0;

void signal_child() {
    if (forks_until_signal > 0 && --forks_until_signal == 0) {
        kill(getpid(), SIGTERM);
    }
}

bool is_stopped_now(pid_t guard) {
    return spank::read_process_text(guard, "stat", 200).find(") T ") != std::string::npos;
}

// Stopped once it has begun, so that it reads nothing.
pid_t stop_guard_of(pid_t process) {
    std::vector<Process> guards;
    EXPECT_TRUE(comes_true([&] {
        guards = children_of(process);
        std::erase_if(guards, [](const Process& one) { return one.session != one.pid; });
        return guards.size() == 1;
    }));
    const pid_t guard = guards.front().pid;
    kill(guard, SIGSTOP);
    EXPECT_TRUE(comes_true([&] { return is_stopped_now(guard); }));
    return guard;
}

// A process that holds the shell until it is killed.
pid_t start_watcher(pid_t shell) {
    const pid_t watcher = fork();
    if (watcher == 0) {
        const Frozen frozen(shell);
        while (true) {
            pause();
        }
    }
    return watcher;
}

TEST(StopGuard, LetsAScriptGoOnWhoseWatcherIsKilled) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    const auto script = script_of(all_processes(), shell.pid());
    const pid_t watcher = start_watcher(shell.pid());
    wait_for_stop(shell.pid());
    const auto is_still = [](const Process& process) { return is_stopped_now(process.pid); };
    ASSERT_TRUE(comes_true([&] { return std::all_of(script.begin(), script.end(), is_still); }));
    kill(watcher, SIGKILL);
    waitpid(watcher, nullptr, 0);
    EXPECT_TRUE(is_continued(shell.pid()));
    EXPECT_TRUE(comes_true([&] { return std::none_of(script.begin(), script.end(), is_still); }));
}

// Slurm sends a job's signals to all of its processes, and a user may signal a whole group.
TEST(StopGuard, IsNotEndedBySignalsThatProgramsGet) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    const pid_t watcher = start_watcher(shell.pid());
    wait_for_stop(shell.pid());
    std::vector<Process> guards;
    ASSERT_TRUE(comes_true([&] {
        guards = children_of(watcher);
        return guards.size() == 1 && guards.front().session == guards.front().pid;
    }));
    const slurm::Descriptor guard = spank::open_process(guards.front().pid);
    for (const int signal : {SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGHUP, SIGXCPU}) {
        EXPECT_TRUE(spank::signal_process(guard, signal));
    }
    EXPECT_TRUE(find_process(guards.front().pid));
    kill(watcher, SIGKILL);
    waitpid(watcher, nullptr, 0);
    EXPECT_TRUE(is_continued(shell.pid()));
    EXPECT_TRUE(comes_true([&] { return !spank::signal_process(guard, 0); })) << "it has ended";
}

TEST(StopGuard, IsGoneOnceItIsDecided) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    {
        Frozen frozen(shell.pid());
        EXPECT_EQ(children_of(getpid()).size(), 2U);
        wait_for_stop(shell.pid());
        frozen.let_go();
        EXPECT_EQ(children_of(getpid()).size(), 1U) << "the shell alone";
        EXPECT_TRUE(is_continued(shell.pid()));
    }
    Frozen(shell.pid()).end({"nowhere", 0, 0});
    int status = 0;
    EXPECT_EQ(waitpid(shell.pid(), &status, 0), shell.pid());
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_TRUE(children_of(getpid()).empty());
}

// As one for the group of the program does that it guards.
TEST(StopGuard, IsNotEndedByASignalThatComesWhileItBegins) {
    ASSERT_EQ(pthread_atfork(nullptr, nullptr, signal_child), 0);
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    forks_until_signal = 2;
    const pid_t watcher = start_watcher(shell.pid());
    forks_until_signal = 0;
    wait_for_stop(shell.pid());
    kill(watcher, SIGKILL);
    waitpid(watcher, nullptr, 0);
    EXPECT_TRUE(is_continued(shell.pid()));
}

TEST(StopGuard, LeavesTheSignalsOfItsProgramAsTheyAre) {
    const auto blocked = [] {
        sigset_t signals;
        pthread_sigmask(SIG_SETMASK, nullptr, &signals);
        return sigismember(&signals, SIGTERM) == 1;
    };
    ASSERT_FALSE(blocked());
    const StopGuard guard;
    EXPECT_FALSE(blocked());
}

TEST(StopGuard, WaitsWhereItHasReadTooLittle) {
    constexpr int more_than_fit = 100'000;
    const slurm::Descriptor process = spank::open_process(getpid());
    int fit = 0;
    {
        StopGuard hasty(std::chrono::milliseconds(1));
        const pid_t guard = stop_guard_of(getpid());
        while (fit < more_than_fit && hasty.watch(process)) {
            ++fit;
        }
        ASSERT_LT(fit, more_than_fit);
        EXPECT_FALSE(hasty.watch(process));
        kill(guard, SIGCONT);
        EXPECT_TRUE(comes_true([&] { return hasty.watch(process); })) << "it reads again";
    }
    StopGuard patient(std::chrono::minutes(1));
    const pid_t guard = stop_guard_of(getpid());
    for (int i = 0; i < fit; ++i) {
        ASSERT_TRUE(patient.watch(process));
    }
    kill(guard, SIGCONT);
    EXPECT_TRUE(patient.watch(process));
    patient.dismiss();
    EXPECT_FALSE(patient.watch(process)) << "there is none";
}

// What it was given goes on at its watcher's end, and not before.
TEST(StopGuard, SignalsNothingWhereItIsDismissed) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    const slurm::Descriptor process = spank::open_process(shell.pid());
    {
        StopGuard guard;
        guard.watch(process);
        ASSERT_TRUE(spank::signal_process(process, SIGSTOP));
        wait_for_stop(shell.pid());
        guard.dismiss();
        guard.watch(process);
    }
    int status = 0;
    EXPECT_EQ(waitpid(shell.pid(), &status, WCONTINUED | WNOHANG), 0);
}

}  // namespace
}  // namespace hora::watch
