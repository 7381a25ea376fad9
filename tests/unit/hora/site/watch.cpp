#include "scripts/hora/site/watch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace hora::scripts {
namespace {

// Of rounds, which are processes of their own.
class Rounds {
  public:
    Rounds()
        : count_(static_cast<int*>(::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
    Rounds(const Rounds&) = delete;
    Rounds& operator=(const Rounds&) = delete;
    ~Rounds() { ::munmap(count_, sizeof(int)); }

    int begin() { return ++*count_; }
    int count() const { return *count_; }

  private:
    int* count_;
};

TEST(Watch, GoesOnAfterRoundsThatFailOrAreEnded) {
    Rounds rounds;
    const Exit exit = watch(Seconds(0.001), [&] {
        const int round = rounds.begin();
        if (round == 1) {
            ::_exit(1);  // as where slurmctld does not answer
        }
        if (round == 2) {
            ::raise(SIGKILL);
        }
        if (round == 4) {
            ::kill(::getppid(), SIGTERM);
        }
        return Exit::failed;
    });
    EXPECT_EQ(exit, Exit::done);
    EXPECT_EQ(rounds.count(), 4);
}

TEST(Watch, EndsAtEitherSignalAndNoneIsLeftBlocked) {
    for (const int number : {SIGTERM, SIGINT}) {
        // A test in the background of a script has SIGINT ignored.
        const auto before = std::signal(number, SIG_DFL);
        Rounds rounds;
        EXPECT_EQ(watch(Seconds(100),
                        [&] {
                            rounds.begin();
                            ::kill(::getppid(), number);
                            return Exit::done;
                        }),
                  Exit::done);
        EXPECT_EQ(rounds.count(), 1);
        sigset_t blocked;
        ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
        EXPECT_EQ(sigismember(&blocked, number), 0);
        std::signal(number, before);
    }
}

// As a script has it for what it starts in the background.
TEST(Watch, KeepsToASignalThatWasIgnored) {
    const auto before = std::signal(SIGINT, SIG_IGN);
    Rounds rounds;
    watch(Seconds(0.001), [&] {
        ::kill(::getppid(), rounds.begin() == 1 ? SIGINT : SIGTERM);
        return Exit::done;
    });
    std::signal(SIGINT, before);
    EXPECT_EQ(rounds.count(), 2);
}

TEST(Watch, EndsWhereStdoutTakesNoMore) {
    std::fflush(stdout);
    const int own = ::dup(STDOUT_FILENO);
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(full, 0);
    ::dup2(full, STDOUT_FILENO);
    Rounds rounds;
    testing::internal::CaptureStderr();
    const Exit exit = watch(Seconds(100), [&] {
        rounds.begin();
        print_data("a snapshot");
        return Exit::done;
    });
    ::dup2(own, STDOUT_FILENO);
    ::close(own);
    ::close(full);
    EXPECT_EQ(exit, Exit::failed);
    EXPECT_EQ(rounds.count(), 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "hora: cannot write the output: No space left on device\n");
}

}  // namespace
}  // namespace hora::scripts
