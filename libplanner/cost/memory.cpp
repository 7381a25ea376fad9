// Does a share of the batch fit into a device's memory?
#include "libplanner/cost/memory.hpp"

namespace hora::cost {

namespace {

constexpr std::size_t fp32 = domain::element_size(domain::DataType::fp32);

// Bytes for each byte of the weights: the weights, their gradients and the optimizer's copies. In
// mixed precision these are in fp32, and the weights are there once more in the smaller format.
double copies_of_weights(std::size_t element, const domain::CostModel& model) {
    const double copies = 2 + model.optimizer_states;
    return element < fp32 && model.master_weights ? 1 + copies * fp32 / static_cast<double>(element)
                                                  : copies;
}

// A table of a row a word that is multiplied with predicts the words.
bool predicts_words(const domain::LayerCost& layer) {
    return layer.has_rows() && layer.kind == domain::LayerKind::dense;
}

// Of what a layer writes, so many bytes are kept for each byte.
double kept(const domain::LayerCost& layer, std::size_t element) {
    if (!predicts_words(layer)) {
        return kept_activations;
    }
    const double copy = element == fp32 ? 0 : fp32;
    return 1 + (copy + loss_bytes) / static_cast<double>(element);
}

}  // namespace

Bytes memory_needed(const domain::Workload& workload, std::uint64_t share,
                    const domain::CostModel& model) {
    const std::size_t element = domain::element_size(workload.data_type);
    const double copies = copies_of_weights(element, model);
    double weights = 0;
    double activations = 0;
    for (const domain::LayerCost& layer : workload.layers) {
        weights += static_cast<double>(layer.weight_bytes);
        activations += kept(layer, element) * static_cast<double>(layer.activation_bytes);
    }
    return Bytes(weights * copies + activations * static_cast<double>(share)) +
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
