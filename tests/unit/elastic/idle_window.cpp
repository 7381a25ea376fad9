// Does it count the GPUs that have idled for all of a while, and none that have not?
#include "libplanner/elastic/idle_window.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace hora::elastic {
namespace {

struct Seen {
    double now;
    std::uint32_t idle;
};

std::uint32_t least_of(const std::vector<Seen>& all, double length) {
    IdleWindow window;
    std::uint32_t least = 0;
    for (const Seen& each : all) {
        window.see(Seconds(each.now), each.idle);
        least = window.least(Seconds(length));
    }
    return least;
}

TEST(IdleWindow, CountsWhatIdledForTwoMinutes) {
    struct Case {
        const char* name;
        std::vector<Seen> seen;
        std::uint32_t least;
    };
    const Case cases[] = {
        {"the first look says nothing of before", {{1000, 8}}, 0},
        {"not yet for so long", {{1000, 8}, {1119, 8}}, 0},
        {"just so long", {{1000, 8}, {1120, 8}}, 8},
        {"more came a moment ago", {{1000, 8}, {1120, 12}}, 8},
        {"they were in use amid it", {{1000, 8}, {1050, 0}, {1060, 8}, {1130, 8}}, 0},
        {"they were in use before it", {{1000, 0}, {1010, 8}, {1130, 8}}, 8},
        {"until just before it", {{1000, 0}, {1010, 8}, {1129, 8}}, 0},
        {"fewer from now on", {{1000, 8}, {1200, 3}}, 3},
        {"up and down", {{1000, 5}, {1010, 2}, {1012, 7}, {1130, 4}, {1135, 6}}, 4},
        {"a clock that was set back", {{1000, 8}, {1200, 8}, {900, 8}}, 0},
        {"and goes on", {{1000, 8}, {1200, 8}, {900, 8}, {1020, 8}}, 8},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(least_of(each.seen, 120), each.least);
    }
}

RC_GTEST_PROP(IdleWindow, IsTheLeastOfAllMoments, ()) {
    const double length = *rc::gen::inRange(0, 50);
    std::vector<Seen> seen;
    double now = 0;
    const auto count = *rc::gen::inRange(1, 40);
    IdleWindow window;
    for (int i = 0; i < count; ++i) {
        now += *rc::gen::inRange(0, 20);
        seen.push_back({now, *rc::gen::inRange<std::uint32_t>(0, 6)});
        window.see(Seconds(now), seen.back().idle);
        std::uint32_t least = now - seen.front().now < length ? 0 : seen.back().idle;
        for (std::size_t k = 0; k + 1 < seen.size(); ++k) {
            if (seen[k + 1].now > now - length) {
                least = std::min(least, seen[k].idle);
            }
        }
        RC_ASSERT(window.least(Seconds(length)) == least);
        const auto gpus = *rc::gen::inRange<std::uint32_t>(0, 7);
        double since = seen.front().now;
        for (std::size_t k = 0; k < seen.size(); ++k) {
            if (seen[k].idle < gpus) {
                since = k + 1 < seen.size() ? seen[k + 1].now : now;
            }
        }
        RC_ASSERT(window.lasted(gpus) == Seconds(now - since));
    }
}

TEST(IdleWindow, KnowsSinceWhenSoManyIdle) {
    IdleWindow window;
    EXPECT_EQ(window.lasted(0), Seconds(0));
    window.see(Seconds(1000), 2);
    window.see(Seconds(1010), 6);
    window.see(Seconds(1040), 4);
    window.see(Seconds(1100), 4);
    EXPECT_EQ(window.lasted(0), Seconds(100)) << "as far as it is known";
    EXPECT_EQ(window.lasted(2), Seconds(100));
    EXPECT_EQ(window.lasted(3), Seconds(90));
    EXPECT_EQ(window.lasted(4), Seconds(90));
    EXPECT_EQ(window.lasted(5), Seconds(0));
}

}  // namespace
}  // namespace hora::elastic
