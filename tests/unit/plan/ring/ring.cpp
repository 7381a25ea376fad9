#include "libplanner/plan/ring/ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>

#include "tests/unit/any_number.hpp"

namespace hora::plan {
namespace {

using Order = std::vector<std::uint32_t>;
using Table = std::vector<Bandwidth>;

using hora::testing::any_number;

// GPUs on one bridge reach each other at the speed of the smallest group that holds both.
Table grouped(const std::vector<std::vector<std::uint32_t>>& levels,
              const std::vector<double>& speeds) {
    const std::size_t count = levels[0].size();
    Table between(count * count, Bandwidth(speeds.back()));
    for (std::size_t level = levels.size(); level-- > 0;) {
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = 0; b < count; ++b) {
                if (levels[level][a] == levels[level][b]) {
                    between[a * count + b] = Bandwidth(speeds[level]);
                }
            }
        }
    }
    return between;
}

struct Case {
    const char* sentence;
    Table between;
    std::size_t count;
    Order ring;
    double ring_bottleneck;
    Order chain;
    double chain_bottleneck;
};

Table table(std::vector<double> rows) {
    return Table(rows.begin(), rows.end());
}

const Case cases[] = {
    {"no GPU needs no ring", {}, 0, {}, 0, {}, 0},
    {"a single GPU needs no link", table({7}), 1, {0}, 0, {0}, 0},
    {"two GPUs have one link, both ways", table({0, 5, 5, 0}), 2, {0, 1}, 5, {0, 1}, 5},
    {"of two directions the slower one counts", table({0, 5, 3, 0}), 2, {0, 1}, 3, {0, 1}, 3},
    {"three GPUs have one ring, and a chain leaves out the slowest link",
     table({0, 1, 9, 1, 0, 9, 9, 9, 0}),
     3,
     {0, 1, 2},
     1,
     {0, 2, 1},
     9},
    {"P4's box: pairs on a switch stay together",
     grouped({{0, 0, 1, 1}}, {12, 6}),
     4,
     {0, 1, 2, 3},
     6,
     {0, 1, 2, 3},
     6},
    {"pairs that are numbered across are found",
     grouped({{0, 1, 0, 1}}, {12, 6}),
     4,
     {0, 1, 3, 2},
     6,
     {0, 2, 1, 3},
     6},
    {"eight GPUs on four switches of two sockets",
     grouped({{0, 0, 1, 1, 2, 2, 3, 3}, {0, 0, 0, 0, 1, 1, 1, 1}}, {12, 10, 6}),
     8,
     {0, 1, 2, 3, 4, 5, 6, 7},
     6,
     {0, 1, 2, 3, 4, 5, 6, 7},
     6},
    {"a slow pair is kept apart though it looks near",
     table({0, 1, 9, 9, 1, 0, 9, 9, 9, 9, 0, 9, 9, 9, 9, 0}),
     4,
     {0, 2, 1, 3},
     9,
     {0, 2, 1, 3},
     9},
    {"a missing link is avoided",
     table({0, 0, 2, 2, 0, 0, 2, 2, 2, 2, 0, 1, 2, 2, 1, 0}),
     4,
     {0, 2, 1, 3},
     2,
     {0, 2, 1, 3},
     2},
    {"equal links keep the numbers",
     grouped({{0, 0, 0, 0, 0}}, {20, 20}),
     5,
     {0, 1, 2, 3, 4},
     20,
     {0, 1, 2, 3, 4},
     20},
};

TEST(Ring, TakesTheFastestSlowestLink) {
    for (const Case& test : cases) {
        const Ring ring = best_ring(test.between, test.count);
        EXPECT_EQ(ring.order, test.ring) << test.sentence;
        EXPECT_EQ(ring.bottleneck.count(), test.ring_bottleneck) << test.sentence;
        const Ring chain = best_chain(test.between, test.count);
        EXPECT_EQ(chain.order, test.chain) << test.sentence;
        EXPECT_EQ(chain.bottleneck.count(), test.chain_bottleneck) << test.sentence;
    }
}

