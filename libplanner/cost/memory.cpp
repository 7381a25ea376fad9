// Does a share of the batch fit into a device's memory?
#include "libplanner/cost/memory.hpp"

namespace hora::cost {

Bytes memory_needed(const domain::Workload& workload, std::uint64_t share,
                    const domain::CostModel& model) {
    double weights = 0;
    double activations = 0;
    for (const domain::LayerCost& layer : workload.layers) {
        weights += static_cast<double>(layer.weight_bytes);
        activations += static_cast<double>(layer.activation_bytes);
    }
    return Bytes(weights * (2 + model.optimizer_states) +
                 kept_activations * activations * static_cast<double>(share)) +
           model.memory_reserve;
}

std::uint64_t largest_share(const domain::Workload& workload, Bytes memory,
                            const domain::CostModel& model, std::uint64_t limit) {
    const auto fits = [&](std::uint64_t share) {
        return memory == Bytes(0) || memory_needed(workload, share, model) <= memory;
    };
    if (fits(limit)) {
        return limit;
    }
    std::uint64_t enough = 0;
    std::uint64_t too_much = limit;
    while (enough + 1 < too_much) {
        const std::uint64_t middle = enough + (too_much - enough) / 2;
        (fits(middle) ? enough : too_much) = middle;
    }
    return enough;
}

}  // namespace hora::cost
