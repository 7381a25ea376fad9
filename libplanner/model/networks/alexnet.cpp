// AlexNet: as P1 counts it on MNIST, and as torchvision ships it (Krizhevsky 2014, one weird
// trick).
#include "libplanner/model/network_builder.hpp"
#include "libplanner/model/networks/dense_classifier.hpp"
#include "libplanner/model/networks/families.hpp"

namespace hora::model {

// P1's table, row by row: the layers that it lists and no others, so that W and M come out exactly.
Expected<domain::Network> alexnet_mnist(std::string name, std::uint64_t) {
    const Normalization response{.kind = NormalizationKind::local_response};
    const Pooling halve{.kernel = 2, .stride = 2};
    NetworkBuilder net(std::move(name), {1, 28, 28});
    net.add("conv1", Convolution{.channels = 96, .kernel = 11, .padding = 5});
    net.add("relu1", Activation{});
    net.add("norm1", response);
    net.add("pool1", halve);
    net.add("conv2", Convolution{.channels = 256, .kernel = 5, .padding = 2});
    net.add("relu2", Activation{});
    net.add("norm2", response);
    net.add("pool2", halve);
    net.add("conv3", Convolution{.channels = 384, .kernel = 3, .padding = 1});
    net.add("conv4", Convolution{.channels = 384, .kernel = 3, .padding = 1});
    net.add("conv5", Convolution{.channels = 256, .kernel = 3, .padding = 1});
    net.add("flatten", Flatten{});
    net.add("dense1", Dense{.width = 4096});
    net.add("relu6", Activation{});
    net.add("dense2", Dense{.width = 4096});
    net.add("relu7", Activation{});
    net.add("dense3", Dense{.width = 10});
    return std::move(net).finish();
}

Expected<domain::Network> alexnet(std::string name, std::uint64_t) {
    const Pooling pool{.kernel = 3, .stride = 2};
    NetworkBuilder net(std::move(name), {3, 224, 224});
    net.add("conv1", Convolution{.channels = 64, .kernel = 11, .stride = 4, .padding = 2});
    net.add("relu1", Activation{});
    net.add("pool1", pool);
    net.add("conv2", Convolution{.channels = 192, .kernel = 5, .padding = 2});
    net.add("relu2", Activation{});
    net.add("pool2", pool);
    net.add("conv3", Convolution{.channels = 384, .kernel = 3, .padding = 1});
    net.add("relu3", Activation{});
    net.add("conv4", Convolution{.channels = 256, .kernel = 3, .padding = 1});
    net.add("relu4", Activation{});
    net.add("conv5", Convolution{.channels = 256, .kernel = 3, .padding = 1});
    net.add("relu5", Activation{});
    net.add("pool5", pool);
    add_classifier(net, 6);
    return std::move(net).finish();
}

}  // namespace hora::model
