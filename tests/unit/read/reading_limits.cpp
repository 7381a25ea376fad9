// Is a process that reads a user's file bounded, and no limit of its user's raised?
#include "libplanner/read/reading_limits.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace hora::read {
namespace {

rlimit limit_of(decltype(RLIMIT_CPU) resource) {
    rlimit limit{};
    getrlimit(resource, &limit);
    return limit;
}

void set(decltype(RLIMIT_CPU) resource, rlim_t soft, rlim_t hard) {
    const rlimit limit{soft, hard};
    setrlimit(resource, &limit);
}

bool is(decltype(RLIMIT_CPU) resource, rlim_t wanted) {
    const rlimit limit = limit_of(resource);
    return limit.rlim_cur == wanted && limit.rlim_max == wanted;
}

// In a process of its own, which the limits do not outlive.
bool holds(const std::function<bool()>& statement) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(statement() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ReadingLimits, AreSetForGood) {
    EXPECT_TRUE(holds([] {
        limit_reading(7);
        return is(RLIMIT_CPU, 7) && is(RLIMIT_CORE, 0);
    })) << "the hard limit too: nothing that the file leads to may raise it";
    EXPECT_TRUE(holds([] {
        limit_reading(7);
        const rlimit limit = limit_of(RLIMIT_AS);
        return limit.rlim_cur == limit.rlim_max && limit.rlim_cur > most_memory &&
               limit.rlim_cur != RLIM_INFINITY;
    })) << "what is there already does not count";
}

TEST(ReadingLimits, OfTheUsersOwnStayIfTheyAreLower) {
    EXPECT_TRUE(holds([] {
        set(RLIMIT_CPU, 5, 5);
        limit_reading(7);
        return is(RLIMIT_CPU, 5);
    }));
    EXPECT_TRUE(holds([] {
        set(RLIMIT_CPU, 3, 5);
        limit_reading(7);
        return is(RLIMIT_CPU, 3);
    })) << "the soft one, which is the one that holds";
    EXPECT_TRUE(holds([] {
        set(RLIMIT_CPU, 9, 11);
        limit_reading(7);
        return is(RLIMIT_CPU, 7);
    }));
}

}  // namespace
}  // namespace hora::read
