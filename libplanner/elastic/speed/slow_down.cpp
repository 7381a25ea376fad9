// By what factor do exchanges between a cluster's nodes take longer than its data sheet says?
#include "libplanner/elastic/speed/slow_down.hpp"

#include <algorithm>
#include <cmath>

namespace hora::elastic {
namespace {

double square(double value) {
    return value * value;
}

}  // namespace

bool is_other(const SlowDown& one, const SlowDown& other) {
    constexpr double shift = 0.25;  // in the lesser deviation
    constexpr double ratio = 1.25;
    const auto [least, most] = std::minmax(one.deviation, other.deviation);
    return std::abs(one.log - other.log) > shift * least || most > ratio * least;
}

void SlowDowns::Shown::add(const SlowDown& shown, double times) {
    const double precision = times / square(shown.deviation);
    count += times;
    precisions += precision;
    logs += precision * shown.log;
}

// The jobs' mean, as sure as one of them is in the mean: what they share is the application's own.
SlowDowns::Sum SlowDowns::weight_of(const Shown& shown) const {
    if (shown.count == 0) {
        return {};
    }
    const double variance = shown.count / shown.precisions;
    const double precision = 1 / (variance + square(constants_.between_applications));
    return {precision, precision * shown.logs / shown.precisions};
}

void SlowDowns::add(const std::string& application, const SlowDown& shown) {
    change(application, shown, 1);
}

void SlowDowns::remove(const std::string& application, const SlowDown& shown) {
    change(application, shown, -1);
}

void SlowDowns::change(const std::string& application, const SlowDown& shown, double times) {
    Shown& all = shown_[application];
    const Sum before = weight_of(all);
    all.add(shown, times);
    const Sum after = weight_of(all);
    sum_.precision += after.precision - before.precision;
    sum_.log += after.log - before.log;
}

SlowDown SlowDowns::expected(const std::string& application,
                             const std::optional<SlowDown>& own) const {
    const double of_clusters = 1 / square(constants_.between_clusters);
    Sum sum{of_clusters + sum_.precision, of_clusters * constants_.usual + sum_.log};
    if (const auto found = shown_.find(application); own && found != shown_.end()) {
        Shown others = found->second;
        others.add(*own, -1);
        const Sum with = weight_of(found->second);
        const Sum without = weight_of(others);
        sum.precision += without.precision - with.precision;
        sum.log += without.log - with.log;
    }
    return {sum.log / sum.precision,
            std::sqrt(1 / sum.precision + square(constants_.between_applications))};
}

}  // namespace hora::elastic
