// What does one forward pass of a whole batch cost?
#include "libplanner/model/forward_pass.hpp"

#include <fmt/core.h>

#include "libplanner/model/count.hpp"

namespace hora::model {
namespace {

PassCost cost_of(const domain::Layer& layer, Count batch, Count size) {
    return {.mac = (Count(layer.mac) * batch).value(),
            .bytes = (size * (Count(layer.weights) + Count(layer.activations) * batch)).value(),
            .parameters = layer.parameters};
}

}  // namespace

Expected<ForwardPass> forward_pass(const domain::Network& network, std::uint64_t batch,
                                   domain::DataType type) {
    if (batch == 0) {
        return wrong_use("the batch must be at least 1");
    }
    ForwardPass pass;
    Count mac;
    Count bytes;
    for (const domain::Layer& layer : network.layers) {
        const PassCost cost = cost_of(layer, Count(batch), Count(domain::info(type).size));
        pass.layers.push_back(cost);
        pass.total.parameters += cost.parameters;
        mac += Count(cost.mac);
        bytes += Count(cost.bytes);
    }
    if (!mac.is_exact() || !bytes.is_exact()) {
        return wrong_use(fmt::format("batch {} is too large for \"{}\"", batch, network.name));
    }
    pass.total.mac = mac.value();
    pass.total.bytes = bytes.value();
    return pass;
}

}  // namespace hora::model
