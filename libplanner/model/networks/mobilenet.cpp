// MobileNetV2 (Sandler and others 2018) and EfficientNet-B0 (Tan and Le 2019), as torchvision has
// them: stages of inverted residuals.
#include <fmt/core.h>

#include <span>

#include "libplanner/model/network_builder.hpp"
#include "libplanner/model/networks/families.hpp"

namespace hora::model {
namespace {

// The blocks widen their input, convolve each channel by itself, and narrow it again.
struct Stage {
    std::uint64_t widening;
    std::uint64_t kernel;
    std::uint64_t stride;  // of the first block
    std::uint64_t channels;
    std::uint64_t blocks;
};

void unit(NetworkBuilder& net, const std::string& name, const Convolution& spec) {
    net.add_normalized(name, spec);
    net.add(name + ".activation", Activation{});
}

// Weighs each channel by what two small layers make of the channels' means.
void squeeze(NetworkBuilder& net, const std::string& name, std::uint64_t channels) {
    const Shape input = net.shape();
    net.add(name + ".average", AdaptivePooling{.output = 1});
    net.add(name + ".squeeze", Convolution{.channels = channels, .kernel = 1});
    net.add(name + ".activation", Activation{});
    net.add(name + ".excite", Convolution{.channels = input[0], .kernel = 1});
    net.add(name + ".sigmoid", Activation{});
    net.join(name + ".scale", ElementWise{}, {input, net.shape()});
}

void inverted_residual(NetworkBuilder& net, const std::string& name, const Stage& stage,
                       bool squeezes) {
    const Shape input = net.shape();
    const std::uint64_t wide = stage.widening * input[0];
    if (wide != input[0]) {
        unit(net, name + ".expand", {.channels = wide, .kernel = 1});
    }
    unit(net, name + ".depthwise",
         {.channels = wide,
          .kernel = stage.kernel,
          .stride = stage.stride,
          .padding = stage.kernel / 2,
          .groups = wide});
    if (squeezes) {
        squeeze(net, name + ".squeeze", input[0] / 4);
    }
    net.add_normalized(name + ".project", {.channels = stage.channels, .kernel = 1});
    if (net.shape() == input) {
        net.add(name + ".add", ElementWise{});
    }
}

Expected<domain::Network> inverted_residuals(std::string name, std::span<const Stage> stages,
                                             bool squeezes) {
    NetworkBuilder net(std::move(name), {3, 224, 224});
    unit(net, "stem", {.channels = 32, .kernel = 3, .stride = 2, .padding = 1});
    int number = 0;
    for (Stage stage : stages) {
        ++number;
        for (std::uint64_t i = 1; i <= stage.blocks; ++i) {
            inverted_residual(net, fmt::format("block{}_{}", number, i), stage, squeezes);
            stage.stride = 1;
        }
    }
    unit(net, "last", {.channels = 1280, .kernel = 1});
    net.add_classifier(1000);
    return std::move(net).finish();
}

}  // namespace

Expected<domain::Network> mobilenet_v2(std::string name, std::uint64_t) {
    constexpr Stage stages[] = {{1, 3, 1, 16, 1}, {6, 3, 2, 24, 2}, {6, 3, 2, 32, 3},
                                {6, 3, 2, 64, 4}, {6, 3, 1, 96, 3}, {6, 3, 2, 160, 3},
                                {6, 3, 1, 320, 1}};
    return inverted_residuals(std::move(name), stages, false);
}

Expected<domain::Network> efficientnet_b0(std::string name, std::uint64_t) {
    constexpr Stage stages[] = {{1, 3, 1, 16, 1}, {6, 3, 2, 24, 2},  {6, 5, 2, 40, 2},
                                {6, 3, 2, 80, 3}, {6, 5, 1, 112, 3}, {6, 5, 2, 192, 4},
                                {6, 3, 1, 320, 1}};
    return inverted_residuals(std::move(name), stages, true);
}

}  // namespace hora::model
