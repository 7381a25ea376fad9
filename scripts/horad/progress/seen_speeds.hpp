// What is a step of each elastic job thought to take, by its plan and its own reports?
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "libplanner/elastic/speed/speed_model.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

// A size each that the job was timed on.
std::vector<elastic::SpeedPoint> points_of(const JobReports& reports);

// Fitting is dear: a curve is fitted anew only where something that it is fitted to has changed.
class SeenSpeeds {
  public:
    // On 1 to `most` GPUs. Precondition: the job has a memory.
    std::shared_ptr<const elastic::SpeedCurve> of(const ObservedJob& job, std::uint32_t most,
                                                  std::uint32_t gpus_per_node,
                                                  std::vector<elastic::SpeedPoint> points);
    void forget_gone(const Observation& seen);

  private:
    struct Fitted {
        std::shared_ptr<const JobMemory> memory;
        std::uint32_t most = 0;
        std::uint32_t gpus_per_node = 0;
        std::vector<elastic::SpeedPoint> points;
        std::shared_ptr<const elastic::SpeedCurve> curve;
    };

    std::map<std::uint32_t, Fitted> fitted_;  // by job
};

}  // namespace hora::horad
