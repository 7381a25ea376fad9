// Does a page say what the result says, and stay one page whatever the names are?
#include "libplanner/report/html/html_page.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/report/html/some_result.hpp"

namespace hora::report {
namespace {

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

// Of a site whose daemon left no status, and of jobs that took no time.
TEST(HtmlPage, ShowsNoFigureThatIsNone) {
    for (const std::uint32_t gpus : {0u, 4u}) {
        for (const double end : {0.0, 9.0}) {
            sim::Result result{.policy = "", .gpus = gpus, .jobs = {job_from(0, end, 2)}};
            const std::string html = to_html(page_of(result), "");
            for (const char* const none : {"inf %", "nan %", "NaN", "Infinity"}) {
                EXPECT_EQ(html.find(none), html.npos) << gpus << " GPUs until " << end;
            }
        }
    }
}

TEST(HtmlPage, NeedsNothingElse) {
    const std::string html = to_html(page_of({}), "/* library */");
    for (const char* other : {"http://", "https://", "src=", "<link", "@import", "url("}) {
        EXPECT_EQ(html.find(other), std::string::npos) << other;
    }
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
