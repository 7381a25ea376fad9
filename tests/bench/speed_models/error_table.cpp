// How far off were predictions of a model, by what was predicted?
#include "tests/bench/speed_models/error_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hora::bench {

void Errors::add(const Predicted& predicted, double measured) {
    relative_.push_back(std::abs(predicted.step / measured - 1));
    says_uncertainty_ = predicted.uncertainty > 0;
    const double off = std::abs(std::log(predicted.step / measured));
    within_one_ += off <= predicted.uncertainty ? 1 : 0;
    within_two_ += off <= 2 * predicted.uncertainty ? 1 : 0;
}

double Errors::quantile(double part) const {
    std::vector<double> sorted = relative_;
    const auto at =
        sorted.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), at, sorted.end());
    return 100 * *at;
}

std::string Errors::text() const {
    const auto count = static_cast<double>(relative_.size());
    std::string text =
        fmt::format("{:>6} {:>7.1f} {:>7.1f}", relative_.size(), quantile(0.5), quantile(0.9));
    if (says_uncertainty_) {
        text += fmt::format("  {:>4.0f} {:>4.0f}", 100 * static_cast<double>(within_one_) / count,
                            100 * static_cast<double>(within_two_) / count);
    }
    return text;
}

void add(ErrorTable& table, const Series& series, bool by_model, const Predict& predict,
         std::span<const Point> points) {
    for (const Point& point : points) {
        const Predicted predicted = predict(point);
        table["all together"].add(predicted, point.step);
        table[series.set].add(predicted, point.step);
        table["on " + device_of(series)].add(predicted, point.step);
        if (by_model) {
            table[fmt::format("{} {} {:.7}", series.set, series.model, series.device)].add(
                predicted, point.step);
        }
    }
}

std::string header_line() {
    return fmt::format("{:<21} {:<17} {:<46} {:>6} {:>7} {:>7}  within 1, 2 standard errors\n",
                       "model", "fit", "data", "points", "median%", "p90%");
}

std::string lines(std::string_view model, std::string_view what, const ErrorTable& table) {
    std::string text;
    for (const auto& [row, errors] : table) {
        text += fmt::format("{:<21} {:<17} {:<46} {}\n", model, what, row, errors.text());
    }
    return text;
}

}  // namespace hora::bench
