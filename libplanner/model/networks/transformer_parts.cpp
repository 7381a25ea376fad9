// What have the transformers in common?
#include "libplanner/model/networks/transformer_parts.hpp"

#include <fmt/core.h>

namespace hora::model {
namespace {

void add_layer(NetworkBuilder& net, const std::string& name, const Transformer& size) {
    net.add(name + ".norm1", layer_norm);
    net.add(name + ".attention", Attention{.heads = size.heads});
    net.add(name + ".add1", ElementWise{});
    net.add(name + ".norm2", layer_norm);
    add_feed_forward(net, name, size.width);
    net.add(name + ".add2", ElementWise{});
}

}  // namespace

void add_feed_forward(NetworkBuilder& net, const std::string& name, std::uint64_t width) {
    net.add(name + ".expand", Dense{.width = 4 * width});
    net.add(name + ".gelu", Activation{});
    net.add(name + ".contract", Dense{.width = width});
}

void add_prenormalized_layers(NetworkBuilder& net, const Transformer& size) {
    for (std::uint64_t i = 1; i <= size.layers; ++i) {
        add_layer(net, fmt::format("layer{}", i), size);
    }
    net.add("norm", layer_norm);
}

}  // namespace hora::model
