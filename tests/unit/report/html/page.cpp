// Do the numbers and the text of a page hold what the result says?
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>
#include <set>

#include "libplanner/report/html/gpu_bars.hpp"
#include "libplanner/report/html/html_page.hpp"
#include "libplanner/report/html/page_data.hpp"
#include "libplanner/report/html/past_result.hpp"
#include "libplanner/report/html/use_over_time.hpp"

namespace hora::report {
namespace {

sim::JobResult some_job(std::uint32_t gpus) {
    sim::JobResult job;
    double time = *rc::gen::inRange(0, 100);
    job.submitted = Seconds(time);
    time += *rc::gen::inRange(0, 10);
    job.started = Seconds(time);
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
        const auto held = *rc::gen::inRange<std::uint32_t>(1, gpus + 1);
        const double length = *rc::gen::inRange(1, 50);
        job.segments.push_back({Seconds(time), held, 1});
        job.gpu_seconds += held * length;
        time += length;
    }
    job.ended = Seconds(time);
    return job;
}

sim::Result some_result() {
    sim::Result result;
    result.policy = "hora";
    result.gpus = *rc::gen::inRange<std::uint32_t>(1, 9);
    for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
        result.jobs.push_back(some_job(result.gpus));
        result.jobs.back().job = static_cast<std::uint32_t>(result.jobs.size());
    }
    return result;
}

bool overlap(const GpuBar& a, const GpuBar& b) {
    return a.first < b.first + b.count && b.first < a.first + a.count && a.start < b.end &&
           b.start < a.end;
}

// No two jobs share a row, and the area of a job's bars is what it held.
TEST(GpuBars, HoldWhatTheJobsHeld) {
    EXPECT_TRUE(rc::check([] {
        const sim::Result result = some_result();
        const auto bars = gpu_bars(result);
        std::vector<double> held(result.jobs.size(), 0);
        for (std::size_t i = 0; i < bars.size(); ++i) {
            held[bars[i].job] += bars[i].count * (bars[i].end - bars[i].start).count();
            for (std::size_t k = 0; k < i; ++k) {
                RC_ASSERT(!overlap(bars[i], bars[k]));
            }
        }
        for (std::size_t i = 0; i < held.size(); ++i) {
            RC_ASSERT(std::abs(held[i] - result.jobs[i].gpu_seconds) < 1e-6);
        }
    }));
}

sim::JobResult job_from(double start, double end, std::uint32_t gpus) {
    return {.job = 0,
            .submitted = Seconds(start),
            .started = Seconds(start),
            .ended = Seconds(end),
            .gpu_seconds = gpus * (end - start),
            .restarts = 0,
            .segments = {{Seconds(start), gpus, 1}}};
}

// As many rows as there are GPUs, for who never holds more.
TEST(GpuBars, TakeNoRowBeyondTheGpus) {
    sim::Result result{.policy = "", .gpus = 4, .jobs = {}, .decisions = 0};
    result.jobs = {job_from(0, 10, 2), job_from(0, 20, 2), job_from(10, 20, 1), job_from(10, 30, 1),
                   job_from(20, 40, 3)};
    result.jobs[1].segments.push_back({Seconds(15), 1, 1});
    for (const GpuBar& bar : gpu_bars(result)) {
        EXPECT_LE(bar.first + bar.count, 4U);
    }
}

TEST(GpuBars, EachTypeHasRowsOfItsOwn) {
    sim::Result result{.policy = "", .gpus = 6, .jobs = {}, .decisions = 0};
    result.type_gpus = {4, 2};
    result.jobs = {job_from(0, 10, 2), job_from(0, 20, 2), job_from(10, 20, 3)};
    result.jobs[1].type = 1;
    std::vector<std::uint32_t> firsts;
    for (const GpuBar& bar : gpu_bars(result)) {
        firsts.push_back(bar.first);
    }
    EXPECT_EQ(firsts, (std::vector<std::uint32_t>{0, 4, 0}));
}

TEST(GpuBars, AJobThatGrowsKeepsItsRows) {
    sim::Result result{.policy = "", .gpus = 4, .jobs = {job_from(0, 10, 1)}, .decisions = 0};
    result.jobs[0].segments.push_back({Seconds(5), 3, 1});
    const auto bars = gpu_bars(result);
    ASSERT_EQ(bars.size(), 2U);
    EXPECT_EQ(bars[0].first, bars[1].first);
    EXPECT_EQ(bars[0].count, 1U);
    EXPECT_EQ(bars[1].count, 3U);
}

