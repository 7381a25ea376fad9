// DenseNet-121 (Huang and others 2016), as torchvision has it: each layer reads what all layers of
// its block before it have written.
#include <fmt/core.h>

#include "libplanner/model/network_builder.hpp"
#include "libplanner/model/networks/families.hpp"

namespace hora::model {
namespace {

constexpr std::uint64_t growth = 32;  // channels that a layer adds
constexpr std::uint64_t blocks[] = {6, 12, 24, 16};

void normalize(NetworkBuilder& net, const std::string& name) {
    net.add(name + ".norm", Normalization{.kind = NormalizationKind::batch});
    net.add(name + ".relu", Activation{});
}

void dense_layer(NetworkBuilder& net, const std::string& name) {
    const Shape input = net.shape();
    normalize(net, name);
    net.add_normalized(name + ".conv1", {.channels = 4 * growth, .kernel = 1});
    net.add(name + ".conv1.relu", Activation{});
    net.add(name + ".conv2",
            Convolution{.channels = growth, .kernel = 3, .padding = 1, .has_bias = false});
    net.join(name + ".concat", Concatenation{}, {input, net.shape()});
}

// Halves the channels and the picture.
void transition(NetworkBuilder& net, const std::string& name) {
    normalize(net, name);
    net.add(name + ".conv",
            Convolution{.channels = net.shape()[0] / 2, .kernel = 1, .has_bias = false});
    net.add(name + ".pool", Pooling{.kind = PoolingKind::average, .kernel = 2});
}

}  // namespace

Expected<domain::Network> densenet121(std::string name, std::uint64_t) {
    NetworkBuilder net(std::move(name), {3, 224, 224});
    net.add_normalized("conv1", {.channels = 64, .kernel = 7, .stride = 2, .padding = 3});
    net.add("relu1", Activation{});
    net.add("pool1", Pooling{.kernel = 3, .stride = 2, .padding = 1});
    int number = 0;
    for (const std::uint64_t layers : blocks) {
        if (number > 0) {
            transition(net, fmt::format("transition{}", number));
        }
        ++number;
        for (std::uint64_t i = 1; i <= layers; ++i) {
            dense_layer(net, fmt::format("block{}_{}", number, i));
        }
    }
    normalize(net, "last");
    net.add_classifier(1000);
    return std::move(net).finish();
}

}  // namespace hora::model
