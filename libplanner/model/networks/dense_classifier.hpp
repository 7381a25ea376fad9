// What do AlexNet and VGG end with?
#pragma once

#include <cstdint>

#include "libplanner/model/network_builder.hpp"

namespace hora::model {

// From maps that are averaged to `side` x `side` to the 1,000 classes of ImageNet.
inline void add_classifier(NetworkBuilder& net, std::uint64_t side) {
    net.add("average", AdaptivePooling{.output = side});
    net.add("flatten", Flatten{});
    net.add("dense6", Dense{.width = 4096});
    net.add("relu6", Activation{});
    net.add("dense7", Dense{.width = 4096});
    net.add("relu7", Activation{});
    net.add("dense8", Dense{.width = 1000});
}

}  // namespace hora::model
