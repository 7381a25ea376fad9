// What does a forward pass take by itself? A step without a backward pass, and without what comes
// beside the layers.
#pragma once

#include "libplanner/cost/step.hpp"

namespace hora::cost {

inline double forward_seconds(const domain::Workload& workload, domain::Device device,
                              std::uint64_t share) {
    device.efficiency.step = Seconds(0);
    device.efficiency.optimizer_bytes = 0;
    domain::CostModel model;
    model.backward_factor = 0;
    return Step(workload, device, share, model).compute().count();
}

}  // namespace hora::cost
