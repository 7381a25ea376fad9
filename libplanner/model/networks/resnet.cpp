// ResNet-18, -50 and -101 (He and others 2015; the stride sits in the 3 x 3 convolution of a
// bottleneck, as torchvision has it).
#include <fmt/core.h>

#include <array>

#include "libplanner/model/network_builder.hpp"
#include "libplanner/model/networks/families.hpp"

namespace hora::model {
namespace {

struct Residual {
    std::string name;
    std::uint64_t width;
    std::uint64_t stride;
};

// Adds the shortcut to what the block has computed; a change of shape needs a projection.
void close_residual(NetworkBuilder& net, const Residual& block, const Shape& input) {
    const Shape output = net.shape();
    if (input != output) {
        net.continue_from(input);
        net.add_normalized(block.name + ".shortcut",
                           {.channels = output[0], .kernel = 1, .stride = block.stride});
    }
    net.join(block.name + ".add", ElementWise{}, {output, net.shape()});
    net.add(block.name + ".relu", Activation{});
}

void basic_block(NetworkBuilder& net, const Residual& block) {
    const Shape input = net.shape();
    net.add_normalized(
        block.name + ".conv1",
        {.channels = block.width, .kernel = 3, .stride = block.stride, .padding = 1});
    net.add(block.name + ".relu1", Activation{});
    net.add_normalized(block.name + ".conv2", {.channels = block.width, .kernel = 3, .padding = 1});
    close_residual(net, block, input);
}

void bottleneck(NetworkBuilder& net, const Residual& block) {
    const Shape input = net.shape();
    net.add_normalized(block.name + ".conv1", {.channels = block.width, .kernel = 1});
    net.add(block.name + ".relu1", Activation{});
    net.add_normalized(
        block.name + ".conv2",
        {.channels = block.width, .kernel = 3, .stride = block.stride, .padding = 1});
    net.add(block.name + ".relu2", Activation{});
    net.add_normalized(block.name + ".conv3", {.channels = 4 * block.width, .kernel = 1});
    close_residual(net, block, input);
}

using Block = void (*)(NetworkBuilder&, const Residual&);

Expected<domain::Network> resnet(std::string name, Block add_block, std::array<int, 4> depths) {
    NetworkBuilder net(std::move(name), {3, 224, 224});
    net.add_normalized("conv1", {.channels = 64, .kernel = 7, .stride = 2, .padding = 3});
    net.add("relu1", Activation{});
    net.add("pool1", Pooling{.kernel = 3, .stride = 2, .padding = 1});
    std::uint64_t width = 64;
    for (std::size_t stage = 0; stage < depths.size(); ++stage) {
        for (int i = 1; i <= depths[stage]; ++i) {
            const bool halves = stage > 0 && i == 1;
            add_block(net, {.name = fmt::format("conv{}_{}", stage + 2, i),
                            .width = width,
                            .stride = halves ? 2u : 1u});
        }
        width *= 2;
    }
    net.add_classifier(1000);
    return std::move(net).finish();
}

}  // namespace

Expected<domain::Network> resnet18(std::string name, std::uint64_t) {
    return resnet(std::move(name), basic_block, {2, 2, 2, 2});
}

Expected<domain::Network> resnet50(std::string name, std::uint64_t) {
    return resnet(std::move(name), bottleneck, {3, 4, 6, 3});
}

Expected<domain::Network> resnet101(std::string name, std::uint64_t) {
    return resnet(std::move(name), bottleneck, {3, 4, 23, 3});
}

}  // namespace hora::model
