#include "libplanner/trace/timeline.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "tests/unit/trace/synthetic_job.hpp"

namespace hora::trace {
namespace {

TEST(Timeline, BeginsWithTheFirstCallOfAllRanks) {
    SyntheticJob job({{50, 0}, {20, 0}, {900, 0}});
    job.add_communicator("world", {0, 1});
    job.add_communicator("other", {2});
    for (std::uint64_t k = 0; k < 20; ++k) {
        const double time = 10 + static_cast<double>(k);
        job.call(0, "world", k, time, time + 0.5);
        job.call(1, "world", k, time - 0.25, time + 0.5);
    }
    job.call(2, "other", 0, 3, 4);
    job.records[0].steps.push_back({1, Seconds(62)});
    std::swap(job.records[0], job.records[1]);
    const Timeline timeline = make_timeline(job.records);
    EXPECT_EQ(timeline.records[0].rank, 0u);
    EXPECT_NEAR(timeline.time_of(0, timeline.records[0].calls[0].begin).count(), 0.25, 1e-9);
    EXPECT_NEAR(timeline.time_of(1, timeline.records[1].calls[0].begin).count(), 0, 1e-9);
    EXPECT_NEAR(timeline.time_of(0, timeline.records[0].steps[0].at).count(), 2.25, 1e-9);
    EXPECT_NEAR(timeline.time_of(2, timeline.records[2].calls[0].begin).count(), 0, 1e-9);
}

TEST(Timeline, OfProcessesThatDidNothingIsEmpty) {
    const Timeline timeline = make_timeline(std::vector<domain::RankRecord>(2));
    EXPECT_EQ(timeline.time_of(1, Seconds(0)), Seconds(0));
    EXPECT_TRUE(timeline.marks.empty());
}

domain::RecordedCall call(double begin, double end) {
    domain::RecordedCall one;
    one.begin = Seconds(begin);
    one.end = Seconds(end);
    return one;
}

TEST(Timeline, KnowsHowManyRecordsAreMissing) {
    SyntheticJob job({{50, 0}, {20, 0}, {900, 0}, {0, 0}});
    job.add_communicator("left", {0, 1});
    job.add_communicator("right", {2, 3});
    EXPECT_EQ(missing_records(make_timeline(job.records)), 0u);
    job.records.pop_back();
    EXPECT_EQ(missing_records(make_timeline(job.records)), 1u);
    job.add_communicator("world", {0, 1, 2});
    job.records[0].communicators.back().ranks = 9;
    EXPECT_EQ(missing_records(make_timeline(job.records)), 6u);
    EXPECT_EQ(missing_records(make_timeline({})), 0u);
}

TEST(Rows, HoldCallsThatLieBehindOrWithinEachOther) {
    domain::RankRecord record;
    record.calls = {call(0, 1), call(1, 2), call(1.2, 3), call(2, 4), call(0, 4), call(1.2, 3)};
    EXPECT_EQ(rows_of(record), (std::vector<std::uint32_t>{0, 0, 1, 0, 0, 1}));
}

RC_GTEST_PROP(Rows, NeverHoldTwoCallsThatCross, ()) {
    domain::RankRecord record;
    const auto count = *rc::gen::inRange(0, 40);
    for (int i = 0; i < count; ++i) {
        const auto begin = *rc::gen::inRange(0, 20);
        record.calls.push_back(call(begin, begin + *rc::gen::inRange(0, 8)));
    }
    const auto rows = rows_of(record);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < rows.size(); ++j) {
            const auto& one = record.calls[i];
            const auto& other = record.calls[j];
            const bool crosses =
                one.begin < other.begin && other.begin < one.end && one.end < other.end;
            RC_ASSERT(rows[i] != rows[j] || !crosses);
        }
    }
}

}  // namespace
}  // namespace hora::trace
