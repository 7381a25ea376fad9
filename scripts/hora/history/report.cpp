// `hora report`: a page that shows what became of the jobs of this cluster.
// Settings read: horad.state, history.path.
#include "scripts/hora/history/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/whole_number.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/html/past_result.hpp"
#include "libplanner/report/moment.hpp"
#include "scripts/hora/command/html_file.hpp"
#include "scripts/hora/history/past.hpp"
#include "scripts/hora/site/daemon_status.hpp"
#include "scripts/hora/site/site.hpp"

namespace hora::scripts {
namespace {

struct Options {
    std::string html;
    std::uint64_t days = 30;
};

// An empty one where the daemon never wrote, or its word cannot be used: then the past is all there
// is.
domain::Status last_status() {
    const auto settings = load_settings();
    if (!settings) {
        return {};
    }
    const std::string path = status_path(*settings);
    if (!is_there(path)) {
        return {};
    }
    auto status = read_daemon_status(path);
    if (!status) {
        print_remark(status.error().message + "; the page shows no job as running");
        return {};
    }
    return *std::move(status);
}

std::string or_dash(const std::optional<Seconds>& time) {
    return time ? report::duration(*time) : "-";
}

// In one column, so that the table fits a window of 800 pixels.
std::string why_and_outcome(const report::Rescale& rescale) {
    return fmt::format("{}: {}{}{}", rescale.why, report::words_of_outcome(rescale.outcome),
                       rescale.remark.empty() ? "" : ", ", rescale.remark);
}

report::PageTable rescale_table(const std::vector<report::Rescale>& rescales) {
    constexpr std::size_t most = 500;
    report::PageTable table{
        rescales.size() > most ? fmt::format("Rescales, the newest {} of {}", most, rescales.size())
                               : "Rescales, the newest first",
        {"When", "Job", "From", "Requested", "To", "Cost", "A step before", "A step after",
         "Times as fast", "Why, and the outcome"},
        {}};
    for (std::size_t i = 0; i < std::min(rescales.size(), most); ++i) {
        const report::Rescale& one = rescales[i];
        const auto factor = report::speed_up(one);
        table.rows.push_back({report::moment(static_cast<std::int64_t>(one.asked)),
                              fmt::format("{}", one.job), fmt::format("{}", one.from),
                              one.requested ? fmt::format("{}", *one.requested) : "-",
                              fmt::format("{}", one.to), or_dash(one.lost),
                              or_dash(one.step_before), or_dash(one.step_after),
                              factor ? fmt::format("{:.3g}", *factor) : "-", why_and_outcome(one)});
    }
    return table;
}

report::PageTable size_table(const std::vector<report::MeasuredSize>& sizes) {
    report::PageTable table{
        "Time of a step, predicted and measured",
        {"Model", "Device", "GPUs", "Nodes", "Runs", "Predicted", "Measured", "Error"},
        {}};
    for (const report::MeasuredSize& size : sizes) {
        table.rows.push_back({size.model, size.device, fmt::format("{}", size.gpus),
                              fmt::format("{}", size.nodes), fmt::format("{}", size.runs),
                              size.predicted ? report::duration(*size.predicted) : "-",
                              report::duration(size.measured),
                              size.error ? fmt::format("{:+.0f} %", 100 * *size.error) : "-"});
    }
    return table;
}

std::vector<std::string> about(const report::PageRun& run, const domain::Status& status,
                               std::uint64_t days) {
    std::vector<std::string> lines{fmt::format("{} that horad heard of in the last {}.",
                                               counted(run.result.jobs.size(), "job"),
                                               counted(days, "day"))};
    if (!run.result.jobs.empty()) {
        lines.push_back(fmt::format(
            "The charts begin at {}.",
            report::moment(static_cast<std::int64_t>(run.result.jobs.front().submitted.count()))));
    }
    if (status.gpus == 0 && run.result.gpus > 0) {
        lines.push_back(
            fmt::format("The number of GPUs is not known: shares are of the most that were "
                        "allocated at one time ({}).",
                        run.result.gpus));
    }
    if (status.written != 0) {
        lines.push_back(
            fmt::format("Jobs that run now are shown, and counted, as if they had ended "
                        "at {}, when horad last wrote; mode {}.",
                        report::moment(status.written), status.operating));
    }
    return lines;
}

Exit run(const Options& options) {
    const auto since = static_cast<std::int64_t>(std::time(nullptr)) -
                       static_cast<std::int64_t>(options.days) * 86400;
    const auto past = read_past({.job = {}, .submitted = 0, .model = {}, .since = since});
    if (!past) {
        return report(past.error());
    }
    const domain::Status status = last_status();
    report::Page page;
    page.title = status.cluster.empty() ? "Training jobs" : "Training jobs of " + status.cluster;
    page.runs.push_back(report::past_result(past->runs, past->history.rescales, status));
    page.about = about(page.runs.front(), status, options.days);
    page.tables = {rescale_table(past->history.rescales), size_table(past->history.sizes)};
    const auto written = write_html(page, options.html);
    return written ? Exit::done : report(written.error());
}

}  // namespace

void add_report_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command =
        app.add_subcommand("report", "Write a page that shows what became of the jobs");
    command
        ->add_option("--html", options->html,
                     "The page: one file that needs no other; - for stdout")
        ->type_name("FILE")
        ->required()
        ->check(&not_empty);
    command->add_option("--days", options->days, "How far back it goes")
        ->type_name("N")
        ->transform(count_up_to(36500))
        ->capture_default_str();
    command->callback([&outcome, options] { outcome.exit = run(*options); });
}

}  // namespace hora::scripts
