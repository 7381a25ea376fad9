// What does a policy know that sees the true curves?
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "libplanner/sim/knowledge.hpp"

namespace hora::sim {

class Oracle : public Knowledge {
  public:
    explicit Oracle(const domain::JobTrace& trace) : trace_(trace) {
        for (const domain::TrueSpeed& speed : trace.speeds) {
            elastic::SpeedCurve curve{.step = speed.epoch_seconds, .uncertainty = {}};
            for (const domain::SpreadSpeed& spread : speed.spread) {
                curve.measured.push_back({spread.gpus, spread.nodes, spread.epoch});
            }
            curves_.push_back(std::make_shared<const elastic::SpeedCurve>(std::move(curve)));
        }
    }

    std::shared_ptr<const elastic::SpeedCurve> curve(std::uint32_t job) override {
        return curves_[trace_.jobs[job].speed];
    }
    bool observe(std::uint32_t, std::uint32_t, std::uint32_t, Seconds) override { return false; }

  private:
    const domain::JobTrace& trace_;
    std::vector<std::shared_ptr<const elastic::SpeedCurve>> curves_;  // by JobTrace::speeds
};

}  // namespace hora::sim
