// Which gradient noise scale has the program of a job whose batch may change?
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "libplanner/elastic/speed/batch_range.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

// It grows while a training goes on, and what programs measure varies by more: so it is rounded to
// powers of the square root of two, by which no curve is fitted anew for each report, and no job
// goes to and fro between two batches.
double rounded_noise_scale(std::uint64_t samples);

// What one job reports serves others of the same user and model.
class NoiseScales {
  public:
    // Of a job with a range of batches. By its own reports, else by its owner's word, else by
    // another job's. `reports` is null where it was not heard of.
    elastic::BatchRange range_of(const ObservedJob& job, const JobReports* reports);

  private:
    std::map<std::pair<std::uint32_t, std::string>, double> known_;  // by user and model
};

}  // namespace hora::horad
