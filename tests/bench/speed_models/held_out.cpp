// Which constants would have been chosen for Hora's model without a part of the data?
#include "tests/bench/speed_models/held_out.hpp"

#include <algorithm>
#include <cmath>

#include "tests/bench/speed_models/hora_model.hpp"

namespace hora::bench {
namespace {

std::vector<elastic::SpeedConstants> grid() {
    std::vector<elastic::SpeedConstants> all;
    for (const double power : {1.0, 1.25, 1.5, 2.0}) {
        for (const double unknown_part : {0.01, 0.03, 0.1, 0.3}) {
            for (const double slow_down_error : {1.0, 2.0, 3.0}) {
                all.push_back({power, unknown_part, slow_down_error});
            }
        }
    }
    return all;
}

struct Sum {
    double errors = 0;
    double points = 0;
};

// Of one setting of the constants.
std::map<std::string, Sum> errors_by_part(const std::vector<Series>& all, HeldOut::PartOf part_of,
                                          const elastic::SpeedConstants& constants) {
    std::map<std::string, Sum> sums;
    for (const Series& series : all) {
        if (series.unknown.empty()) {
            continue;
        }
        const Predict predict = hora_model(series, series.known, constants);
        Sum& sum = sums[part_of(series)];
        for (const Point& point : series.unknown) {
            sum.errors += std::abs(std::log(predict(point).step / point.step));
            sum.points += 1;
        }
    }
    return sums;
}

double mean_without(const std::map<std::string, Sum>& sums, const std::string& part) {
    Sum total;
    for (const auto& [name, sum] : sums) {
        total.errors += name == part ? 0 : sum.errors;
        total.points += name == part ? 0 : sum.points;
    }
    return total.errors / total.points;
}

}  // namespace

HeldOut::HeldOut(const std::vector<Series>& all, PartOf part_of) : part_of_(part_of) {
    std::map<std::string, double> least;
    const std::string none;  // is no part's name
    for (const elastic::SpeedConstants& constants : grid()) {
        const std::map<std::string, Sum> sums = errors_by_part(all, part_of, constants);
        const auto keep_best = [&](const std::string& part, elastic::SpeedConstants& best) {
            const double mean = mean_without(sums, part);
            const auto [known, is_first] = least.try_emplace(part, mean);
            if (is_first || mean < known->second) {
                known->second = mean;
                best = constants;
            }
        };
        keep_best(none, of_all_);
        for (const auto& [part, sum] : sums) {
            keep_best(part, chosen_[part]);
        }
    }
}

std::string family_of(const Series& series) {
    return series.model.substr(0, series.model.find_first_of("0123456789-_"));
}

std::string device_of(const Series& series) {
    return series.device.substr(0, series.device.find('-'));
}

}  // namespace hora::bench
