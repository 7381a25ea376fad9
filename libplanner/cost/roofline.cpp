// How fast can a device run a network, and which of its two roofs holds it back?
#include "libplanner/cost/roofline.hpp"

#include "libplanner/cost/formats.hpp"

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

// The roofs are what the layers' arithmetic and traffic attain together.
Roofline roofline(const domain::Workload& workload, const domain::Device& device,
                  std::uint64_t share) {
    const Formats formats = formats_of(workload);
    Flops operations;
    Bytes bytes;
    Seconds computing;
    Seconds moving;
    for (const domain::LayerCost& layer : workload.layers) {
        const domain::DataType type = formats[static_cast<std::size_t>(layer.kind)];
        operations += work(layer, share);
        bytes += traffic(layer, share);
        computing += work(layer, share) / device.attained_peak(type, layer.kind);
        moving += traffic(layer, share) / device.attained_bandwidth(type);
    }
    const double intensity = bytes > Bytes(0) ? operations.count() / bytes.count() : 0;
    const FlopRate peak = computing > Seconds(0) ? FlopRate(operations.count() / computing.count())
                                                 : device.peak_for(formats.front());
    const Bandwidth bandwidth = moving > Seconds(0) ? Bandwidth(bytes.count() / moving.count())
                                                    : device.attained_bandwidth(formats.front());
    return roofline(peak, bandwidth, intensity);
}

}  // namespace hora::cost
