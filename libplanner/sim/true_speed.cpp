// How fast does a job actually train, where it was placed?
#include "libplanner/sim/true_speed.hpp"

#include <cassert>

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

}  // namespace hora::sim
