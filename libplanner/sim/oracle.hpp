// What does a policy know that sees the true curves?
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "libplanner/sim/knowledge.hpp"

namespace hora::sim {

class Oracle : public Knowledge {
  public:
    explicit Oracle(const domain::JobTrace& trace) : trace_(trace) {
        for (const std::vector<domain::BatchSpeed>& range : trace.ranges) {
            ranges_.push_back(std::make_shared<const elastic::SpeedCurve>(fastest(range)));
        }
        for (const domain::TrueSpeed& speed : trace.speeds) {
            elastic::SpeedCurve curve{.step = speed.epoch_seconds, .uncertainty = {}};
            for (const domain::SpreadSpeed& spread : speed.spread) {
                curve.measured.push_back({spread.gpus, spread.nodes, spread.epoch});
            }
            curves_.push_back(std::make_shared<const elastic::SpeedCurve>(std::move(curve)));
        }
    }

    std::shared_ptr<const elastic::SpeedCurve> curve(std::uint32_t job) override {
        const domain::TraceJob& described = trace_.jobs[job];
        return described.range ? ranges_[*described.range] : curves_[described.speed];
    }
    bool observe(std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, Seconds) override {
        return false;
    }

  private:
    // Packed: of each size the batch that takes the least time.
    elastic::SpeedCurve fastest(const std::vector<domain::BatchSpeed>& range) const {
        elastic::SpeedCurve curve;
        for (const domain::BatchSpeed& known : range) {
            const std::vector<Seconds>& epochs = trace_.speeds[known.speed].epoch_seconds;
            curve.step.resize(std::max(curve.step.size(), epochs.size()), Seconds(INFINITY));
        }
        curve.batch.resize(curve.step.size());
        for (const domain::BatchSpeed& known : range) {
            const std::vector<Seconds>& epochs = trace_.speeds[known.speed].epoch_seconds;
            for (std::size_t place = 0; place < curve.step.size(); ++place) {
                const Seconds epoch = epochs[std::min(place, epochs.size() - 1)];
                if (place + 1 >= known.least && epoch < curve.step[place]) {
                    curve.step[place] = epoch;
                    curve.batch[place] = known.batch;
                }
            }
        }
        return curve;
    }

    const domain::JobTrace& trace_;
    std::vector<std::shared_ptr<const elastic::SpeedCurve>> curves_;  // by JobTrace::speeds
    std::vector<std::shared_ptr<const elastic::SpeedCurve>> ranges_;  // by JobTrace::ranges
};

}  // namespace hora::sim
