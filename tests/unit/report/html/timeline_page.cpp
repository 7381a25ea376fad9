// Does the page of a timeline hold what it is to draw, and nothing that breaks it?
#include "libplanner/report/html/timeline_page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hora::report {
namespace {

domain::RankRecord record_of(std::uint32_t rank, std::size_t calls) {
    domain::RankRecord record;
    record.host = "n1";
    record.rank = rank;
    record.communicators = {{"world", rank, 2, 1}};
    record.operations = {"AllReduce"};
    for (std::size_t i = 0; i < calls; ++i) {
        domain::RecordedCall call;
        call.sequence = i;
        call.bytes = Bytes(8);
        call.begin = Seconds(static_cast<double>(i));
        call.end = call.begin + Seconds(0.5);
        record.calls.push_back(call);
    }
    return record;
}

nlohmann::json data_of(const std::string& page) {
    const std::string begin = "id=\"data\">";
    const auto start = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
}

TEST(TimelinePage, HasEachCallOfEachRank) {
    auto late = record_of(1, 20);
    late.calls[3].begin += Seconds(0.4);
    late.steps.push_back({7, Seconds(4)});
    const auto page =
        timeline_html(trace::make_timeline({record_of(0, 20), late}), {"a < b"}, "Job 7", "");
    ASSERT_TRUE(page.has_value()) << page.error().message;
    const auto data = data_of(*page);
    ASSERT_EQ(data["ranks"].size(), 2u);
    const auto& calls = data["ranks"][1]["calls"];
    ASSERT_EQ(calls.size(), 20u * 8);
    // begin, duration, function, communicator, seq, bytes, peer, row
    const std::vector<double> fourth(calls.begin() + 24, calls.begin() + 32);
    EXPECT_EQ(fourth, (std::vector<double>{3.4e6, 1e5, 0, 0, 3, 8, -1, 0}));
    EXPECT_EQ(data["ranks"][1]["steps"], nlohmann::json::parse("[[7,4000000.0]]"));
    EXPECT_EQ(data["marks"], nlohmann::json::parse("[[1,3,1,400000.0,0]]"));
    EXPECT_NE(page->find("<title>Job 7</title>"), std::string::npos);
    EXPECT_NE(page->find("<p>a &lt; b.</p>"), std::string::npos);
    EXPECT_NE(page->find("<td>20</td><td>160 B</td>"), std::string::npos);
}

TEST(TimelinePage, RemarksOnWhatIsMissing) {
    using Remarks = std::vector<std::string>;
    auto cut = record_of(1, 2);
    cut.is_cut = true;
    EXPECT_EQ(timeline_remarks(trace::make_timeline({}), {}), Remarks());
    EXPECT_EQ(timeline_remarks(trace::make_timeline({record_of(0, 2), record_of(1, 2)}), {}),
              Remarks());
    EXPECT_EQ(timeline_remarks(trace::make_timeline({record_of(0, 2), cut}), Seconds(0)),
              Remarks{"killed while a line was written, which is ignored: rank 1"});
    EXPECT_EQ(timeline_remarks(trace::make_timeline({record_of(0, 2)}), Seconds(0.5)),
              (Remarks{"the records of 1 of 2 ranks are missing",
                       "a step waits 500 ms for late ranks (median); hora plan --lateness says "
                       "what that costs"}));
}

TEST(TimelinePage, TakesNamesForText) {
    auto record = record_of(0, 1);
    record.host = "</script><b>";
    record.operations = {"<i>&"};
    const auto page = timeline_html(trace::make_timeline({record}), {}, "<u>", "");
    ASSERT_TRUE(page.has_value());
    for (const char* const tag : {"</script><b>", "<i>", "<u>"}) {
        EXPECT_EQ(page->find(tag), std::string::npos) << tag;
    }
    EXPECT_EQ(data_of(*page)["operations"][0], "<i>&");
}

TEST(TimelinePage, IsRefusedWhereNobodyCouldReadIt) {
    std::vector<domain::RankRecord> many;
    for (std::uint32_t rank = 0; rank <= most_page_ranks; ++rank) {
        many.push_back(record_of(rank, 1));
    }
    const auto page = timeline_html(trace::make_timeline(many), {}, "", "");
    ASSERT_FALSE(page.has_value());
    EXPECT_EQ(page.error().kind, ErrorKind::wrong_use);
    EXPECT_EQ(page.error().message,
              "a page shows up to 64 ranks and 250000 calls, and these are 65 ranks with 65 calls; "
              "without --html the trace is for Perfetto, which shows more");
    EXPECT_FALSE(
        timeline_html(trace::make_timeline({record_of(0, most_page_calls + 1)}), {}, "", ""));
}

}  // namespace
}  // namespace hora::report
