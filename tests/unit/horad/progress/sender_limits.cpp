// Does a sender get its share, and no more?
#include "scripts/horad/progress/sender_limits.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

TEST(SenderLimits, ASenderGetsItsShareAndNoMore) {
    using namespace std::chrono_literals;
    SenderLimits limits({.rate = 2, .burst = 3});
    const SenderLimits::Clock::time_point start{};
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(limits.admit("n1", start));
    }
    EXPECT_FALSE(limits.has_room("n1", start));
    EXPECT_FALSE(limits.admit("n1", start));
    EXPECT_TRUE(limits.has_room("n2", start));
    EXPECT_TRUE(limits.admit("n2", start)) << "another host's is its own";
    EXPECT_FALSE(limits.admit("n1", start + 400ms));
    EXPECT_TRUE(limits.admit("n1", start + 900ms));
}

}  // namespace
}  // namespace hora::horad
