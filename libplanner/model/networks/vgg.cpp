// VGG-16 (Simonyan and Zisserman 2014, configuration D).
#include <fmt/core.h>

#include "libplanner/model/network_builder.hpp"
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
    net.add("average", AdaptivePooling{.output = 7});
    net.add("flatten", Flatten{});
    net.add("dense6", Dense{.width = 4096});
    net.add("relu6", Activation{});
    net.add("dense7", Dense{.width = 4096});
    net.add("relu7", Activation{});
    net.add("dense8", Dense{.width = 1000});
    return std::move(net).finish();
}

}  // namespace hora::model
