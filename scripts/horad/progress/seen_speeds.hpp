// What is a step of each elastic job thought to take, by its plan and its own reports?
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/elastic/speed/slow_down.hpp"
#include "libplanner/elastic/speed/speed_model.hpp"
#include "libplanner/elastic/speed/speed_prior.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

// A size each that the job was timed on.
std::vector<elastic::SpeedPoint> points_of(const JobReports& reports);

// Fitting is dear: a curve is fitted anew only where something that it is fitted to has changed.
class SeenSpeeds {
  public:
    // What a curve is fitted to.
    struct Basis {
        std::string pool;        // which GPUs it may have: their network is the same
        std::uint32_t most = 0;  // on 1 to so many GPUs
        std::uint32_t gpus_per_node = 0;
        std::optional<elastic::NodeLinks> links{};
        std::optional<elastic::BatchRange> batches{};  // of a job whose batch may change
        std::vector<elastic::SpeedPoint> points;

        friend bool operator==(const Basis&, const Basis&) = default;
    };

    // Precondition: the job has a memory.
    std::shared_ptr<const elastic::SpeedCurve> of(const ObservedJob& job, Basis basis);
    // What jobs, also those that have ended, have shown until now of exchanges between nodes is
    // expected by the others from now on.
    void share_slow_downs();
    void forget_gone(const Observation& seen);

  private:
    struct Fitted {
        std::shared_ptr<const JobMemory> memory;
        Basis basis;
        elastic::SlowDown slow_down;             // that was expected
        std::optional<elastic::SlowDown> shown;  // as it was last shared
        std::shared_ptr<const elastic::SpeedCurve> curve;
    };

    elastic::SlowDown expected(const ObservedJob& job, const std::string& pool,
                               const std::optional<elastic::SlowDown>& shown) const;

    std::map<std::uint32_t, Fitted> fitted_;                // by job
    std::map<std::string, elastic::SlowDowns> slow_downs_;  // by pool
    // By pool and model: by the last of the jobs that have ended.
    std::map<std::pair<std::string, std::string>, elastic::SlowDown> ended_;
};

}  // namespace hora::horad
