// Is it known in time what came of a call that may hang?
#include "scripts/horad/observe/bounded_call.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

namespace hora::horad {
namespace {

TEST(BoundedCall, SaysWhatCameOfItInTime) {
    constexpr std::chrono::milliseconds long_enough{10'000};
    EXPECT_TRUE(succeeds_within(long_enough, [] { return true; }));
    EXPECT_FALSE(succeeds_within(long_enough, [] { return false; }));
    EXPECT_FALSE(succeeds_within(long_enough, []() -> bool { std::abort(); }));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(succeeds_within(std::chrono::milliseconds(50), [] {
        ::pause();
        return true;
    }));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, long_enough);
}

}  // namespace
}  // namespace hora::horad
