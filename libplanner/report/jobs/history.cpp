// What do people see of what was measured and resized in the past?
#include "libplanner/report/jobs/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/base/median.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/moment.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

MeasuredSize summary_of(const std::vector<const MeasuredRun*>& runs) {
    const auto is_older = [](const MeasuredRun* run, const MeasuredRun* other) {
        return run->when < other->when;
    };
    const MeasuredRun& newest = **std::max_element(runs.begin(), runs.end(), is_older);
    MeasuredSize size{.model = newest.model,
                      .device = newest.device,
                      .gpus = newest.gpus,
                      .nodes = newest.nodes,
                      .runs = static_cast<std::uint32_t>(runs.size()),
                      .steps = 0,
                      .predicted = {},
                      .measured = {},
                      .error = {},
                      .late = {}};
    std::vector<double> measured;
    std::vector<double> predicted;
    std::vector<double> errors;
    std::vector<double> late;
    for (const MeasuredRun* run : runs) {
        size.steps += run->steps;
        measured.push_back(run->measured.count());
        if (run->predicted && *run->predicted > Seconds(0)) {
            predicted.push_back(run->predicted->count());
            errors.push_back(run->measured / *run->predicted - 1);
        }
        if (run->late) {
            late.push_back(run->late->count());
        }
    }
    size.measured = Seconds(median(measured));
    if (!predicted.empty()) {
        size.predicted = Seconds(median(predicted));
        size.error = median(errors);
    }
    if (!late.empty()) {
        size.late = Seconds(median(late));
    }
    return size;
}

std::string size_lines(const std::vector<MeasuredSize>& sizes) {
    if (sizes.empty()) {
        return "no step times\n";
    }
    std::vector<std::vector<std::string>> rows;
    for (const MeasuredSize& size : sizes) {
        rows.push_back({size.model, size.device, fmt::format("{}", size.gpus),
                        fmt::format("{}", size.nodes), fmt::format("{}", size.runs),
                        fmt::format("{}", size.steps),
                        size.predicted ? duration(*size.predicted) : "-", duration(size.measured),
                        size.error ? fmt::format("{:+.0f} %", 100 * *size.error) : "-",
                        size.late ? duration(*size.late) : "-"});
    }
    return text_table({{"MODEL", false, 24},
                       {"DEVICE", false, 16},
                       {"GPUS", true},
                       {"NODES", true},
                       {"RUNS", true},
                       {"STEPS", true},
                       {"PREDICTED", true},
                       {"MEASURED", true},
                       {"ERROR", true},
                       {"LATE", true}},
                      rows);
}

std::string rescale_lines(const std::vector<Rescale>& rescales) {
    if (rescales.empty()) {
        return "no rescales\n";
    }
    std::vector<std::vector<std::string>> rows;
    for (const Rescale& rescale : rescales) {
        const auto factor = speed_up(rescale);
        rows.push_back({moment(static_cast<std::int64_t>(rescale.asked)),
                        fmt::format("{}", rescale.job), fmt::format("{}", rescale.from),
                        rescale.requested ? fmt::format("{}", *rescale.requested) : "-",
                        fmt::format("{}", rescale.to), words_of_outcome(rescale.outcome),
                        rescale.lost ? duration(*rescale.lost) : "-",
                        factor ? fmt::format("x {:.3g}", *factor) : "-", rescale.why,
                        rescale.remark});
    }
    return text_table({{"WHEN"},
                       {"JOB", true},
                       {"FROM", true},
                       {"REQUESTED", true},
                       {"TO", true},
                       {"OUTCOME", false, 24},
                       {"COST", true},
                       {"SPEED", true},
                       {"WHY", false, 80},
                       {"REMARK", false, 80}},
                      rows);
}

}  // namespace

std::vector<MeasuredSize> by_size(const std::vector<MeasuredRun>& runs) {
    std::map<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>,
             std::vector<const MeasuredRun*>>
        groups;
    for (const MeasuredRun& run : runs) {
        groups[{run.model, lower_case(run.device), run.gpus, run.nodes}].push_back(&run);
    }
    std::vector<MeasuredSize> sizes;
    for (const auto& [key, group] : groups) {
        sizes.push_back(summary_of(group));
    }
    return sizes;
}

Json json_of(const MeasuredSize& size) {
    return {{"model", size.model},
            {"device", size.device},
            {"gpus", size.gpus},
            {"nodes", size.nodes},
            {"runs", size.runs},
            {"steps", size.steps},
            {"predicted", size.predicted ? Json(size.predicted->count()) : Json(nullptr)},
            {"measured", size.measured.count()},
            {"error", size.error ? Json(*size.error) : Json(nullptr)},
            {"late", size.late ? Json(size.late->count()) : Json(nullptr)}};
}

std::string to_text(const History& history) {
    return size_lines(history.sizes) + "\n" + rescale_lines(history.rescales);
}

std::string to_json(const History& history) {
    Json root = {{"version", 1}, {"sizes", Json::array()}, {"rescales", Json::array()}};
    for (const MeasuredSize& size : history.sizes) {
        root["sizes"].push_back(json_of(size));
    }
    for (const Rescale& rescale : history.rescales) {
        root["rescales"].push_back(json_of(rescale));
    }
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hora::report
