// What do many runs say of the cost model's error, so that no user can shift another's plans?
#include "libplanner/cost/measured_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/base/median.hpp"

namespace hora::cost {
namespace {

constexpr std::string_view file_prefix = "file:";

struct Place {
    std::string model;
    std::string device;
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    friend auto operator<=>(const Place&, const Place&) = default;
};

// The runs of one user at one place.
struct Runs {
    std::vector<double> ratios;
    std::vector<double> shares;
    std::vector<double> losses;  // of some of them
    std::vector<double> late;    // likewise, as shares of the step
};

bool is_believable(const std::optional<Seconds>& lost) {
    return lost && *lost >= Seconds(0) && *lost <= largest_loss;
}

double ratio_of(const MeasuredRun& run) {
    return run.step / (run.predicted_compute + run.predicted_exchange);
}

bool is_believable(const MeasuredRun& run) {
    const Seconds predicted = run.predicted_compute + run.predicted_exchange;
    if (!(run.predicted_compute > Seconds(0)) || !(run.predicted_exchange >= Seconds(0)) ||
        !std::isfinite(predicted.count()) || !(run.step > Seconds(0))) {
        return false;
    }
    const double ratio = ratio_of(run);
    return run.steps >= least_steps && ratio <= largest_ratio && ratio * largest_ratio >= 1 &&
           run.gpus >= 1 && run.nodes >= 1 && run.nodes <= run.gpus;
}

domain::MeasuredSpeed entry(const Place& place, const Runs& runs) {
    return {
        .uid = {},
        .model = place.model,
        .device = place.device,
        .gpus = place.gpus,
        .nodes = place.nodes,
        .exchange_share = median(std::vector(runs.shares)),
        .ratio = median(std::vector(runs.ratios)),
        .runs = static_cast<std::uint32_t>(runs.ratios.size()),
        .users = 1,
        .overhead = runs.losses.empty() ? std::nullopt
                                        : std::optional(Seconds(median(std::vector(runs.losses)))),
        .late = runs.late.empty() ? std::nullopt : std::optional(median(std::vector(runs.late)))};
}

using Key = std::pair<Place, std::uint32_t>;  // and whose

// By place and user, and in which order each was first seen.
struct Grouped {
    std::map<Key, Runs> runs;
    std::vector<Key> newest;
};

Grouped grouped(std::span<const MeasuredRun> all) {
    Grouped groups;
    for (const MeasuredRun& run : all) {
        if (!is_believable(run)) {
            continue;
        }
        const Key key{{model_key(run.model), lower_case(run.device), run.gpus, run.nodes}, run.uid};
        const auto [at, is_new] = groups.runs.try_emplace(key);
        if (is_new) {
            groups.newest.push_back(key);
        }
        at->second.ratios.push_back(ratio_of(run));
        at->second.shares.push_back(run.predicted_exchange /
                                    (run.predicted_compute + run.predicted_exchange));
        if (is_believable(run.lost)) {
            at->second.losses.push_back(run.lost->count());
        }
        if (run.late && *run.late >= Seconds(0) && *run.late < run.step) {
            at->second.late.push_back(*run.late / run.step);
        }
    }
    return groups;
}

// However often a user measured, each user counts once.
std::vector<domain::MeasuredSpeed> shared(const Grouped& groups) {
    std::map<Place, Runs> voices;
    std::map<Place, std::size_t> counts;
    for (const auto& [key, runs] : groups.runs) {
        if (key.first.model.starts_with(file_prefix)) {
            continue;
        }
        Runs& place = voices[key.first];
        place.ratios.push_back(median(std::vector(runs.ratios)));
        place.shares.push_back(median(std::vector(runs.shares)));
        counts[key.first] += runs.ratios.size();
        if (!runs.losses.empty()) {
            place.losses.push_back(median(std::vector(runs.losses)));
        }
    }
    std::vector<domain::MeasuredSpeed> table;
    for (const auto& [place, runs] : voices) {
        if (runs.ratios.size() >= least_users && table.size() < most_measured / 2) {
            table.push_back(entry(place, runs));
            if (runs.losses.size() < least_users) {
                table.back().overhead.reset();
            }
            table.back().runs = static_cast<std::uint32_t>(counts[place]);
            table.back().users = static_cast<std::uint32_t>(runs.ratios.size());
        }
    }
    return table;
}

}  // namespace

std::string model_key(std::string_view model) {
    const std::size_t slash = model.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? model : model.substr(slash + 1);
    if (name.find('.') == std::string_view::npos) {
        return std::string(name.substr(0, 64));
    }
    // FNV-1a, 64 bits: short, and the same on every machine.
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char letter : name) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    }
    return fmt::format("{}{:016x}", file_prefix, hash);
}

std::vector<domain::MeasuredSpeed> measured_table(std::span<const MeasuredRun> runs) {
    const Grouped groups = grouped(runs);
    std::vector<domain::MeasuredSpeed> table = shared(groups);
    std::map<std::uint32_t, std::size_t> counts;
    for (const Key& key : groups.newest) {
        if (table.size() >= most_measured) {
            break;
        }
        if (++counts[key.second] <= most_of_user) {
            table.push_back(entry(key.first, groups.runs.at(key)));
            table.back().uid = key.second;
        }
    }
    return table;
}

std::map<std::string, Seconds> node_overheads(std::span<const MeasuredRun> runs) {
    std::map<std::string, std::map<std::uint32_t, std::vector<double>>> losses;
    for (const MeasuredRun& run : runs) {
        if (!is_believable(run.lost)) {
            continue;
        }
        for (const std::string& node : run.node_names) {
            losses[node][run.uid].push_back(run.lost->count());
        }
    }
    std::map<std::string, Seconds> overheads;
    for (const auto& [node, users] : losses) {
        if (users.size() < least_users) {
            continue;
        }
        std::vector<double> voices;
        for (const auto& [uid, own] : users) {
            voices.push_back(median(std::vector(own)));
        }
        overheads[node] = Seconds(median(voices));
    }
    return overheads;
}

}  // namespace hora::cost
