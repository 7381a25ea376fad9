// How is a network written down so that it reads like its paper?
#include "libplanner/model/network_builder.hpp"

namespace hora::model {

NetworkBuilder::NetworkBuilder(std::string name, Shape input)
    : network_{.name = std::move(name), .layers = {}} {
    append(make_input(input), true);
}

void NetworkBuilder::add(std::string name, const LayerSpec& spec) {
    join(std::move(name), spec, {shape_});
}

void NetworkBuilder::add_normalized(const std::string& name, Convolution spec) {
    spec.has_bias = false;
    add(name, spec);
    add(name + ".norm", Normalization{.kind = NormalizationKind::batch});
}

void NetworkBuilder::add_classifier(std::uint64_t classes, const std::string& prefix) {
    add(prefix + "average", AdaptivePooling{.output = 1});
    add(prefix + "flatten", Flatten{});
    add(prefix + "dense", Dense{.width = classes});
}

void NetworkBuilder::join(std::string name, const LayerSpec& spec, std::vector<Shape> inputs) {
    if (state_) {
        append(make_layer(std::move(name), spec, inputs), !is_view(spec));
    }
}

Expected<domain::Network> NetworkBuilder::finish() && {
    if (!state_) {
        return unexpected(state_.error().within("network \"" + network_.name + "\""));
    }
    if (const Expected<void> checked = check_sums(network_); !checked) {
        return unexpected(checked.error());
    }
    return std::move(network_);
}

void NetworkBuilder::append(Expected<domain::Layer> layer, bool is_listed) {
    if (!layer) {
        state_ = unexpected(layer.error());
        return;
    }
    shape_ = layer->output;
    if (is_listed) {
        network_.layers.push_back(std::move(*layer));
    }
}

}  // namespace hora::model