// Few different speeds, so that there are ties; now and then no link at all.
struct Box {
    std::size_t count = 0;
    Table between;
};

Box any_box(std::size_t least, std::size_t most) {
    Box box{any_number(least, most + 1), {}};
    box.between.resize(box.count * box.count);
    const Table speeds = table({0, 6e9, 10e9, 12e9, 24e9, 7.3e9});
    const auto kinds = any_number<std::size_t>(1, speeds.size() + 1);
    for (std::size_t a = 0; a < box.count; ++a) {
        for (std::size_t b = a + 1; b < box.count; ++b) {
            const Bandwidth speed = speeds[any_number<std::size_t>(0, kinds)];
            box.between[a * box.count + b] = box.between[b * box.count + a] = speed;
        }
    }
    return box;
}

// Bottleneck, then the sum of whole attoseconds, then the order.
using Worth = std::tuple<double, std::uint64_t, Order>;

Worth worth(const Box& box, const Order& order, bool is_closed) {
    double slowest = order.size() > 1 ? 1e300 : 0;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + (is_closed ? 0 : 1) < order.size() && order.size() > 1; ++i) {
        const double speed =
            box.between[order[i] * box.count + order[(i + 1) % order.size()]].count();
        slowest = std::min(slowest, speed);
        sum += speed > 0 ? static_cast<std::uint64_t>(std::llround(1e18 / speed))
                         : std::uint64_t{100'000'000'000'000'000};
    }
    return {-slowest, sum, order};
}

Worth best_of_all(const Box& box, bool is_closed) {
    Order order(box.count);
    std::iota(order.begin(), order.end(), 0u);
    Worth best = worth(box, order, is_closed);
    const auto first = order.begin() + (is_closed && !order.empty() ? 1 : 0);
    while (std::next_permutation(first, order.end())) {
        best = std::min(best, worth(box, order, is_closed));
    }
    return best;
}

TEST(Ring, EqualsBruteForce) {
    EXPECT_TRUE(rc::check([] {
        const Box box = any_box(0, 8);
        const Ring ring = best_ring(box.between, box.count);
        RC_ASSERT(worth(box, ring.order, true) == best_of_all(box, true));
        RC_ASSERT(-std::get<0>(worth(box, ring.order, true)) == ring.bottleneck.count());
        const Ring chain = best_chain(box.between, box.count);
        RC_ASSERT(worth(box, chain.order, false) == best_of_all(box, false));
        RC_ASSERT(-std::get<0>(worth(box, chain.order, false)) == chain.bottleneck.count());
    }));
}

// 362,880 orders each: few boxes of nine are enough beside the many smaller ones.
TEST(Ring, EqualsBruteForceOfNine) {
    std::mt19937 random(9);
    for (int round = 0; round < 4; ++round) {
        Box box{9, Table(81)};
        for (std::size_t a = 0; a < 9; ++a) {
            for (std::size_t b = a + 1; b < 9; ++b) {
                box.between[a * 9 + b] = box.between[b * 9 + a] =
                    Bandwidth(6e9 + 2e9 * static_cast<double>(random() % 4));
            }
        }
        EXPECT_EQ(best_of_all(box, true), worth(box, best_ring(box.between, 9).order, true));
        EXPECT_EQ(best_of_all(box, false), worth(box, best_chain(box.between, 9).order, false));
    }
}

TEST(Ring, DoesNotDependOnNames) {
    EXPECT_TRUE(rc::check([] {
        const Box box = any_box(2, 11);
        Order names(box.count);
        std::iota(names.begin(), names.end(), 0u);
        const auto seed = *rc::gen::arbitrary<std::uint32_t>();
        for (std::size_t i = box.count; i > 1; --i) {
            std::swap(names[i - 1], names[(seed / i) % i]);
        }
        Box renamed{box.count, Table(box.between.size())};
        for (std::size_t a = 0; a < box.count; ++a) {
            for (std::size_t b = 0; b < box.count; ++b) {
                renamed.between[names[a] * box.count + names[b]] = box.between[a * box.count + b];
            }
        }
        const auto figures = [](const Box& of, const Ring& ring, bool is_closed) {
            const Worth all = worth(of, ring.order, is_closed);
            return std::pair(std::get<0>(all), std::get<1>(all));
        };
        RC_ASSERT(figures(box, best_ring(box.between, box.count), true) ==
                  figures(renamed, best_ring(renamed.between, box.count), true));
        RC_ASSERT(figures(box, best_chain(box.between, box.count), false) ==
                  figures(renamed, best_chain(renamed.between, box.count), false));
    }));
}

