// How fast does a job actually train, where it was placed?
#include "libplanner/sim/workload/true_speed.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

namespace hora::sim {

Seconds epoch_on(const domain::TrueSpeed& speed, std::uint32_t gpus, std::uint32_t nodes) {
    assert(gpus >= 1);
    for (const domain::SpreadSpeed& measured : speed.spread) {
        if (measured.gpus == gpus && measured.nodes == nodes) {
            return measured.epoch;
        }
    }
    return speed.epoch_seconds[std::min<std::size_t>(gpus, speed.epoch_seconds.size()) - 1];
}

std::uint64_t known_batch(const domain::JobTrace& trace, const domain::TraceJob& job,
                          std::uint64_t batch, std::uint32_t gpus) {
    std::uint64_t largest = 0;
    if (job.range) {
        for (const domain::BatchSpeed& known : trace.ranges[*job.range]) {
            if (known.least <= gpus && (largest == 0 || known.batch <= batch)) {
                largest = known.batch;
            }
        }
    }
    return largest;
}

const domain::TrueSpeed& speed_with(const domain::JobTrace& trace, const domain::TraceJob& job,
                                    std::uint64_t batch) {
    if (job.range) {
        for (const domain::BatchSpeed& known : trace.ranges[*job.range]) {
            if (known.batch == batch) {
                return trace.speeds[known.speed];
            }
        }
    }
    return trace.speeds[job.speed];
}

Seconds epoch_on_request(const domain::JobTrace& trace, const domain::TraceJob& job) {
    const std::vector<Seconds>& epochs = trace.speeds[job.speed].epoch_seconds;
    return epochs[std::min<std::size_t>(job.requested, epochs.size()) - 1];
}

}  // namespace hora::sim
