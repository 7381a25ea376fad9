// What is a step of each elastic job thought to take, by its plan and its own reports?
#include "scripts/horad/progress/seen_speeds.hpp"

#include <utility>

#include "libplanner/elastic/speed/speed_prior.hpp"

namespace hora::horad {

std::vector<elastic::SpeedPoint> points_of(const JobReports& reports) {
    std::vector<elastic::SpeedPoint> points;
    for (const TimedSteps& timed : reports.timed) {
        points.push_back({timed.gpus, timed.nodes, timed.step, timed.steps});
    }
    return points;
}

std::shared_ptr<const elastic::SpeedCurve> SeenSpeeds::of(const ObservedJob& job,
                                                          std::uint32_t most,
                                                          std::uint32_t gpus_per_node,
                                                          std::vector<elastic::SpeedPoint> points) {
    Fitted& fitted = fitted_[job.id];
    if (fitted.curve == nullptr || fitted.memory != job.memory || fitted.most != most ||
        fitted.gpus_per_node != gpus_per_node || fitted.points != points) {
        fitted = {.memory = job.memory,
                  .most = most,
                  .gpus_per_node = gpus_per_node,
                  .points = std::move(points),
                  .curve = nullptr};
        fitted.curve = std::make_shared<const elastic::SpeedCurve>(
            elastic::seen_speed(job.memory->decision, most, gpus_per_node, fitted.points));
    }
    return fitted.curve;
}

void SeenSpeeds::forget_gone(const Observation& seen) {
    std::erase_if(fitted_, [&](const auto& one) { return seen.find(one.first) == nullptr; });
}

}  // namespace hora::horad
