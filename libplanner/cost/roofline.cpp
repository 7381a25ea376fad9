// How fast can a device run a network, and which of its two roofs holds it back?
#include "libplanner/cost/roofline.hpp"

#include <algorithm>

namespace hora::cost {

// P1: P = beta * I if I < pi / beta, else pi.
Roofline roofline(FlopRate peak, Bandwidth memory, double intensity) {
    const FlopRate fed(memory.count() * intensity);
    if (fed < peak) {
        return {fed, domain::Bound::memory};
    }
    return {peak, domain::Bound::compute};
}

Flops work(const domain::LayerCost& layer, std::uint64_t share) {
    return Flops(2.0 * static_cast<double>(layer.mac) * static_cast<double>(share));
}

// Weights are read once a pass whatever the share; activations are written for each sample.
Bytes traffic(const domain::LayerCost& layer, std::uint64_t share) {
    return Bytes(static_cast<double>(layer.weight_bytes) +
                 static_cast<double>(layer.activation_bytes) * static_cast<double>(share));
}

// P1, layer by layer, of what the device attains:
// tau = max(launch, W / (eta_c pi), M / (eta_m beta)).
Seconds forward_time(const domain::LayerCost& layer, const domain::Device& device,
                     domain::DataType type, std::uint64_t share) {
    return std::max({device.efficiency.layer,
                     work(layer, share) / device.attained_peak(type, layer.kind),
                     traffic(layer, share) / device.attained_bandwidth(type)});
}

Seconds forward_time(const domain::Workload& workload, const domain::Device& device,
                     std::uint64_t share) {
    Seconds total;
    for (const domain::LayerCost& layer : workload.layers) {
        total += forward_time(layer, device, workload.data_type, share);
    }
    return total;
}

// The roofs are what the layers' arithmetic and traffic attain together.
Roofline roofline(const domain::Workload& workload, const domain::Device& device,
                  std::uint64_t share) {
    const domain::DataType type = workload.data_type;
    Flops operations;
    Flops at_peak;  // done meanwhile at the full rate
    Bytes bytes;
    for (const domain::LayerCost& layer : workload.layers) {
        operations += work(layer, share);
        at_peak += work(layer, share) /
                   device.efficiency.compute(device.computes_in(type), layer.kind);
        bytes += traffic(layer, share);
    }
    const double intensity = bytes > Bytes(0) ? operations.count() / bytes.count() : 0;
    const double attained = at_peak > Flops(0) ? operations / at_peak : 1;
    return roofline(device.peak_for(type) * attained, device.attained_bandwidth(type), intensity);
}

}  // namespace hora::cost
