// One page that shows what became of the jobs: who held which GPUs when, how long jobs took, how
// busy the GPUs were, in figures and in charts.
#include "libplanner/report/html/html_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/base/counted.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/html/page_data.hpp"
#include "libplanner/report/html/page_frame.hpp"
#include "libplanner/report/html/page_text.hpp"
#include "libplanner/report/jobs/figures.hpp"

namespace hora::report {
namespace {

// More rows do not help, and make the page slow; the numbers are in --jobs-csv.
constexpr std::size_t most_table_rows = 500;

std::string summary_table(const Page& page) {
    const bool has_limits = std::any_of(page.runs.begin(), page.runs.end(),
                                        [](const auto& run) { return run.result.limited > 0; });
    std::vector<std::vector<std::string>> rows;
    for (const PageRun& run : page.runs) {
        const sim::Summary summary = sim::summarise(run.result);
        rows.push_back({run.result.policy, fmt::format("{}", run.result.jobs.size()),
                        duration(summary.mean_completion), duration(summary.median_completion),
                        duration(summary.p99_completion), duration(summary.makespan),
                        fmt::format("{:.3g}", summary.restarts_per_job),
                        fmt::format("{:.1f} %", 100 * summary.utilisation)});
        if (has_limits) {
            rows.back().push_back(summary.limited > 0 ? cut_off_text(summary) : "not played");
        }
    }
    std::vector<std::string> titles{"Policy",          "Jobs",     "Mean completion", "Median",
                                    "99th percentile", "Makespan", "Restarts a job",  "GPUs held"};
    if (has_limits) {
        titles.emplace_back("Ended by their time limit");
    }
    return html_table("Figures of each policy", titles, rows);
}

std::string percentile_table(const Page& page) {
    constexpr double shares[] = {0.1, 0.25, 0.5, 0.75, 0.9, 0.99};
    std::vector<std::vector<std::string>> rows;
    for (const PageRun& run : page.runs) {
        std::vector<double> times;
        for (const sim::JobResult& job : run.result.jobs) {
            times.push_back(job.completion().count());
        }
        std::vector<std::string> cells{run.result.policy};
        for (const double share : shares) {
            cells.push_back(duration(Seconds(sim::percentile(times, share))));
        }
        rows.push_back(cells);
    }
    return html_table("Completion times by share of the jobs",
                      {"Policy", "10 %", "25 %", "50 %", "75 %", "90 %", "99 %"}, rows);
}

std::string use_table(const Page& page) {
    constexpr std::size_t slices = 10;
    std::vector<std::vector<std::string>> rows;
    for (const PageRun& run : page.runs) {
        std::vector<std::string> cells{run.result.policy};
        UseOverTime use = use_over_time(run.result, slices);
        use.held.resize(slices);
        for (const auto& held : use.held) {
            double sum = 0;
            for (const double gpus : held) {
                sum += gpus;
            }
            cells.push_back(fmt::format("{:.0f} %", 100 * sum / std::max(run.result.gpus, 1u)));
        }
        rows.push_back(cells);
    }
    std::vector<std::string> titles{"Policy"};
    for (std::size_t i = 1; i <= slices; ++i) {
        titles.push_back(fmt::format("{}0 %", i));
    }
    return html_table("GPUs held in each tenth of the time", titles, rows);
}

// Three digits, or all of a whole number that has more.
std::string gpu_hours(const sim::JobResult& job) {
    const double hours = job.gpu_seconds / 3600;
    return hours < 999.5 ? fmt::format("{:.3g}", hours) : fmt::format("{:.0f}", hours);
}

std::string job_table(const PageRun& run) {
    std::vector<std::vector<std::string>> rows;
    const Seconds start = first_submission(run.result);
    for (std::size_t i = 0; i < std::min(run.result.jobs.size(), most_table_rows); ++i) {
        const sim::JobResult& job = run.result.jobs[i];
        std::uint32_t most = 0;
        for (const sim::Segment& segment : job.segments) {
            most = std::max(most, segment.gpus);
        }
        rows.push_back({label_of(run, i), duration(job.submitted - start),
                        duration(job.started - job.submitted), duration(job.completion()),
                        fmt::format("{}", most), fmt::format("{}", job.restarts), gpu_hours(job)});
    }
    const std::string caption =
        run.result.jobs.size() > most_table_rows
            ? fmt::format("{}: the first {} of {} jobs", run.result.policy, most_table_rows,
                          run.result.jobs.size())
            : fmt::format("{}: {}", run.result.policy, counted(run.result.jobs.size(), "job"));
    return html_table(
        caption,
        {"Job", "Submitted at", "Waited", "Completion", "Most GPUs", "Restarts", "GPU-hours"},
        rows);
}

std::string figure(std::string_view id, std::string_view title, std::string_view says,
                   std::string_view tables_title, std::string_view tables) {
    return fmt::format(
        "<section>\n<h2 id=\"{0}-title\">{1}</h2>\n<p id=\"{0}-says\">{2}</p>\n{3}<div "
        "class=\"chart\" "
        "id=\"{0}-box\"><canvas id=\"{0}\" role=\"img\" aria-labelledby=\"{0}-title\" "
        "aria-describedby=\"{0}-table\">{2}</canvas></div>\n<details id=\"{0}-table\">"
        "<summary>{4}</summary>\n{5}</details>\n</section>\n",
        id, title, says,
        id == "gpus" ? "<p><label>Policy <select id=\"policy\"></select></label></p>\n" : "",
        tables_title, tables);
}

std::string body(const Page& page) {
    std::string text = fmt::format("<h1>{}</h1>\n", escaped_html(page.title));
    for (const std::string& sentence : page.about) {
        text += fmt::format("<p>{}</p>\n", escaped_html(sentence));
    }
    text += "<noscript><p>The charts need JavaScript; the tables say the same.</p></noscript>\n";
    text += "<section>\n<h2>Summary</h2>\n" + summary_table(page) + "</section>\n";
    std::string jobs;
    for (const PageRun& run : page.runs) {
        jobs += job_table(run);
    }
    text += figure("gpus", "GPU allocation",
                   "Each colour is a job; it grows and shrinks where it takes more or fewer rows.",
                   "Jobs as a table", jobs);
    text += figure("completion", "How long jobs take",
                   "Share of the jobs that were done within a time after their submission: the "
                   "further left, the better.",
                   "Completion times as a table", percentile_table(page));
    text += figure("use", "How busy the GPUs are", "Share of the GPUs that jobs hold, over time.",
                   "Use as a table", use_table(page));
    for (const PageTable& one : page.tables) {
        text += "<section>\n" + html_table(one.title, one.columns, one.rows) + "</section>\n";
    }
    return text;
}

}  // namespace

std::string to_html(const Page& page, std::string_view chart_library) {
    return framed(page.title, body(page), page_data(page), chart_library, page_script);
}

}  // namespace hora::report
