// Which constants would have been chosen for Hora's model without a part of the data?
#include "tests/bench/speed_models/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>

#include "tests/bench/speed_models/hora_model.hpp"

namespace hora::bench {
namespace {

std::vector<Constants> grid() {
    std::vector<Constants> all;
    for (const double power : {1.25, 1.5, 2.0}) {
        for (const double unknown_part : {0.03, 0.1, 0.3}) {
            for (const double usual : {0.0, 0.35, 0.7, 1.05}) {
                for (const double between_applications : {0.25, 0.4, 0.6}) {
                    Constants constants;
                    constants.speed.power = power;
                    constants.speed.unknown_part = unknown_part;
                    constants.slow_down.usual = usual;
                    constants.slow_down.between_applications = between_applications;
                    all.push_back(constants);
                }
            }
        }
    }
    return all;
}

struct Sum {
    double weight = 0;
    double errors = 0;
    double surprise = 0;  // the negative logarithm of a normal density
};
using Sums = std::map<std::string, Sum>;  // by part

// Of a series' points, such that each family on each device counts once.
std::vector<double> weights_of(const std::vector<Series>& all) {
    std::map<std::pair<std::string, std::string>, double> points;
    const auto of = [&](const Series& series) -> double& {
        return points[{device_of(series), family_of(series)}];
    };
    for (const Series& series : all) {
        of(series) += static_cast<double>(series.unknown.size());
    }
    std::vector<double> weights;
    for (const Series& series : all) {
        weights.push_back(1 / std::max(1.0, of(series)));
    }
    return weights;
}

void add_errors(Sum& sum, double weight, const Predict& predict, std::span<const Point> points) {
    for (const Point& point : points) {
        const Predicted predicted = predict(point);
        const double error = std::abs(std::log(predicted.step / point.step));
        const double errors = error / predicted.uncertainty;
        sum.weight += weight;
        sum.errors += weight * error;
        sum.surprise += weight * (std::log(predicted.uncertainty) + errors * errors / 2);
    }
}

// Of one setting of the constants.
Sums sums_by_part(const std::vector<Series>& all, Part part, const Constants& constants) {
    const Shown shown(all, constants);
    const std::vector<double> weights = weights_of(all);
    Sums sums;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const elastic::SlowDown slow_down = shown.to(all[i], part);
        for (const auto* const known : {&all[i].known, &all[i].one_node}) {
            add_errors(sums[name_of(all[i], part)], weights[i],
                       hora_model(all[i], *known, slow_down, constants.speed), all[i].unknown);
        }
    }
    return sums;
}

Sum total_without(const Sums& sums, const std::string& part) {
    Sum total;
    for (const auto& [name, sum] : sums) {
        if (name != part) {
            total.weight += sum.weight;
            total.errors += sum.errors;
            total.surprise += sum.surprise;
        }
    }
    return total;
}

const std::string none;  // is no part's name

}  // namespace

Shown::Shown(const std::vector<Series>& all, const Constants& constants)
    : constants_(constants.slow_down) {
    std::map<std::string, std::set<std::string>> families;  // by device
    for (const Series& series : all) {
        families[device_of(series)].insert(family_of(series));
    }
    for (const Series& series : all) {
        const auto one = shown_slow_down(series, series.known, constants.speed);
        for (const std::string& family : families[device_of(series)]) {
            elastic::SlowDowns& others =
                shown_.try_emplace({device_of(series), family}, constants_).first->second;
            if (one && family != family_of(series)) {
                others.add(family_of(series), *one);
            }
        }
    }
}

elastic::SlowDown Shown::without_family(const Series& series) const {
    const std::string family = family_of(series);
    return shown_.at({device_of(series), family}).expected(family);
}

elastic::SlowDown Shown::without_device() const {
    return elastic::SlowDowns(constants_).expected("");
}

elastic::SlowDown Shown::to(const Series& series, Part part) const {
    return part == Part::family ? without_family(series) : without_device();
}

std::string name_of(const Series& series, Part part) {
    return part == Part::family ? family_of(series) : device_of(series);
}

HeldOut::HeldOut(const std::vector<Series>& all, Part part) : all_(all), part_(part) {
    choose_steps();
    choose_uncertainties();
}

void HeldOut::choose_steps() {
    std::map<std::string, double> least;
    for (const Constants& constants : grid()) {
        const Sums sums = sums_by_part(all_, part_, constants);
        const auto keep_best = [&](const std::string& left_out) {
            const Sum total = total_without(sums, left_out);
            const double mean = total.errors / total.weight;
            const auto [known, is_first] = least.try_emplace(left_out, mean);
            if (is_first || mean < known->second) {
                known->second = mean;
                chosen_[left_out] = constants;
            }
        };
        keep_best(none);
        for (const auto& [name, sum] : sums) {
            keep_best(name);
        }
    }
}

void HeldOut::choose_uncertainties() {
    for (auto& [left_out, chosen] : chosen_) {
        double least = HUGE_VAL;
        Constants best = chosen;
        for (const double size_error : {0.03, 0.06, 0.1}) {
            for (const double doubling_error : {0.015, 0.03, 0.05, 0.08}) {
                Constants constants = chosen;
                constants.speed.size_error = size_error;
                constants.speed.doubling_error = doubling_error;
                const Sum total = total_without(sums_by_part(all_, part_, constants), left_out);
                const double off = total.surprise / total.weight;
                if (off < least) {
                    least = off;
                    best = constants;
                }
            }
        }
        chosen = best;
    }
}

}  // namespace hora::bench