bool is_permutation_of_all(Order order) {
    std::sort(order.begin(), order.end());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        if (order[i] != i) {
            return false;
        }
    }
    return true;
}

TEST(Ring, OfManyPassesEachOnce) {
    EXPECT_TRUE(rc::check([] {
        const Box box = any_box(17, 40);
        const Ring ring = best_ring(box.between, box.count);
        RC_ASSERT(ring.order.size() == box.count && is_permutation_of_all(ring.order));
        RC_ASSERT(ring.order[0] == 0u && ring.order[1] < ring.order.back());
        RC_ASSERT(ring == best_ring(box.between, box.count));
        const Ring chain = best_chain(box.between, box.count);
        RC_ASSERT(chain.order.size() == box.count && is_permutation_of_all(chain.order));
        RC_ASSERT(chain.order.front() < chain.order.back());
    }));
}

TEST(Ring, OfManyIsExactOnATree) {
    EXPECT_TRUE(rc::check([] {
        const auto count = any_number<std::size_t>(17, 40);
        std::vector<std::vector<std::uint32_t>> levels(2, std::vector<std::uint32_t>(count));
        for (std::size_t gpu = 0; gpu < count; ++gpu) {
            levels[0][gpu] = any_number<std::uint32_t>(0, 8);
            levels[1][gpu] = levels[0][gpu] / 3;
        }
        const Table between = grouped(levels, {24, 12, 6});
        const auto groups = [&](std::size_t level) {
            Order all = levels[level];
            std::sort(all.begin(), all.end());
            return static_cast<double>(std::unique(all.begin(), all.end()) - all.begin());
        };
        // Each group of several is entered and left once.
        const double sockets = groups(1) > 1 ? groups(1) : 0;
        const double switches = groups(0) > 1 ? groups(0) - sockets : 0;
        const double least =
            sockets / 6 + switches / 12 + (static_cast<double>(count) - sockets - switches) / 24;
        const Ring ring = best_ring(between, count);
        RC_ASSERT(std::abs(ring.byte_time.count() - least) < 1e-9);
        RC_ASSERT(ring.bottleneck.count() == (sockets > 0 ? 6 : switches > 0 ? 12 : 24));
    }));
}

TEST(Ring, TellsTheFiguresOfAGivenOrder) {
    const Table between = grouped({{0, 0, 1, 1}}, {12, 6});
    EXPECT_EQ(ring_of(between, 4, {0, 1, 2, 3}), best_ring(between, 4));
    EXPECT_EQ(ring_of(between, 4, {2, 3}).bottleneck.count(), 12);
    EXPECT_DOUBLE_EQ(ring_of(between, 4, {0, 2, 1, 3}).byte_time.count(), 4.0 / 6);
    EXPECT_DOUBLE_EQ(chain_of(between, 4, {0, 1, 2, 3}).byte_time.count(), 2.0 / 12 + 1.0 / 6);
}

TEST(Ring, TakesTheLinksOfSomeGpusOfAMachine) {
    domain::Topology machine;
    machine.gpus.resize(3);
    const std::vector<std::uint32_t> some{2, 0};
    EXPECT_EQ(bandwidths_between(machine, some), Table(4));
    for (int i = 0; i < 9; ++i) {
        machine.paths.push_back({domain::PathKind::pix, Bandwidth(i), false});
    }
    EXPECT_EQ(bandwidths_between(machine, some), table({8, 6, 2, 0}));
}

}  // namespace
}  // namespace hora::plan
