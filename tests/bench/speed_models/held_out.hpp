// Which constants would have been chosen for Hora's model without a part of the data?
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/elastic/speed/speed_model.hpp"
#include "tests/bench/speed_models/series.hpp"

namespace hora::bench {

struct Constants {
    elastic::SpeedConstants speed;
    elastic::SlowDownConstants slow_down;
};

// What is left out together.
enum class Part { family, device };

std::string name_of(const Series& series, Part part);

// What jobs of each device on at most 4 GPUs have shown of exchanges between its nodes. Each device
// is a cluster of its own.
class Shown {
  public:
    Shown(const std::vector<Series>& all, const Constants& constants);

    // To a job of a part that is left out.
    elastic::SlowDown to(const Series& series, Part part) const;
    // To a job of a family that none of them is of.
    elastic::SlowDown without_family(const Series& series) const;
    // To the first job of a cluster.
    elastic::SlowDown without_device() const;

  private:
    elastic::SlowDownConstants constants_;
    // By device and the family that is left out.
    std::map<std::pair<std::string, std::string>, elastic::SlowDowns> shown_;
};

// All constants of a grid, each tried on every series: its mean absolute error of the logarithm
// when fitted on at most 4 GPUs or on one node and predicting more than 8, where the family or the
// whole device is unknown. With the best of them, those of the uncertainty, by their likelihood.
// Each family on each device counts once.
class HeldOut {
  public:
    // `all` outlives it.
    HeldOut(const std::vector<Series>& all, Part part);

    // By part: the best on all others. Of no part (""): the best on all.
    const std::map<std::string, Constants>& chosen() const { return chosen_; }
    const Constants& without(const Series& series) const {
        return chosen_.at(name_of(series, part_));
    }

  private:
    void choose_steps();
    void choose_uncertainties();

    const std::vector<Series>& all_;
    Part part_;
    std::map<std::string, Constants> chosen_;  // "": the best on all
};

}  // namespace hora::bench