TEST(UseOverTime, HoldsWhatTheJobsHeld) {
    EXPECT_TRUE(rc::check([] {
        const sim::Result result = some_result();
        const auto slices = *rc::gen::inRange<std::size_t>(1, 50);
        const UseOverTime use = use_over_time(result, slices);
        double area = 0;
        for (const auto& held : use.held) {
            for (const double gpus : held) {
                area += gpus * use.slice.count();
            }
        }
        double all = 0;
        for (const sim::JobResult& job : result.jobs) {
            all += job.gpu_seconds;
        }
        RC_ASSERT(std::abs(area - all) <= 1e-6 * (1 + all));
    }));
}

TEST(UseOverTime, TellsSizesApart) {
    sim::Result result{.policy = "", .gpus = 40, .jobs = {}, .decisions = 0};
    result.jobs = {job_from(0, 10, 1), job_from(0, 10, 4), job_from(0, 5, 17)};
    const UseOverTime use = use_over_time(result, 2);
    ASSERT_EQ(use.held.size(), 2U);
    EXPECT_EQ(use.held[0], (std::array<double, 5>{1, 4, 0, 0, 17}));
    EXPECT_EQ(use.held[1], (std::array<double, 5>{1, 4, 0, 0, 0}));
    EXPECT_TRUE(use_over_time({}, 3).held.empty());
}

Page page_of(sim::Result result) {
    Page page;
    page.title = "t";
    page.runs.push_back({std::move(result), {}});
    return page;
}

TEST(PageData, CurveEndsWithAllJobs) {
    EXPECT_TRUE(rc::check([] {
        const auto data = nlohmann::json::parse(page_data(page_of(some_result())));
        const auto& curve = data["runs"][0]["curve"];
        double before = 0;
        for (const auto& point : curve) {
            RC_ASSERT(point[1].get<double>() >= before);
            before = point[1].get<double>();
        }
        const bool is_whole = curve.empty() || before == 1;
        RC_ASSERT(is_whole);
    }));
}

TEST(PageData, LargeClustersAreShownBySize) {
    sim::Result result{.policy = "", .gpus = 1000, .jobs = {job_from(0, 9, 1)}, .decisions = 0};
    EXPECT_TRUE(nlohmann::json::parse(page_data(page_of(result)))["runs"][0]["bars"].is_null());
    result.gpus = 100;
    EXPECT_EQ(nlohmann::json::parse(page_data(page_of(result)))["runs"][0]["bars"].size(), 1U);
}

TEST(HtmlPage, HostileTextStaysText) {
    const std::string hostile = "</script><script>alert(1)</script>\x1b\"'&";
    sim::Result result{.policy = hostile, .gpus = 2, .jobs = {job_from(0, 9, 1)}, .decisions = 0};
    Page page = page_of(result);
    page.title = hostile;
    page.about = {hostile};
    page.runs[0].labels = {hostile};
    page.tables = {{hostile, {hostile}, {{hostile}}}};
    const std::string html = to_html(page, "/* library */");
    EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
    std::size_t scripts = 0;
    for (std::size_t at = html.find("<script"); at != html.npos;
         at = html.find("<script", at + 1)) {
        ++scripts;
    }
    EXPECT_EQ(scripts, 3U);  // numbers, library, page
}

TEST(HtmlPage, NeedsNothingElse) {
    const std::string html = to_html(page_of({}), "/* library */");
    for (const char* other : {"http://", "https://", "src=", "<link", "@import", "url("}) {
        EXPECT_EQ(html.find(other), std::string::npos) << other;
    }
}

MeasuredRun run(std::uint32_t restarts, std::int64_t when, std::uint32_t gpus) {
    MeasuredRun made;
    made.job = 12;
    made.submitted = 1000;
    made.restarts = restarts;
    made.when = when;
    made.gpus = gpus;
    made.nodes = 1;
    made.measured = Seconds(0.5);
    made.steps = 100;
    return made;
}

