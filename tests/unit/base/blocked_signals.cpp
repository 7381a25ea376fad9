#include "libplanner/base/blocked_signals.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace hora {
namespace {

bool is_blocked(int signal) {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    return sigismember(&mask, signal) == 1;
}

TEST(BlockedSignals, AreThoseOfOthersInThreadsToo) {
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGCHLD, SIGALRM}) {
        const bool was_blocked = is_blocked(signal);
        bool is_in_thread = false;
        {
            const BlockedSignals blocked;
            EXPECT_TRUE(is_blocked(signal)) << signal;
            std::thread([&] { is_in_thread = is_blocked(signal); }).join();
        }
        EXPECT_TRUE(is_in_thread) << signal;
        EXPECT_EQ(is_blocked(signal), was_blocked) << signal;
    }
}

// Where a program handles them, as one that follows which memory is written.
TEST(BlockedSignals, AreNoneThatAThreadCausesItself) {
    const BlockedSignals blocked;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) {
        EXPECT_FALSE(is_blocked(signal)) << signal;
    }
}

}  // namespace
}  // namespace hora
