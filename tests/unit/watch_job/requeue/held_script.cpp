#include "scripts/watch-job/requeue/held_script.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "tests/unit/watch_job/shell.hpp"

namespace hora::watch {
namespace {

using std::chrono::hours;
using Clock = HeldScript::Clock;

const JobMark mark{"nowhere", 0, 0};

bool is_killed(const Shell& shell) {
    int status = 0;
    return waitpid(shell.pid(), &status, 0) == shell.pid() && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGKILL;
}

TEST(HeldScript, IsEndedWhereItsJobIsRequeued) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    HeldScript held(mark, shell.pid());
    const auto answer = held.ask([] { return slurm::Answered(); }, Clock::now() + hours(1));
    EXPECT_EQ(answer.reply, slurm::Reply::done);
    EXPECT_TRUE(is_killed(shell));
}

TEST(HeldScript, GoesOnWhereTheCallThrows) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    {
        HeldScript held(mark, shell.pid());
        const auto answer = held.ask(
            [&]() -> slurm::Answered {
                wait_for_stop(shell.pid());
                throw std::runtime_error("a bug");
            },
            Clock::now() + hours(1));
        EXPECT_EQ(answer.reply, slurm::Reply::unreachable);
        EXPECT_EQ(answer.why, "a bug");
    }
    EXPECT_TRUE(is_continued(shell.pid()));
}

TEST(HeldScript, GoesOnWhereSomethingElseThrows) {
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    const auto throws = [&] {
        const HeldScript held(mark, shell.pid());
        wait_for_stop(shell.pid());
        throw std::runtime_error("a bug");
    };
    EXPECT_THROW(throws(), std::runtime_error);
    EXPECT_TRUE(is_continued(shell.pid()));
}

// What a late answer throws away is the hold, and not the end of the script.
TEST(HeldScript, GoesOnFromTheDeadlineAndIsStoppedForTheAnswer) {
    for (const bool is_thrown : {false, true}) {
        const Shell shell("sleep 100; true");
        shell.wait_for_sleep(2);
        HeldScript held(mark, shell.pid());
        wait_for_stop(shell.pid());
        held.ask(
            [&]() -> slurm::Answered {
                EXPECT_TRUE(is_continued(shell.pid()));
                if (is_thrown) {
                    throw std::runtime_error("a bug");
                }
                return {slurm::Reply::unreachable, "late"};
            },
            Clock::now());
        held.end();
        EXPECT_TRUE(is_killed(shell));
    }
}

// As a user who has as many processes as may be.
void ask_without_threads() {
    if (geteuid() == 0 && setuid(65534) != 0) {
        std::exit(1);
    }
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_NPROC, &none);
    slurm::Reply reply = slurm::Reply::done;
    {
        HeldScript held(mark, shell.pid());
        wait_for_stop(shell.pid());
        reply = held.ask([] { return slurm::Answered(); }, Clock::now() + hours(1)).reply;
    }
    const bool goes_on = is_continued(shell.pid());
    for (const Process& process : script_of(all_processes(), shell.pid())) {
        kill(process.pid, SIGKILL);
    }
    _exit(goes_on && reply == slurm::Reply::unreachable ? 0 : 1);
}

TEST(HeldScript, GoesOnWhereNoThreadCanBeStarted) {
    EXPECT_EXIT(ask_without_threads(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace hora::watch
