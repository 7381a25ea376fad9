// Which constants would have been chosen for Hora's model without a part of the data?
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "libplanner/elastic/speed/speed_model.hpp"
#include "tests/bench/speed_models/series.hpp"

namespace hora::bench {

// All constants of a grid, each tried on every series: its mean absolute error of the logarithm
// when fitted on at most 4 GPUs and predicting more than 8.
class HeldOut {
  public:
    // What a series is held out with: a name of it that others share.
    using PartOf = std::string (*)(const Series&);

    HeldOut(const std::vector<Series>& all, PartOf part_of);

    // By part: the best on all others.
    const std::map<std::string, elastic::SpeedConstants>& chosen() const { return chosen_; }
    const elastic::SpeedConstants& without(const Series& series) const {
        return chosen_.at(part_of_(series));
    }
    // The best on all.
    const elastic::SpeedConstants& of_all() const { return of_all_; }

  private:
    PartOf part_of_;
    std::map<std::string, elastic::SpeedConstants> chosen_;
    elastic::SpeedConstants of_all_;
};

// "resnet" of resnet50, resnet18-cifar10, …
std::string family_of(const Series& series);
std::string device_of(const Series& series);

}  // namespace hora::bench
