// How far off were predictions of a model, by what was predicted?
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/speed_models/baselines.hpp"

namespace hora::bench {

class Errors {
  public:
    void add(const Predicted& predicted, double measured);
    // The row of a table behind its names.
    std::string text() const;

  private:
    double quantile(double part) const;

    std::vector<double> relative_;
    std::size_t within_one_ = 0;  // standard error
    std::size_t within_two_ = 0;
    bool says_uncertainty_ = false;
};

using ErrorTable = std::map<std::string, Errors>;  // by rows of the output

// Together, by set, by device and, where asked for, by model and device.
void add(ErrorTable& table, const Series& series, bool by_model, const Predict& predict,
         std::span<const Point> points);

std::string header_line();
std::string lines(std::string_view model, std::string_view what, const ErrorTable& table);

}  // namespace hora::bench
