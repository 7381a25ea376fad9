// How fast can a device run a network, and which of its two roofs holds it back?
#pragma once

#include <cstdint>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/plan.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::cost {

struct Roofline {
    FlopRate attainable;
    domain::Bound bound = domain::Bound::memory;
};

// intensity: operations for each byte that crosses the memory bus.
Roofline roofline(FlopRate peak, Bandwidth memory, double intensity);

// One layer's forward pass over `share` samples.
Flops work(const domain::LayerCost& layer, std::uint64_t share);
Bytes traffic(const domain::LayerCost& layer, std::uint64_t share);

// The whole network at this share.
Roofline roofline(const domain::Workload& workload, const domain::Device& device,
                  std::uint64_t share);

}  // namespace hora::cost
