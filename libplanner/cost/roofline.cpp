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
    const auto roofs = attained_roofs(formats, device);
    Flops operations;
    Bytes bytes;
    Seconds computing;
    Seconds moving;
    for (const domain::LayerCost& layer : workload.layers) {
        const Roofs& roof = roofs[static_cast<std::size_t>(layer.kind)];
        const Flops computed = work(layer, share);
        const Bytes moved = traffic(layer, share);
        operations += computed;
        bytes += moved;
        computing += computed / roof.peak;
        moving += moved / roof.memory;
    }
    const double intensity = bytes > Bytes(0) ? operations.count() / bytes.count() : 0;
    const FlopRate peak = computing > Seconds(0) ? FlopRate(operations.count() / computing.count())
                                                 : device.peak_for(formats.front());
    const Bandwidth bandwidth = moving > Seconds(0) ? Bandwidth(bytes.count() / moving.count())
                                                    : device.attained_bandwidth(formats.front());
    return roofline(peak, bandwidth, intensity);
}

}  // namespace hora::cost
