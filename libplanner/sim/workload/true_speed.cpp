// How fast does a job actually train, where it was placed?
#include "libplanner/sim/workload/true_speed.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

namespace hora::sim {

Seconds epoch_on(const domain::TrueSpeed& speed, std::uint32_t gpus, std::uint32_t nodes) {
    assert(gpus >= 1 && gpus <= speed.epoch_seconds.size());
    for (const domain::SpreadSpeed& measured : speed.spread) {
        if (measured.gpus == gpus && measured.nodes == nodes) {
            return measured.epoch;
        }
    }
    return speed.epoch_seconds[gpus - 1];
}

Seconds epoch_on_request(const domain::JobTrace& trace, const domain::TraceJob& job) {
    const std::vector<Seconds>& epochs = trace.speeds[job.speed].epoch_seconds;
    return epochs[std::min<std::size_t>(job.requested, epochs.size()) - 1];
}

}  // namespace hora::sim
