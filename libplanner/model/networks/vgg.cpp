// VGG-16 (Simonyan and Zisserman 2014, configuration D).
#include <fmt/core.h>

#include "libplanner/model/network_builder.hpp"
#include "libplanner/model/networks/dense_classifier.hpp"
#include "libplanner/model/networks/families.hpp"

namespace hora::model {
namespace {

struct Block {
    std::uint64_t convolutions;
    std::uint64_t channels;
};

constexpr Block blocks[] = {{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}};

}  // namespace

Expected<domain::Network> vgg16(std::string name, std::uint64_t) {
    NetworkBuilder net(std::move(name), {3, 224, 224});
    int number = 0;
    for (const Block& block : blocks) {
        ++number;
        for (std::uint64_t i = 1; i <= block.convolutions; ++i) {
            net.add(fmt::format("conv{}_{}", number, i),
                    Convolution{.channels = block.channels, .kernel = 3, .padding = 1});
            net.add(fmt::format("relu{}_{}", number, i), Activation{});
        }
        net.add(fmt::format("pool{}", number), Pooling{.kernel = 2, .stride = 2});
    }
    add_classifier(net, 7);
    return std::move(net).finish();
}

}  // namespace hora::model
