// Which measured step times belong to one job, and which of them were known when others had to be
// predicted?
#include "tests/bench/speed_models/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <utility>

namespace hora::bench {
namespace {

constexpr std::uint32_t most_known = 4;
constexpr std::uint32_t least_unknown = 8;  // above it

using Line = std::vector<std::string>;

Line cells_of(const std::string& text) {
    Line cells(1);
    bool is_quoted = false;
    for (const char letter : text) {
        if (letter == '"') {
            is_quoted = !is_quoted;
        } else if (letter == ',' && !is_quoted) {
            cells.emplace_back();
        } else {
            cells.back() += letter;
        }
    }
    return cells;
}

Expected<std::vector<Line>> read_lines(const std::string& path, std::size_t cells) {
    std::ifstream file(path);
    std::string text;
    if (!std::getline(file, text)) {
        return failure(fmt::format("{} cannot be read", path));
    }
    std::vector<Line> lines;
    while (std::getline(file, text)) {
        lines.push_back(cells_of(text));
        if (lines.back().size() < cells) {
            return failure(fmt::format("{}: line {} is short", path, lines.size() + 1));
        }
    }
    return lines;
}

double number(const std::string& cell) {
    return std::atof(cell.c_str());
}

// One placement's steps by local batch, with what of them is exchange.
struct Timing {
    double local = 0;
    double step = 0;
    double exchange = 0;
};
using Timings = std::vector<Timing>;  // by local batch, ascending

// Between two measured batches it is a line; below the least one nothing is known.
bool at_local(const Timings& timings, double local, Timing& found) {
    if (local < timings.front().local || local > timings.back().local) {
        return false;
    }
    std::size_t after = 0;
    while (timings[after].local < local) {
        ++after;
    }
    const Timing& high = timings[after];
    const Timing& low = timings[after == 0 ? 0 : after - 1];
    const double share =
        high.local > low.local ? (local - low.local) / (high.local - low.local) : 1;
    found = {local, low.step + share * (high.step - low.step),
             low.exchange + share * (high.exchange - low.exchange)};
    return true;
}

// A share that no device holds is done in equal passes, and gradients are exchanged once.
bool point_of(const Timings& timings, std::uint32_t gpus, std::uint32_t nodes, double batch,
              Point& point) {
    const double share = batch / gpus;
    const double passes = std::ceil(share / timings.back().local - 1e-9);
    Timing found;
    if (!at_local(timings, share / passes, found)) {
        return false;
    }
    point = {gpus, nodes, share / passes, passes,
             found.step + (passes - 1) * (found.step - found.exchange)};
    return true;
}

struct Links {
    double inside = 0;
    double between = 0;
    std::uint32_t gpus_per_node = 1;
};

// What the data sheets say. A100: NVLink 300 GB/s a direction, 8 x 200 Gbit/s; the others: PCIe
// 3.0 x16 and 50 Gbit/s Ethernet.
Links links_of(const std::string& device) {
    if (device.starts_with("A100")) {
        return {300e9, 200e9, 8};
    }
    return {12e9, 6.25e9, device.starts_with("T4") ? 4U : 8U};
}

std::map<std::string, double> gradients_of(const std::vector<Line>& models) {
    std::map<std::string, double> gradients;
    for (const Line& model : models) {
        gradients[model[0]] = number(model[2]) * 1e6;
    }
    gradients["resnet50"] = gradients["resnet50-imagenet"];
    gradients["resnet50_cifar10"] = gradients["resnet50-imagenet"];
    gradients["deepspeech2"] = gradients["deepspeech2-cmuarctic"];
    return gradients;
}

Series begin(const std::string& set, const std::string& model, const std::string& device,
             double batch, const std::map<std::string, double>& gradients) {
    const Links links = links_of(device);
    const auto gradient = gradients.find(model);
    return {.set = set,
            .model = model,
            .device = device,
            .batch = batch,
            .gradient = gradient == gradients.end() ? 0 : gradient->second,
            .inside = links.inside,
            .between = links.between,
            .gpus_per_node = links.gpus_per_node,
            .known = {},
            .one_node = {},
            .unknown = {},
            .all = {},
            .one_gpu = {}};
}

void sort_in(Series& series, const Point& point) {
    series.all.push_back(point);
    if (point.nodes == 1) {
        series.one_node.push_back(point);
    }
    if (point.gpus <= most_known) {
        series.known.push_back(point);
    } else if (point.gpus > least_unknown) {
        series.unknown.push_back(point);
    }
}

std::vector<Series> strong_scaling(const std::vector<Line>& lines,
                                   const std::map<std::string, double>& gradients) {
    std::vector<Series> all;
    for (const Line& line : lines) {
        const double batch = number(line[4]);
        if (all.empty() || all.back().model != line[0] || all.back().batch != batch) {
            all.push_back(begin("a100", line[0], line[1], batch, gradients));
        }
        const double gpus = number(line[3]);
        sort_in(all.back(),
                {static_cast<std::uint32_t>(gpus), static_cast<std::uint32_t>(number(line[2])),
                 batch / gpus, 1, number(line[5])});
    }
    for (Series& series : all) {
        for (const Series& other : all) {
            if (other.model == series.model) {
                series.one_gpu.push_back(other.all.front());
            }
        }
    }
    return all;
}

struct Place {
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    std::string set;   // "placements" or "scalability"
    std::string name;  // "112": GPUs on each node
    friend auto operator<=>(const Place&, const Place&) = default;
};

// All that was measured of one model on one device.
struct Group {
    std::string model;
    std::string device;
    std::map<Place, Timings> places;
    std::set<std::pair<std::string, double>> batches;  // of the rows on many GPUs, with their set
};

std::vector<Group> groups_of(const std::vector<Line>& lines) {
    std::map<std::pair<std::string, std::string>, Group> groups;
    for (const Line& line : lines) {
        if (line[1] == "gpt2.8B-pipeline") {  // not data-parallel
            continue;
        }
        Group& group = groups[{line[1], line[2]}];
        group.model = line[1];
        group.device = line[2];
        const Place place{static_cast<std::uint32_t>(number(line[6])),
                          static_cast<std::uint32_t>(number(line[5])),
                          line[0] == "sia-scalability" ? "scalability" : "placements", line[4]};
        group.places[place].push_back({number(line[7]), number(line[9]), number(line[10])});
        if (place.gpus > least_unknown) {
            group.batches.insert({place.set, number(line[8])});
        }
    }
    std::vector<Group> result;
    for (auto& [key, group] : groups) {
        for (auto& [place, timings] : group.places) {
            std::sort(timings.begin(), timings.end(),
                      [](const Timing& a, const Timing& b) { return a.local < b.local; });
        }
        result.push_back(std::move(group));
    }
    return result;
}

// What is to be predicted are measured rows; what is known of fewer GPUs may lie between two.
Series one_series(const Group& group, const std::string& set, double batch,
                  const std::map<std::string, double>& gradients) {
    Series series = begin(set, group.model, group.device, batch, gradients);
    for (const auto& [place, timings] : group.places) {
        Point point;
        if (place.gpus > least_unknown) {
            for (const Timing& timing : timings) {
                if (place.set == set && std::abs(timing.local * place.gpus - batch) < 0.5) {
                    sort_in(series, {place.gpus, place.nodes, timing.local, 1, timing.step});
                }
            }
        } else if (point_of(timings, place.gpus, place.nodes, batch, point)) {
            sort_in(series, point);
        }
        if (place.gpus == 1) {
            for (const Timing& timing : timings) {
                series.one_gpu.push_back({1, 1, timing.local, 1, timing.step});
            }
        }
    }
    return series;
}

// One series for each global batch that was measured on many GPUs.
std::vector<Series> series_of(const Group& group, const std::map<std::string, double>& gradients) {
    std::vector<Series> all;
    for (const auto& [set, batch] : group.batches) {
        Series series = one_series(group, set, batch, gradients);
        if (!series.known.empty() && !series.unknown.empty()) {
            all.push_back(std::move(series));
        }
    }
    return all;
}

}  // namespace

std::string family_of(const Series& series) {
    return series.model.substr(0, series.model.find_first_of("0123456789-_"));
}

std::string device_of(const Series& series) {
    return series.device.substr(0, series.device.find('-'));
}

Expected<std::vector<Series>> read_series(const std::string& folder) {
    const auto models = read_lines(folder + "/models.csv", 3);
    const auto strong = read_lines(folder + "/strong-scaling-a100.csv", 6);
    const auto steps = read_lines(folder + "/step-times-t4-2080ti.csv", 11);
    if (!models || !strong || !steps) {
        return unexpected(!models ? models.error() : !strong ? strong.error() : steps.error());
    }
    const auto gradients = gradients_of(*models);
    std::vector<Series> all = strong_scaling(*strong, gradients);
    for (const Group& group : groups_of(*steps)) {
        for (Series& series : series_of(group, gradients)) {
            all.push_back(std::move(series));
        }
    }
    return all;
}

}  // namespace hora::bench
