// Do the baselines decide as their papers have it?
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "libplanner/elastic/policies/policy.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

struct Row {
    std::uint32_t gpus;
    std::uint32_t requested;
    double epochs_left;
    std::vector<double> seconds;
};

struct Case {
    const char* name;
    const char* policy;
    std::uint32_t gpus;
    std::uint32_t waiting;
    std::vector<Row> jobs;
    std::vector<std::uint32_t> wanted;
};

void check(const Case& each) {
    SCOPED_TRACE(std::string(each.policy) + ": " + each.name);
    MadeState made;
    made.state.gpus = each.gpus;
    made.state.waiting = each.waiting;
    for (const Row& row : each.jobs) {
        made.add(row.gpus, row.epochs_left, row.seconds).requested = row.requested;
    }
    const auto policy = make_policy(each.policy);
    ASSERT_TRUE(policy);
    EXPECT_EQ((*policy)->decide(made.state).gpus, each.wanted);
}

// 60 / g + 10, and 60 / g: the first levels out, the second does not.
const std::vector<double> levels{70, 40, 30, 25};
const std::vector<double> linear{60, 30, 20, 15};
const std::vector<double> slows{60, 35, 40, 50};

TEST(EarliestFinish, GivesAllGpusToOneJobAtATime) {
    const Case cases[] = {
        {"the first submitted has them",
         "earliest-finish",
         4,
         0,
         {{0, 1, 9, linear}, {0, 1, 1, linear}},
         {4, 0}},
        {"one that runs keeps them",
         "earliest-finish",
         4,
         0,
         {{0, 1, 1, linear}, {4, 1, 9, linear}},
         {0, 4}},
        {"no more than it can use", "earliest-finish", 8, 0, {{0, 1, 1, linear}}, {4}},
        {"no more than speed it up", "earliest-finish", 4, 0, {{0, 1, 1, slows}}, {2}},
    };
    for (const Case& each : cases) {
        check(each);
    }
}

TEST(ShortestJobFirst, StartsShortOnesAndFillsUp) {
    const std::vector<double> hour{3600};
    const Case cases[] = {
        {"the shortest first",
         "sjf-backfill",
         2,
         0,
         {{0, 2, 5, hour}, {0, 1, 1, hour}, {0, 1, 2, hour}},
         {0, 1, 1}},
        {"who runs keeps what it holds",
         "sjf-backfill",
         4,
         0,
         {{3, 3, 9, hour}, {0, 2, 1, hour}},
         {3, 0}},
        {"a longer one passes if it is over in time",
         "sjf-backfill",
         4,
         0,
         {{3, 3, 2, hour}, {0, 4, 1, hour}, {0, 1, 2, hour}},
         {3, 0, 1}},
        {"but not if it delays the first",
         "sjf-backfill",
         4,
         0,
         {{3, 3, 2, hour}, {0, 4, 1, hour}, {0, 1, 3, hour}},
         {3, 0, 0}},
        {"it may take what the first leaves",
         "sjf-backfill",
         5,
         0,
         {{4, 4, 2, hour}, {0, 4, 1, hour}, {0, 1, 9, hour}, {0, 1, 9, hour}},
         {4, 0, 1, 0}},
        {"one that never fits holds up nobody",
         "sjf-backfill",
         4,
         0,
         {{0, 9, 1, hour}, {0, 4, 2, hour}},
         {0, 4}},
        {"GPUs of requests from outside are theirs",
         "sjf-backfill",
         4,
         3,
         {{0, 2, 1, hour}, {0, 1, 2, hour}},
         {0, 1}},
    };
    for (const Case& each : cases) {
        check(each);
    }
}

TEST(MarginalGain, GivesEachGpuWhereItSavesMost) {
    const Case cases[] = {
        {"everyone has one first",
         "marginal-gain",
         2,
         0,
         {{0, 1, 1, levels}, {0, 1, 99, levels}},
         {1, 1}},
        {"in the order of submission",
         "marginal-gain",
         1,
         0,
         {{0, 1, 1, levels}, {0, 1, 99, levels}},
         {1, 0}},
        {"then most is left, most is saved",
         "marginal-gain",
         5,
         0,
         {{1, 1, 1, levels}, {1, 1, 9, levels}},
         {1, 4}},
        {"what was given before is given anew",
         "marginal-gain",
         5,
         0,
         {{4, 1, 1, levels}, {1, 1, 9, levels}},
         {1, 4}},
        {"nothing that slows down", "marginal-gain", 4, 0, {{1, 1, 1, slows}}, {2}},
        {"requests from outside have one each", "marginal-gain", 4, 2, {{4, 1, 1, levels}}, {2}},
    };
    for (const Case& each : cases) {
        check(each);
    }
}

TEST(ApatheticFutureShare, ComparesInPairs) {
    const Case cases[] = {
        {"the shortest starts first", "afs", 1, 0, {{0, 1, 9, levels}, {0, 1, 1, levels}}, {0, 1}},
        // The short one would gain 7/4 - 1 = 0.75 of its speed, the waiting one all of it.
        {"a waiting one beats one that levels out",
         "afs",
         2,
         0,
         {{1, 1, 1, levels}, {0, 1, 9, levels}},
         {1, 1}},
        // (30/25 - 1) against (15 - 20) / 15 of 1/20: 0.2 < 0.25.
        {"the efficient one wins, though it is longer",
         "afs",
         8,
         0,
         {{0, 1, 1, slows}, {0, 1, 9, linear}},
         {2, 4}},
        {"among equals the shorter one is ahead",
         "afs",
         3,
         0,
         {{0, 1, 2, linear}, {0, 1, 1, linear}},
         {1, 2}},
        {"requests from outside have one each", "afs", 4, 2, {{4, 1, 1, levels}}, {2}},
    };
    for (const Case& each : cases) {
        check(each);
    }
}

}  // namespace
}  // namespace hora::elastic
