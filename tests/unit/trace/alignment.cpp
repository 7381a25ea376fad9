#include "libplanner/trace/alignment.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/unit/trace/synthetic_job.hpp"

namespace hora::trace {
namespace {

// The largest difference, over the calls of a group, between what the alignment says and the truth
// on the clock of the group's first record.
double worst_error(const SyntheticJob& job, const Alignment& alignment) {
    double worst = 0;
    std::vector<std::size_t> first(alignment.groups, job.records.size());
    for (std::size_t r = 0; r < job.records.size(); ++r) {
        const Clock& clock = alignment.clocks[r];
        first[clock.group] = std::min(first[clock.group], r);
        const WrongClock& own = job.clocks[r];
        const WrongClock& reference = job.clocks[first[clock.group]];
        for (const auto& call : job.records[r].calls) {
            const double truth = (call.end.count() - own.offset) / (1 + own.drift);
            worst =
                std::max(worst, std::abs(clock.aligned(call.end).count() - reference.shows(truth)));
        }
    }
    return worst;
}

Alignment align_all(const SyntheticJob& job) {
    return align(job.records, match_collectives(job.records));
}

struct Network {
    double latency = 20e-6;  // each rank hears of the end up to so much later
    double outliers = 0.05;  // share of ends that the operating system holds up
};

// All of these ranks in `count` collectives, over `span` seconds.
void run_collectives(SyntheticJob& job, const std::string& name,
                     const std::vector<std::uint32_t>& ranks, int count, double span,
                     const Network& network, std::mt19937& random) {
    std::uniform_real_distribution<double> unit(0, 1);
    job.add_communicator(name, ranks);
    const std::uint32_t late = ranks[random() % ranks.size()];
    for (int k = 0; k < count; ++k) {
        const double end = 1 + span * (k + unit(random)) / count;
        for (const std::uint32_t rank : ranks) {
            const double held_up = unit(random) < network.outliers ? 5e-3 * unit(random) : 0;
            const double own_end = end + network.latency * unit(random) + held_up;
            job.call(rank, name, static_cast<std::uint64_t>(k), end - (rank == late ? 1e-4 : 5e-3),
                     own_end);
        }
    }
}

std::vector<WrongClock> wrong_clocks(std::size_t count, std::mt19937& random) {
    std::uniform_real_distribution<double> sign(-1, 1);
    std::vector<WrongClock> clocks;
    for (std::size_t i = 0; i < count; ++i) {
        clocks.push_back({100 + 10e-3 * sign(random), 50e-6 * sign(random)});
    }
    return clocks;
}

std::vector<std::uint32_t> range(std::uint32_t first, std::uint32_t end, std::uint32_t step = 1) {
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t rank = first; rank < end; rank += step) {
        ranks.push_back(rank);
    }
    return ranks;
}

// Offsets of 10 ms, drifts of 50 ppm, a late rank, ends held up now and then.
RC_GTEST_PROP(Alignment, IsWithin50MicrosecondsAndTheLatency, ()) {
    std::mt19937 random(*rc::gen::inRange<std::uint32_t>(0, 1u << 30));
    const auto ranks = *rc::gen::inRange<std::uint32_t>(2, 17);
    const auto count = *rc::gen::inRange(1, 400);
    const Network network{.latency = *rc::gen::element(1e-6, 2e-5, 2e-4),
                          .outliers = count < 20 ? 0 : 0.05};
    SyntheticJob job(wrong_clocks(ranks, random));
    // Few collectives tell an offset, and a drift is not much over a short time.
    run_collectives(job, "world", range(0, ranks), count, count < 20 ? 0.5 : 60, network, random);
    const Alignment alignment = align_all(job);
    RC_ASSERT(alignment.groups == 1u);
    RC_ASSERT(worst_error(job, alignment) < 50e-6 + network.latency);
}

// Rows and columns of a grid: no communicator has all ranks.
RC_GTEST_PROP(Alignment, ReachesRanksThroughOthers, ()) {
    std::mt19937 random(*rc::gen::inRange<std::uint32_t>(0, 1u << 30));
    const auto side = *rc::gen::inRange<std::uint32_t>(2, 6);
    SyntheticJob job(wrong_clocks(side * side, random));
    const Network network;
    for (std::uint32_t i = 0; i < side; ++i) {
        run_collectives(job, "row " + std::to_string(i), range(i * side, (i + 1) * side), 200, 30,
                        network, random);
        run_collectives(job, "column " + std::to_string(i), range(i, side * side, side), 100, 30,
                        network, random);
    }
    const Alignment alignment = align_all(job);
    RC_ASSERT(alignment.groups == 1u);
    RC_ASSERT(worst_error(job, alignment) < 50e-6 + network.latency);
}

TEST(Alignment, LeavesAloneWhoSharesNothing) {
    std::mt19937 random(7);
    SyntheticJob job(wrong_clocks(5, random));
    run_collectives(job, "a", {0, 2}, 50, 10, {}, random);
    run_collectives(job, "b", {1, 4}, 50, 10, {}, random);
    const Alignment alignment = align_all(job);
    EXPECT_EQ(alignment.groups, 3u);
    EXPECT_EQ(alignment.clocks[0].group, alignment.clocks[2].group);
    EXPECT_EQ(alignment.clocks[1].group, alignment.clocks[4].group);
    for (const std::size_t reference : {0u, 1u, 3u}) {
        EXPECT_EQ(alignment.clocks[reference].aligned(Seconds(5)), Seconds(5)) << reference;
    }
    EXPECT_EQ(alignment.clocks[3].collectives, 0u);
    EXPECT_LT(worst_error(job, alignment), 70e-6);
}

TEST(Alignment, PassesOverCollectivesThatDoNotEndTogether) {
    SyntheticJob job({{0, 0}, {0.5, 0}});
    job.add_communicator("world", {0, 1});
    for (std::uint64_t k = 0; k < 100; ++k) {
        const double time = static_cast<double>(k);
        job.call(0, "world", k, time, time + 0.1, 1);
        job.call(1, "world", k, time, time + 0.4, 1);
    }
    EXPECT_EQ(align_all(job).groups, 2u);
}

TEST(Alignment, OfOneRankIsItsOwnClock) {
    SyntheticJob job({{3, 1e-4}});
    job.add_communicator("world", {0});
    job.call(0, "world", 0, 1, 2);
    const Alignment alignment = align_all(job);
    EXPECT_EQ(alignment.groups, 1u);
    EXPECT_EQ(alignment.clocks[0].aligned(Seconds(9)), Seconds(9));
}

TEST(Alignment, OfNothingIsNothing) {
    EXPECT_EQ(align({}, {}).groups, 0u);
}

}  // namespace
}  // namespace hora::trace
