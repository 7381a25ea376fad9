// U-Net (Ronneberger and others 2015) by the paper's figure 1: 572 x 572 pixels of one channel in,
// 388 x 388 of two classes out, convolutions without padding.
#include <fmt/core.h>

#include "libplanner/model/network_builder.hpp"
#include "libplanner/model/networks/families.hpp"

namespace hora::model {
namespace {

constexpr std::uint64_t widest = 1024;

void two_convolutions(NetworkBuilder& net, const std::string& name, std::uint64_t channels) {
    for (int i = 1; i <= 2; ++i) {
        net.add(fmt::format("{}.conv{}", name, i), Convolution{.channels = channels, .kernel = 3});
        net.add(fmt::format("{}.relu{}", name, i), Activation{});
    }
}

// Doubles the picture and puts the middle of `kept`, cropped to its size, before it.
void up(NetworkBuilder& net, const std::string& name, const Shape& kept) {
    net.add(name + ".up", TransposedConvolution{.channels = kept[0], .kernel = 2, .stride = 2});
    Shape middle = net.shape();
    middle[0] = kept[0];
    net.join(name + ".concat", Concatenation{}, {middle, net.shape()});
    two_convolutions(net, name, kept[0]);
}

}  // namespace

Expected<domain::Network> unet(std::string name, std::uint64_t) {
    NetworkBuilder net(std::move(name), {1, 572, 572});
    std::vector<Shape> kept;
    for (std::uint64_t channels = 64; channels < widest; channels *= 2) {
        const std::string level = fmt::format("down{}", kept.size() + 1);
        two_convolutions(net, level, channels);
        kept.push_back(net.shape());
        net.add(level + ".pool", Pooling{.kernel = 2});
    }
    two_convolutions(net, "bottom", widest);
    for (; !kept.empty(); kept.pop_back()) {
        up(net, fmt::format("up{}", kept.size()), kept.back());
    }
    net.add("head", Convolution{.channels = 2, .kernel = 1});
    return std::move(net).finish();
}

}  // namespace hora::model
