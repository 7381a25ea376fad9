// What was measured at each size of a job, as one figure?
#include "libplanner/elastic/speed/speed_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <tuple>

namespace hora::elastic {
namespace {

// What no number of steps averages out: other nodes, a neighbour's load. And what does.
constexpr double size_error = 0.03;
constexpr double step_error = 0.2;

bool can_be(const SpeedPoint& point, std::size_t most_gpus) {
    return point.gpus >= 1 && point.gpus <= most_gpus && point.nodes >= 1 &&
           point.nodes <= point.gpus && point.step > Seconds(0) &&
           std::isfinite(point.step.count()) && point.steps > 0 && std::isfinite(point.steps);
}

// Of the number of GPUs. What is beyond was measured wrong or is made up: where a smaller share of
// the batch fits into caches, less is gained.
constexpr double most_speed_up = 1.2;

// By GPUs `fewer` comes first.
bool contradict(const MeasuredSize& fewer, const MeasuredSize& more) {
    return fewer.batch == more.batch && fewer.gpus < more.gpus &&
           fewer.step * fewer.gpus > most_speed_up * more.step * more.gpus;
}

// One after the other the size that contradicts most others goes; of two, the one of more GPUs.
void drop_unbelievable(std::vector<MeasuredSize>& sizes) {
    while (true) {
        std::vector<std::size_t> contradictions(sizes.size());
        for (std::size_t more = 0; more < sizes.size(); ++more) {
            for (std::size_t fewer = 0; fewer < more; ++fewer) {
                if (contradict(sizes[fewer], sizes[more])) {
                    ++contradictions[fewer];
                    ++contradictions[more];
                }
            }
        }
        const auto most = std::max_element(contradictions.rbegin(), contradictions.rend());
        if (most == contradictions.rend() || *most == 0) {
            return;
        }
        sizes.erase(std::next(sizes.begin(), std::distance(most, contradictions.rend()) - 1));
    }
}

bool are_of_one_size(const SpeedPoint& one, const SpeedPoint& other) {
    return one.gpus == other.gpus && one.nodes == other.nodes && one.batch == other.batch;
}

// Points of one size, by their time.
MeasuredSize size_of(std::span<const SpeedPoint> points) {
    double steps = 0;
    for (const SpeedPoint& point : points) {
        steps += point.steps;
    }
    std::size_t median = 0;
    double below = points[0].steps;
    while (median + 1 < points.size() && below < steps / 2) {
        ++median;
        below += points[median].steps;
    }
    return {points[0].gpus, points[0].nodes, points[median].step.count(),
            std::hypot(size_error, step_error / std::sqrt(std::max(1.0, steps))), points[0].batch};
}

}  // namespace

std::vector<MeasuredSize> measured_sizes(std::span<const SpeedPoint> points,
                                         std::size_t most_gpus) {
    std::vector<SpeedPoint> sorted;
    std::copy_if(points.begin(), points.end(), std::back_inserter(sorted),
                 [&](const SpeedPoint& point) { return can_be(point, most_gpus); });
    std::sort(sorted.begin(), sorted.end(), [](const SpeedPoint& one, const SpeedPoint& other) {
        return std::tie(one.gpus, one.nodes, one.batch, one.step) <
               std::tie(other.gpus, other.nodes, other.batch, other.step);
    });
    std::vector<MeasuredSize> sizes;
    for (std::size_t first = 0; first < sorted.size();) {
        std::size_t end = first + 1;
        while (end < sorted.size() && are_of_one_size(sorted[first], sorted[end])) {
            ++end;
        }
        sizes.push_back(size_of(std::span(sorted).subspan(first, end - first)));
        first = end;
    }
    drop_unbelievable(sizes);
    return sizes;
}

}  // namespace hora::elastic
