// Is the trace of all ranks JSON whatever it is of, each mark in the row of its call?
#include "libplanner/report/jobs/chrome_trace.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace hora::report {
namespace {

using nlohmann::json;

domain::RecordedCall call(double begin, double end) {
    domain::RecordedCall one;
    one.begin = Seconds(begin);
    one.end = Seconds(end);
    one.bytes = Bytes(4096);
    return one;
}

domain::RankRecord record(std::uint32_t rank, std::vector<domain::RecordedCall> calls) {
    domain::RankRecord one;
    one.host = "n1";
    one.rank = rank;
    one.communicators = {{"world", rank, 2, 1}};
    one.operations = {"AllReduce"};
    one.calls = std::move(calls);
    return one;
}

// All clocks are right.
trace::Timeline timeline_of(std::vector<domain::RankRecord> records) {
    trace::Timeline timeline;
    timeline.records = std::move(records);
    timeline.alignment.clocks.resize(timeline.records.size());
    timeline.alignment.groups = 1;
    timeline.starts = {Seconds(0)};
    return timeline;
}

struct Written {
    std::string text;
    std::size_t pieces = 0;

    json events() const { return json::parse(text)["traceEvents"]; }
    json other() const { return json::parse(text)["otherData"]; }
};

Written written(const trace::Timeline& timeline, std::optional<Seconds> waiting = {}) {
    Written all;
    write_chrome_trace(timeline, waiting, [&](std::string_view piece) {
        all.text += piece;
        ++all.pieces;
    });
    return all;
}

TEST(ChromeTrace, MarksACallInItsRow) {
    // Rank 1's second call begins while the first runs, and ends after it.
    trace::Timeline timeline =
        timeline_of({record(0, {call(0, 1)}), record(1, {call(0, 2), call(1, 3)})});
    trace::Mark late;
    late.kind = trace::MarkKind::late;
    late.part = {1, 1};
    late.by = Seconds(0.25);
    timeline.marks = {late};
    std::map<std::string, json> found;
    for (const json& event : written(timeline).events()) {
        if (event["ph"] == "i" || (event["ph"] == "X" && event["ts"] == 1e6)) {
            found[event["ph"]] = event;
        }
    }
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found["X"]["tid"], 1);
    EXPECT_EQ(found["X"]["dur"], 2e6);
    EXPECT_EQ(found["i"]["name"], "late");
    EXPECT_EQ(found["i"]["ts"], 1e6);
    EXPECT_EQ(found["i"]["args"]["microseconds"], 0.25e6);
    EXPECT_EQ(found["i"]["pid"], 1);
    EXPECT_EQ(found["i"]["tid"], 1) << "not in the row of another call";
}

TEST(ChromeTrace, IsJsonWhateverThingsAreCalled) {
    const std::string odd = "a \"b\"\\\n\x1b\xff";
    domain::RankRecord one = record(0, {call(0, 1)});
    one.host = one.device.type = one.communicators[0].name = one.operations[0] = odd;
    one.steps = {{7, Seconds(0.5)}};
    const json events = written(timeline_of({one})).events();
    const std::string shown = "a \"b\"\\\n\x1b\xef\xbf\xbd";
    EXPECT_EQ(events[0]["args"]["name"], fmt::format("rank 0 on {0}, {0}", shown));
    EXPECT_EQ(events[3]["name"], shown);
    EXPECT_EQ(events[3]["args"]["comm"], shown);
    EXPECT_EQ(events[4]["name"], "step 7");
}

TEST(ChromeTrace, OfNobodyIsEmpty) {
    EXPECT_EQ(written(timeline_of({})).events(), json::array());
}

TEST(ChromeTrace, SaysHowLongAStepWaits) {
    EXPECT_FALSE(written(timeline_of({})).other().contains("waiting_of_step"));
    EXPECT_EQ(written(timeline_of({}), Seconds(0)).other()["waiting_of_step"], 0.0);
    EXPECT_EQ(written(timeline_of({}), Seconds(0.02)).other()["waiting_of_step"], 0.02);
}

TEST(ChromeTrace, ComesInPiecesOfWholeEvents) {
    std::vector<domain::RecordedCall> calls;
    for (int i = 0; i < 3000; ++i) {
        calls.push_back(call(i, i + 0.5));
    }
    const Written all = written(timeline_of({record(0, calls)}));
    EXPECT_GT(all.pieces, 3U);
    EXPECT_EQ(all.events().size(), 3000U + 3);
}

}  // namespace
}  // namespace hora::report
