// How are the figures of one simulation written?
#include "libplanner/report/jobs/figures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace hora::report {

void add_figures(nlohmann::ordered_json& object, const sim::Summary& summary) {
    object["mean_jct"] = summary.mean_completion.count();
    object["median_jct"] = summary.median_completion.count();
    object["p99_jct"] = summary.p99_completion.count();
    object["makespan"] = summary.makespan.count();
    object["restarts_per_job"] = summary.restarts_per_job;
    object["utilisation"] = summary.utilisation;
    if (summary.limited > 0) {
        object["time_limits"] = std::llround(summary.limited);
        object["ended_by_limit"] = std::llround(summary.cut_off);
    }
}

std::string cut_off_text(const sim::Summary& summary) {
    const bool is_whole = summary.cut_off == std::round(summary.cut_off);
    return fmt::format("{:.{}f}", summary.cut_off, is_whole ? 0 : 1);
}

std::string limit_line(std::span<const LimitedRun> runs) {
    std::string text;
    for (const LimitedRun& run : runs) {
        if (run.summary.limited > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", run.name,
                                cut_off_text(run.summary));
        }
    }
    return text.empty() ? text : "ended by their time limit: " + text + "\n";
}

std::string figures_header(std::string_view first) {
    return fmt::format("{:<18}{:>11}{:>11}{:>11}{:>12}{:>10}{:>7}", first, "mean s", "median s",
                       "p99 s", "makespan s", "restarts", "used");
}

std::string figures_row(std::string_view name, const sim::Summary& summary) {
    return fmt::format("{:<18}{:>11.0f}{:>11.0f}{:>11.0f}{:>12.0f}{:>10.2f}{:>6.0f}%", name,
                       summary.mean_completion.count(), summary.median_completion.count(),
                       summary.p99_completion.count(), summary.makespan.count(),
                       summary.restarts_per_job, 100 * summary.utilisation);
}

}  // namespace hora::report
