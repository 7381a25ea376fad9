#include "plugins/mpi/allreduce/route.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <vector>

#include "tests/unit/any_number.hpp"
#include "tests/unit/mpi/allreduce/any_times.hpp"

namespace hora::mpi {
namespace {

using hora::testing::any_number;

constexpr double measured_sizes[] = {8, 1e3, 1e5, 1e6};

// By definition: each level's messages at once, those of parts once more on the way back.
Seconds time_of(const std::vector<Level>& levels, Bytes size, const MessageTimes& times) {
    Seconds time;
    for (const Level& level : levels) {
        if (!level.is_whole) {
            size = size / level.factor;
        }
        time += (level.is_whole ? 1 : 2) * times.of(size, level.factor - 1);
    }
    return time;
}

void for_each_route(std::uint32_t ranks, std::vector<Level> before, bool is_whole,
                    const std::function<void(const std::vector<Level>&)>& call) {
    if (ranks == 1) {
        call(before);
        return;
    }
    for (std::uint32_t factor = 2; factor <= ranks; ++factor) {
        if (ranks % factor == 0) {
            before.push_back({factor, true});
            for_each_route(ranks / factor, before, true, call);
            before.back().is_whole = false;
            if (!is_whole) {
                for_each_route(ranks / factor, before, false, call);
            }
            before.pop_back();
        }
    }
}

// On a network of 20 us and 1 GB/s, on which eight ranks exchange two by two in fewer messages.
TEST(Route, IsTheRingByPreferenceWhereChunksAreLong) {
    const MessageTimes times({{Bytes(0), Seconds(20e-6), Seconds(20e-6)},
                              {Bytes(1e6), Seconds(1020e-6), Seconds(1020e-6)}});
    constexpr std::uint32_t ranks = 8;
    const Bytes is_long(16 * 20e3 * ranks);
    EXPECT_FALSE(choose_route(is_long * 1.01, ranks, times).is_ring());
    EXPECT_TRUE(choose_route(is_long * 1.01, ranks, times, Preference::ring).is_ring());
    EXPECT_FALSE(choose_route(is_long * 0.99, ranks, times, Preference::ring).is_ring());
}

RC_GTEST_PROP(Route, TakesTheLeastTimeOfAllDivisions, ()) {
    const auto ranks = any_number<std::uint32_t>(2, 65);
    const Bytes size(any_number(1, 2000000));
    const MessageTimes times = any_times(measured_sizes);
    const Route route = choose_route(size, ranks, times);
    Seconds least(1e30);
    for_each_route(ranks, {}, false, [&](const std::vector<Level>& levels) {
        least = std::min(least, time_of(levels, size, times));
    });
    if (!route.is_ring()) {
        const Seconds chosen = time_of(route.levels, size, times);
        RC_ASSERT(chosen <= least * (1 + 1e-9));
        std::uint32_t product = 1;
        for (const Level& level : route.levels) {
            product *= level.factor;
        }
        RC_ASSERT(product == ranks);
    }
}

MessageTimes times_of(Seconds latency, Bandwidth bandwidth) {
    const Seconds sending = Bytes(1e6) / bandwidth;
    return MessageTimes(
        {{Bytes(0), latency, Seconds(0)}, {Bytes(1e6), latency + sending, sending}});
}

TEST(Route, FollowsTheLengthOfTheVector) {
    struct Case {
        const char* sentence;
        std::uint32_t ranks;
        Bytes size;
        MessageTimes times;
        Route route;
    };
    const MessageTimes fast = times_of(Seconds(2e-6), Bandwidth(12.5e9));
    const MessageTimes slow = times_of(Seconds(100e-6), Bandwidth(125e6));
    const Case cases[] = {
        {"one rank goes nowhere", 1, Bytes(1e6), fast, {}},
        {"a number goes to all at once", 8, Bytes(8), slow, {{{8, true}}}},
        {"more goes to its owners, and back", 8, Bytes(1e6), slow, {{{8, false}}}},
        {"a prime number of ranks cannot be divided", 7, Bytes(8), slow, {{{7, true}}}},
        {"two exchange all they have", 2, Bytes(1e4), fast, {{{2, true}}}},
        {"a long vector goes around the ring", 4, Bytes(1e9), fast, {}},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(choose_route(each.size, each.ranks, each.times), each.route) << each.sentence;
    }
}

TEST(MessageTimes, LieOnLinesBetweenThePoints) {
    const MessageTimes times({{Bytes(10), Seconds(1), Seconds(0)},
                              {Bytes(20), Seconds(2), Seconds(1)},
                              {Bytes(30), Seconds(3), Seconds(1)}});
    EXPECT_DOUBLE_EQ(times.of(Bytes(15)).count(), 1.5);
    EXPECT_DOUBLE_EQ(times.of(Bytes(15), 3).count(), 2.5);
    EXPECT_DOUBLE_EQ(times.of(Bytes(5)).count(), 0.5);
    EXPECT_DOUBLE_EQ(times.of(Bytes(40)).count(), 4);
}

// On a busy machine some are measured as too slow.
TEST(MessageTimes, AreAtMostThoseOfLongerMessages) {
    const MessageTimes times({{Bytes(10), Seconds(3), Seconds(2)},
                              {Bytes(20), Seconds(2), Seconds(1)},
                              {Bytes(30), Seconds(9), Seconds(9)},
                              {Bytes(40), Seconds(4), Seconds(3)}});
    EXPECT_DOUBLE_EQ(times.latency().count(), 2);
    EXPECT_DOUBLE_EQ(times.of(Bytes(30)).count(), 3) << "it lies between those of 20 and 40";
    EXPECT_DOUBLE_EQ(times.of(Bytes(30), 2).count(), 5);
    EXPECT_DOUBLE_EQ(times.of(Bytes(60)).count(), 6);
    EXPECT_DOUBLE_EQ(times.bandwidth().count(), 10);
}

TEST(Route, CutsChunksIntoMessages) {
    EXPECT_EQ(slices_of_chunk(Bytes(100), Bytes(100)), 1U);
    EXPECT_EQ(slices_of_chunk(Bytes(101), Bytes(100)), 2U);
    EXPECT_EQ(slices_of_chunk(Bytes(151), Bytes(100)), 3U) << "two thirds of it are too long";
    EXPECT_EQ(message_size(times_of(Seconds(1e-6), Bandwidth(1e9)), Bytes(1e9)), Bytes(262144));
    EXPECT_EQ(message_size(times_of(Seconds(1e-4), Bandwidth(1e10)), Bytes(1e5)), Bytes(1e5));
}

}  // namespace
}  // namespace hora::mpi
