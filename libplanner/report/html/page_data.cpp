// Which numbers do a page's charts draw?
#include "libplanner/report/html/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "libplanner/report/html/gpu_bars.hpp"
#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

// What a browser draws at once, and a screen can show.
constexpr std::size_t most_rows = 128;
constexpr std::size_t most_cells = 20000;  // a bar takes one in each of its rows
constexpr std::size_t curve_points = 400;
constexpr std::size_t slices = 400;

// Six digits are more than a pixel.
Json rounded(double value) {
    if (value == 0 || !std::isfinite(value)) {
        return 0;
    }
    const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
    return std::round(value * scale) / scale;
}

// Tenths of a second after the first submission: bars that touch do so in the chart as well.
Json time_since(Seconds start, Seconds time) {
    return std::round((time - start).count() * 10) / 10;
}

// [first row, rows, start, end, job]; null where there is too much to draw.
Json bars_of(const sim::Result& result, Seconds start) {
    if (result.gpus > most_rows) {
        return nullptr;
    }
    std::size_t cells = 0;
    Json bars = Json::array();
    for (const GpuBar& bar : gpu_bars(result)) {
        cells += bar.count;
        if (cells > most_cells || bar.first + bar.count > most_rows) {
            return nullptr;
        }
        bars.push_back({bar.first, bar.count, time_since(start, bar.start),
                        time_since(start, bar.end), bar.job});
    }
    return bars;
}

// [seconds, share of the jobs done by then], ascending.
Json curve_of(const sim::Result& result) {
    std::vector<double> times;
    for (const sim::JobResult& job : result.jobs) {
        times.push_back(job.completion().count());
    }
    std::sort(times.begin(), times.end());
    Json curve = Json::array();
    const std::size_t points = std::min(times.size(), curve_points);
    for (std::size_t i = 1; i <= points; ++i) {
        const std::size_t place = i * times.size() / points;
        curve.push_back({rounded(times[place - 1]),
                         rounded(static_cast<double>(place) / static_cast<double>(times.size()))});
    }
    return curve;
}

Json use_of(const sim::Result& result) {
    const UseOverTime use = use_over_time(result, slices);
    Json held = Json::array();
    for (const auto& slice : use.held) {
        Json classes = Json::array();
        for (const double gpus : slice) {
            classes.push_back(rounded(gpus));
        }
        held.push_back(classes);
    }
    return {{"slice", use.slice.count()}, {"held", held}};
}

Json labels_of(const PageRun& run) {
    Json labels = Json::array();
    for (std::size_t i = 0; i < run.result.jobs.size(); ++i) {
        labels.push_back(utf8_of(characters_of(label_of(run, i)).substr(0, 80)));
    }
    return labels;
}

Json run_json(const PageRun& run) {
    const Seconds start = first_submission(run.result);
    const Json bars = bars_of(run.result, start);
    Json labels = bars.is_null() ? Json::array() : labels_of(run);
    return {{"policy", utf8_of(characters_of(run.result.policy))},
            {"gpus", run.result.gpus},
            {"bars", bars},
            {"labels", std::move(labels)},
            {"curve", curve_of(run.result)},
            {"use", use_of(run.result)}};
}

}  // namespace

std::string label_of(const PageRun& run, std::size_t job) {
    return job < run.labels.size() ? run.labels[job] : fmt::format("{}", run.result.jobs[job].job);
}

Seconds first_submission(const sim::Result& result) {
    return std::accumulate(
        result.jobs.begin(), result.jobs.end(),
        result.jobs.empty() ? Seconds(0) : result.jobs.front().submitted,
        [](Seconds first, const sim::JobResult& job) { return std::min(first, job.submitted); });
}

std::string page_data(const Page& page) {
    Json runs = Json::array();
    for (const PageRun& run : page.runs) {
        runs.push_back(run_json(run));
    }
    Json classes = Json::array();
    for (const SizeClass& one : size_classes) {
        classes.push_back(one.name);
    }
    return Json{{"version", 1}, {"classes", classes}, {"runs", runs}}.dump(
        -1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace hora::report
