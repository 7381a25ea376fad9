#include "libplanner/trace/collectives.hpp"

#include <gtest/gtest.h>

#include "tests/unit/trace/synthetic_job.hpp"

namespace hora::trace {
namespace {

SyntheticJob three_ranks() {
    SyntheticJob job(std::vector<WrongClock>(3));
    // Each rank lists its communicators in an order of its own.
    job.add_communicator("pair", {2, 1});
    job.add_communicator("world", {0, 1, 2});
    return job;
}

TEST(Collectives, AreCallsOfOneNumberInOneCommunicator) {
    SyntheticJob job = three_ranks();
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        job.call(rank, "world", 0, 1, 2);
    }
    job.call(1, "pair", 0, 3, 4);
    job.call(2, "pair", 0, 3, 4);
    const Collectives found = match_collectives(job.records);
    ASSERT_EQ(found.all.size(), 2u);
    for (const Collective& one : found.all) {
        EXPECT_TRUE(one.is_complete);
        EXPECT_TRUE(one.is_together);
        for (const Part& part : found.parts_of(one)) {
            EXPECT_EQ(job.records[part.record].calls[part.call].begin,
                      Seconds(one.count == 3 ? 1 : 3));
        }
    }
    EXPECT_EQ(found.all[0].count + found.all[1].count, 5u);
}

TEST(Collectives, AreNotCompleteWithoutTheRecordOfARank) {
    SyntheticJob job = three_ranks();
    job.call(0, "world", 0, 1, 2);
    job.call(2, "world", 0, 1, 2);
    const Collectives found = match_collectives(job.records);
    ASSERT_EQ(found.all.size(), 1u);
    EXPECT_FALSE(found.all[0].is_complete);
}

TEST(Collectives, OfTwoFunctionsAreNone) {
    SyntheticJob job = three_ranks();
    job.call(1, "pair", 0, 3, 4, 0);
    job.call(2, "pair", 0, 3, 4, 1);
    EXPECT_TRUE(match_collectives(job.records).all.empty());
}

TEST(Collectives, TwoCallsOfOneNumberOnOneRankAreNone) {
    SyntheticJob job = three_ranks();
    job.call(1, "pair", 0, 3, 4);
    job.call(1, "pair", 0, 5, 6);
    job.call(2, "pair", 0, 3, 4);
    EXPECT_TRUE(match_collectives(job.records).all.empty());
}

TEST(Collectives, LeaveOutCallsToAPeer) {
    SyntheticJob job = three_ranks();
    job.call(1, "pair", 0, 3, 4);
    job.records[1].calls[0].peer = 0;
    EXPECT_TRUE(match_collectives(job.records).all.empty());
}

TEST(Collectives, EndTogetherWhereEachRankWaitsForAll) {
    for (const char* const name : {"AllReduce", "Barrier", "AllGather", "Alltoallv"}) {
        EXPECT_TRUE(ends_together(name)) << name;
    }
    for (const char* const name : {"Broadcast", "Reduce", "Iallreduce", "Scan", "Send"}) {
        EXPECT_FALSE(ends_together(name)) << name;
    }
}

}  // namespace
}  // namespace hora::trace
