#include "libplanner/trace/lateness.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/trace/synthetic_job.hpp"

namespace hora::trace {
namespace {

struct Times {
    double begin;
    double end;
    std::uint64_t ahead = 0;
};

struct Case {
    const char* sentence;
    std::vector<Times> ranks;  // of the collective that is looked at
    std::vector<Mark> marks;
};

const Case cases[] = {
    {"no rank is late where all begin together", {{1, 1.01}, {1, 1.01}, {1, 1.01}}, {}},
    {"the last one is late where the others waited for it",
     {{1, 1.11}, {1.1, 1.11}, {1, 1.11}},
     {{MarkKind::late, {1, 0}, 1, Seconds(0.1), 0}}},
    {"it is not where they were busy for longer than that", {{1, 1.5}, {1.1, 1.5}, {1, 1.5}}, {}},
    {"nor by less than the network may take", {{1, 1.00004}, {1.00003, 1.00004}, {1, 1.00004}}, {}},
    {"of two late ones the last is named",
     {{1, 1.21}, {1.1, 1.21}, {1.2, 1.21}, {1, 1.21}, {1, 1.21}},
     {{MarkKind::late, {2, 0}, 2, Seconds(0.2), 0}}},
    {"who is done before it has begun went ahead",
     {{1, 1.02}, {1, 1.12}, {1.1, 1.12}},
     {{MarkKind::late, {2, 0}, 2, Seconds(0.1), 0},
      {MarkKind::went_ahead, {0, 0}, 2, Seconds(0.08), 0}}},
    {"who did not wait for pieces went ahead of the late one",
     {{1, 1.6, 7}, {1, 1.6}, {1.5, 1.6}, {1, 1.6}},
     {{MarkKind::late, {2, 0}, 2, Seconds(0.5), 0},
      {MarkKind::went_ahead, {0, 0}, 2, Seconds(0), 7}}},
    {"the late one, where it did not wait, of the one before it",
     {{1, 1.6}, {1, 1.6}, {1.5, 1.6, 3}, {1, 1.6}},
     {{MarkKind::late, {2, 0}, 2, Seconds(0.5), 0},
      {MarkKind::went_ahead, {2, 0}, 1, Seconds(0), 3}}},
};

std::vector<Mark> marks_of(const SyntheticJob& job) {
    const Collectives collectives = match_collectives(job.records);
    return find_marks(job.records, collectives, align(job.records, collectives));
}

// On clocks that agree: every second they meet in a barrier first.
std::vector<Mark> marks_of(const std::vector<Times>& ranks) {
    SyntheticJob job(std::vector<WrongClock>(ranks.size()));
    std::vector<std::uint32_t> all;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        all.push_back(rank);
    }
    job.add_communicator("world", all);
    for (const std::uint32_t rank : all) {
        job.call(rank, "world", 0, ranks[rank].begin, ranks[rank].end);
        job.records[rank].calls[0].ahead = ranks[rank].ahead;
        for (std::uint64_t k = 1; k < 20; ++k) {
            const double time = 1 + static_cast<double>(k);
            job.call(rank, "world", k, time, time);
        }
    }
    return marks_of(job);
}

TEST(Lateness, NamesTheRankThatOthersWaitedForAndWhoWentAhead) {
    for (const Case& test : cases) {
        const auto marks = marks_of(test.ranks);
        ASSERT_EQ(marks.size(), test.marks.size()) << test.sentence;
        for (std::size_t i = 0; i < marks.size(); ++i) {
            EXPECT_EQ(marks[i].kind, test.marks[i].kind) << test.sentence;
            EXPECT_EQ(marks[i].part.record, test.marks[i].part.record) << test.sentence;
            EXPECT_EQ(marks[i].part.call, test.marks[i].part.call) << test.sentence;
            EXPECT_EQ(marks[i].other, test.marks[i].other) << test.sentence;
            EXPECT_NEAR(marks[i].by.count(), test.marks[i].by.count(), 1e-6) << test.sentence;
            EXPECT_EQ(marks[i].pieces, test.marks[i].pieces) << test.sentence;
        }
    }
}

// Rank 0 of a communicator comes after its last.
TEST(Lateness, IsOfTheRankBeforeWhereOneDidNotWait) {
    SyntheticJob job(std::vector<WrongClock>(4));
    job.add_communicator("half", {1, 3});
    job.call(1, "half", 0, 1, 2);
    job.call(3, "half", 0, 1, 2);
    job.records[1].calls[0].ahead = 5;
    const auto marks = marks_of(job);
    ASSERT_EQ(marks.size(), 1U);
    EXPECT_EQ(marks[0].kind, MarkKind::went_ahead);
    EXPECT_EQ(marks[0].part.record, 1U);
    EXPECT_EQ(marks[0].other, 3U);
    EXPECT_EQ(marks[0].pieces, 5U);
}

TEST(Lateness, IsNotLookedForWithoutTheRecordOfARank) {
    SyntheticJob job(std::vector<WrongClock>(3));
    job.add_communicator("world", {0, 1, 2});
    job.call(0, "world", 0, 1, 2);
    job.call(1, "world", 0, 1.9, 2);
    EXPECT_TRUE(marks_of(job).empty());
}

}  // namespace
}  // namespace hora::trace