TEST(PastResult, RunsFollowOneAnother) {
    const PageRun page = past_result({run(1, 1200, 4), run(0, 1100, 2)}, {}, {});
    ASSERT_EQ(page.result.jobs.size(), 1U);
    const sim::JobResult& job = page.result.jobs[0];
    EXPECT_EQ(job.submitted, Seconds(1000));
    EXPECT_EQ(job.started, Seconds(1050));
    EXPECT_EQ(job.ended, Seconds(1200));
    EXPECT_EQ(job.restarts, 1U);
    ASSERT_EQ(job.segments.size(), 3U);
    EXPECT_EQ(job.segments[1].gpus, 0U);  // it restarts
    EXPECT_EQ(job.segments[1].start, Seconds(1100));
    EXPECT_EQ(job.segments[2].gpus, 4U);
    EXPECT_DOUBLE_EQ(job.gpu_seconds, 2 * 50 + 4 * 50);
    EXPECT_EQ(page.labels, std::vector<std::string>{"12"});
}

TEST(PastResult, ARunAfterAResizeBeginsWithItsFirstStep) {
    Rescale rescale;
    rescale.job = 12;
    rescale.restarts = 0;
    rescale.first_step = 1110;
    const PageRun page = past_result({run(1, 1200, 4), run(0, 1100, 2)}, {rescale}, {});
    EXPECT_EQ(page.result.jobs[0].segments[2].start, Seconds(1110));
    rescale.first_step = 1010;  // of an older job with this number
    const PageRun other = past_result({run(1, 1200, 4), run(0, 1100, 2)}, {rescale}, {});
    EXPECT_EQ(other.result.jobs[0].segments[2].start, Seconds(1150));
}

TEST(PastResult, WhoHoldsGpusNowHoldsThemUntilTheStatus) {
    domain::Status status;
    status.written = 1300;
    status.gpus = 8;
    status.policy = "hora";
    domain::StatusJob job;
    job.id = 12;
    job.name = "resnet";
    job.submitted = 1000;
    job.started = 1010;
    job.gpus = 2;
    job.nodes = 1;
    status.jobs.push_back(job);
    job.id = 13;
    job.gpus = 0;
    status.jobs.push_back(job);
    const PageRun known = past_result({run(0, 1100, 2)}, {}, status);
    ASSERT_EQ(known.result.jobs.size(), 1U);
    EXPECT_EQ(known.result.jobs[0].segments.size(), 1U);
    EXPECT_EQ(known.result.jobs[0].ended, Seconds(1300));
    EXPECT_DOUBLE_EQ(known.result.jobs[0].gpu_seconds, 2 * 250);
    const PageRun fresh = past_result({}, {}, status);
    ASSERT_EQ(fresh.result.jobs.size(), 1U);
    EXPECT_EQ(fresh.result.jobs[0].started, Seconds(1010));
    EXPECT_EQ(fresh.labels, std::vector<std::string>{"12 resnet"});
}

struct GpuHours {
    const char* sentence;
    double gpu_seconds;
    const char* cell;
};

const GpuHours gpu_hours[] = {
    {"no GPU-hours", 0, "<td>0</td>"},
    {"a part of a GPU-hour", 45, "<td>0.0125</td>"},
    {"three digits", 12.34 * 3600, "<td>12.3</td>"},
    {"the last number of three digits", 999.4 * 3600, "<td>999</td>"},
    {"what rounds to 1000", 999.6 * 3600, "<td>1000</td>"},
    {"thousands", 1234.4 * 3600, "<td>1234</td>"},
    {"millions", 1234567 * 3600.0, "<td>1234567</td>"},
};

TEST(HtmlPage, WritesGpuHoursAsPlainNumbers) {
    for (const GpuHours& test : gpu_hours) {
        sim::Result result{.policy = "", .gpus = 4, .jobs = {job_from(0, 9, 1)}, .decisions = 0};
        result.jobs[0].gpu_seconds = test.gpu_seconds;
        const std::string html = to_html(page_of(result), "");
        EXPECT_NE(html.find(std::string(test.cell) + "</tr>"), std::string::npos) << test.sentence;
    }
}

TEST(HtmlPage, BreaksSentencesAndNoFigures) {
    Page page;
    page.tables = {{"Rescales",
                    {"When", "Why"},
                    {{"now", "1 h 3 min"}, {"now", "somebody else waits for its GPUs"}}}};
    const std::string html = to_html(page, "");
    EXPECT_NE(html.find("<td>1 h 3 min</td>"), std::string::npos);
    EXPECT_NE(html.find("<td class=\"sentence\">somebody else waits for its GPUs</td>"),
              std::string::npos);
}

}  // namespace
}  // namespace hora::report
