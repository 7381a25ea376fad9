// How long does a job of a state file take at each size, and which sizes may it have?
#include "libplanner/read/trace/elastic_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::ElasticJob;

constexpr std::size_t most_sizes = 100'000;
constexpr std::size_t longest_name = 128;

void take_curve(JsonObject& item, ElasticStateFile& file, ElasticJob& job) {
    std::vector<Seconds>& curve = file.curves.emplace_back();
    for (const nlohmann::json& each : item.list("epoch_seconds", most_gpus)) {
        const double seconds = each.is_number() ? each.get<double>() : 0;
        // A nanosecond at least: then no ratio of two times overflows.
        if (!(seconds >= 1e-9 && seconds <= 1e15)) {
            item.reject(
                fmt::format("epoch_seconds[{}]", curve.size()),
                fmt::format("is {}, {}: the seconds of an epoch on {}", read::quoted(each.dump()),
                            seconds > 0 ? "outside of 1e-9 to 1e15" : "no time above 0",
                            counted(curve.size() + 1, "GPU")));
            return;
        }
        curve.emplace_back(seconds);
    }
    if (curve.empty()) {
        item.reject("epoch_seconds", "has no time; give f(1), f(2), … up to the job's max");
    }
    job.epoch_seconds = curve;
    if (!item.has("uncertainty")) {
        return;
    }
    std::vector<double>& uncertainty = file.uncertainties.emplace_back();
    for (const nlohmann::json& each : item.list("uncertainty", most_gpus)) {
        const double error = each.is_number() ? each.get<double>() : -1;
        if (!(error >= 0 && error <= 1e6)) {
            item.reject(
                "uncertainty",
                fmt::format("holds something else than relative errors from 0 to 1e6: {} "
                            "for {}",
                            read::quoted(each.dump()), counted(uncertainty.size() + 1, "GPU")));
            return;
        }
        uncertainty.push_back(error);
    }
    if (uncertainty.size() != curve.size()) {
        item.reject("uncertainty", fmt::format("has {} errors for the {} times of epoch_seconds",
                                               uncertainty.size(), curve.size()));
    }
    job.uncertainty = uncertainty;
}

void take_range(JsonObject& item, ElasticStateFile& file, ElasticJob& job) {
    const auto known = static_cast<std::uint32_t>(job.epoch_seconds.size());
    job.min = gpus_or(item, "min", 1);
    job.max = gpus_or(item, "max", std::max(job.min, known));
    if (job.min == 0) {
        item.reject("min", "is 0; a started job keeps at least one GPU");
    }
    if (job.max < job.min) {
        item.reject("max", fmt::format("is {}, below min {}", job.max, job.min));
    }
    if (!item.is_good() || job.max <= known || !job.is_elastic) {
        return;
    }
    if (known < job.min || known < job.gpus) {
        item.reject(
            "epoch_seconds",
            fmt::format("ends at {}, but the job {} {}; add the times up to there",
                        counted(known, "GPU"), known < job.gpus ? "holds" : "needs at least",
                        known < job.gpus ? job.gpus : job.min));
        return;
    }
    file.remarks.push_back(
        fmt::format("jobs[{}] gets at most {} of its max {}: "
                    "epoch_seconds ends there",
                    file.state.jobs.size(), known, counted(job.max, "GPU")));
    job.max = known;
}

// Of the sizes that are left, which may end before the max that the file has.
std::string range_of(JsonObject& item, const ElasticJob& job) {
    return fmt::format("from min {} to max {}{}", job.min, job.max,
                       gpus_or(item, "max", job.max) > job.max ? ", where epoch_seconds ends" : "");
}

// "any", "powers" (of two) or "nodes" (whole ones).
std::vector<std::uint32_t> named_sizes(JsonObject& item, const ElasticJob& job,
                                       std::uint32_t node) {
    constexpr auto known = std::to_array<std::string_view>({"any", "powers", "nodes"});
    const std::string name = item.text("sizes", longest_name);
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t size = job.min; size <= job.max; ++size) {
        if (name == "powers" ? (size & (size - 1)) == 0 : name == "nodes" && size % node == 0) {
            sizes.push_back(size);
        }
    }
    if (name.find_first_of("0123456789") != std::string::npos) {
        item.reject("sizes",
                    fmt::format("is the text {}; a list of numbers is written as [1, 2, 4]",
                                read::quoted(name)));
    } else if (std::find(known.begin(), known.end(), name) == known.end()) {
        item.reject("sizes", fmt::format("is {}, none of any, powers, nodes and a list{}",
                                         read::quoted(name), did_you_mean(name, known)));
    } else if (name != "any" && sizes.empty()) {
        item.reject("sizes", fmt::format("leaves no size {}", range_of(item, job)));
    }
    return sizes;
}

void take_allowed(JsonObject& item, const nlohmann::json& value, ElasticStateFile& file,
                  ElasticJob& job) {
    if (!item.has("sizes") || !item.is_good()) {
        return;
    }
    std::vector<std::uint32_t>& sizes = file.sizes.emplace_back();
    if (value["sizes"].is_string()) {
        sizes = named_sizes(item, job, file.state.gpus_per_node);
        job.sizes = sizes;
        return;
    }
    sizes = item.numbers_if_there("sizes", most_sizes, most_gpus + 1);
    const bool is_empty = sizes.empty();
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    std::erase_if(sizes, [&](std::uint32_t size) { return size < job.min || size > job.max; });
    if (sizes.empty() && item.is_good()) {
        item.reject("sizes", is_empty ? "is empty; leave it out where each size is allowed"
                                      : fmt::format("has none {}", range_of(item, job)));
    }
    job.sizes = sizes;
}

}  // namespace

std::uint32_t gpus_or(JsonObject& item, const char* key, std::uint32_t otherwise) {
    return item.has(key) ? static_cast<std::uint32_t>(item.whole(key, most_gpus)) : otherwise;
}

void take_sizes(JsonObject& item, const nlohmann::json& value, ElasticStateFile& file,
                ElasticJob& job) {
    take_curve(item, file, job);
    take_range(item, file, job);
    take_allowed(item, value, file, job);
}

}  // namespace hora::read
