// Inception v3 (Szegedy and others 2015) as torchvision trains it, with the auxiliary head.
#include <fmt/core.h>

#include "libplanner/model/network_builder.hpp"
#include "libplanner/model/networks/families.hpp"

namespace hora::model {
namespace {

using Branch = std::vector<Convolution>;

const Pooling same_average{.kind = PoolingKind::average, .kernel = 3, .stride = 1, .padding = 1};

Convolution tall(std::uint64_t channels, std::uint64_t length) {
    return {.channels = channels, .kernel = {length, 1}, .padding = {length / 2, 0}};
}

Convolution wide(std::uint64_t channels, std::uint64_t length) {
    return {.channels = channels, .kernel = {1, length}, .padding = {0, length / 2}};
}

Convolution square(std::uint64_t channels, std::uint64_t length) {
    return {.channels = channels, .kernel = length, .padding = length / 2};
}

// Without padding and with stride 2: halves the picture.
Convolution halving(std::uint64_t channels) {
    return {.channels = channels, .kernel = 3, .stride = 2};
}

void unit(NetworkBuilder& net, const std::string& name, const Convolution& spec) {
    net.add_normalized(name, spec);
    net.add(name + ".relu", Activation{});
}

void chain(NetworkBuilder& net, const std::string& name, const Branch& branch) {
    int number = 0;
    for (const Convolution& spec : branch) {
        unit(net, fmt::format("{}_{}", name, ++number), spec);
    }
}

// One module: branches side by side from the same input, their channels concatenated.
class Module {
  public:
    Module(NetworkBuilder& net, std::string name)
        : net_(net), name_(std::move(name)), input_(net.shape()) {}

    Module& branch(const Branch& branch) {
        net_.continue_from(input_);
        chain(net_, next_name(), branch);
        return keep();
    }

    // A branch whose end is split once more into two convolutions side by side.
    Module& split_branch(const Branch& trunk, const Convolution& left, const Convolution& right) {
        net_.continue_from(input_);
        const std::string name = next_name();
        chain(net_, name, trunk);
        const Shape middle = net_.shape();
        unit(net_, name + ".left", left);
        keep();
        net_.continue_from(middle);
        unit(net_, name + ".right", right);
        return keep();
    }

    Module& pooled(const Pooling& pooling, const Branch& branch) {
        net_.continue_from(input_);
        const std::string name = next_name();
        net_.add(name + ".pool", pooling);
        chain(net_, name, branch);
        return keep();
    }

    void close() { net_.join(name_ + ".concat", Concatenation{}, outputs_); }

  private:
    std::string next_name() { return fmt::format("{}.branch{}", name_, ++branches_); }
    Module& keep() {
        outputs_.push_back(net_.shape());
        return *this;
    }

    NetworkBuilder& net_;
    std::string name_;
    Shape input_;
    std::vector<Shape> outputs_;
    int branches_ = 0;
};

// The five modules by the letters that torchvision gives them.
void module_a(NetworkBuilder& net, const std::string& name, std::uint64_t pooled) {
    Module(net, name)
        .branch({square(64, 1)})
        .branch({square(48, 1), square(64, 5)})
        .branch({square(64, 1), square(96, 3), square(96, 3)})
        .pooled(same_average, {square(pooled, 1)})
        .close();
}

void module_b(NetworkBuilder& net, const std::string& name) {
    Module(net, name)
        .branch({halving(384)})
        .branch({square(64, 1), square(96, 3), halving(96)})
        .pooled({.kernel = 3, .stride = 2}, {})
        .close();
}

void module_c(NetworkBuilder& net, const std::string& name, std::uint64_t narrow) {
    Module(net, name)
        .branch({square(192, 1)})
        .branch({square(narrow, 1), wide(narrow, 7), tall(192, 7)})
        .branch(
            {square(narrow, 1), tall(narrow, 7), wide(narrow, 7), tall(narrow, 7), wide(192, 7)})
        .pooled(same_average, {square(192, 1)})
        .close();
}

void module_d(NetworkBuilder& net, const std::string& name) {
    Module(net, name)
        .branch({square(192, 1), halving(320)})
        .branch({square(192, 1), wide(192, 7), tall(192, 7), halving(192)})
        .pooled({.kernel = 3, .stride = 2}, {})
        .close();
}

void module_e(NetworkBuilder& net, const std::string& name) {
    Module(net, name)
        .branch({square(320, 1)})
        .split_branch({square(384, 1)}, wide(384, 3), tall(384, 3))
        .split_branch({square(448, 1), square(384, 3)}, wide(384, 3), tall(384, 3))
        .pooled(same_average, {square(192, 1)})
        .close();
}

// Looks at the middle of the network in training only; the main path goes on from where it was.
void auxiliary_head(NetworkBuilder& net) {
    const Shape middle = net.shape();
    net.add("auxiliary.pool", Pooling{.kind = PoolingKind::average, .kernel = 5, .stride = 3});
    unit(net, "auxiliary.conv1", square(128, 1));
    unit(net, "auxiliary.conv2", {.channels = 768, .kernel = 5});
    net.add_classifier(1000, "auxiliary.");
    net.continue_from(middle);
}

void stem(NetworkBuilder& net) {
    const Pooling pool{.kernel = 3, .stride = 2};
    unit(net, "conv1", halving(32));
    unit(net, "conv2", {.channels = 32, .kernel = 3});
    unit(net, "conv3", square(64, 3));
    net.add("pool3", pool);
    unit(net, "conv4", square(80, 1));
    unit(net, "conv5", {.channels = 192, .kernel = 3});
    net.add("pool5", pool);
}

}  // namespace

Expected<domain::Network> inception_v3(std::string name, std::uint64_t) {
    NetworkBuilder net(std::move(name), {3, 299, 299});
    stem(net);
    module_a(net, "mixed5b", 32);
    module_a(net, "mixed5c", 64);
    module_a(net, "mixed5d", 64);
    module_b(net, "mixed6a");
    module_c(net, "mixed6b", 128);
    module_c(net, "mixed6c", 160);
    module_c(net, "mixed6d", 160);
    module_c(net, "mixed6e", 192);
    auxiliary_head(net);
    module_d(net, "mixed7a");
    module_e(net, "mixed7b");
    module_e(net, "mixed7c");
    net.add_classifier(1000);
    return std::move(net).finish();
}

}  // namespace hora::model
