// Which gradient noise scale has the program of a job whose batch may change?
#include "scripts/horad/progress/noise_scales.hpp"

#include <cmath>

#include "libplanner/cost/measured_table.hpp"

namespace hora::horad {

double rounded_noise_scale(std::uint64_t samples) {
    return samples == 0 ? 0
                        : std::exp2(std::round(2 * std::log2(static_cast<double>(samples))) / 2);
}

elastic::BatchRange NoiseScales::range_of(const ObservedJob& job, const JobReports* reports) {
    // Users name models as they like.
    constexpr std::size_t most = 1000;
    const domain::JobOptions& options = job.memory->options;
    elastic::BatchRange range{.min = options.batch.value_or(1),
                              .max = options.max_batch.value_or(options.batch.value_or(1))};
    const std::pair of(job.uid, cost::model_key(options.model.value_or("")));
    if (reports != nullptr && reports->noise_scale > 0) {
        range.noise_scale = rounded_noise_scale(reports->noise_scale);
        if (options.model && (known_.size() < most || known_.contains(of))) {
            known_[of] = range.noise_scale;
        }
    } else if (options.noise_scale) {
        range.noise_scale = rounded_noise_scale(*options.noise_scale);
    } else if (const auto other = known_.find(of); options.model && other != known_.end()) {
        range.noise_scale = other->second;
    }
    return range;
}

}  // namespace hora::horad
