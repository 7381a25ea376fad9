// Does a layer take the inputs that suit it, and stay within the bounds of a network?
#include "libplanner/model/layer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::model {
namespace {

// "4 x 5: 20", its output and activations, or the message.
std::string made(const LayerSpec& spec, const std::vector<Shape>& inputs) {
    const auto layer = make_layer("it", spec, inputs);
    if (!layer) {
        return layer.error().message;
    }
    std::string text;
    for (const std::uint64_t extent : layer->output) {
        text += (text.empty() ? "" : " x ") + std::to_string(extent);
    }
    return text + ": " + std::to_string(layer->activations);
}

struct Case {
    const char* sentence;
    LayerSpec spec;
    std::vector<Shape> inputs;
    const char* made;
};

const Case cases[] = {
    {"an activation writes its input", Activation{}, {{4, 5}}, "4 x 5: 20"},
    {"softmax too", Softmax{}, {{4, 5}}, "4 x 5: 20"},
    {"a view writes nothing", Flatten{}, {{4, 5}}, "20: 0"},
    {"equal inputs", ElementWise{}, {{4, 5}, {4, 5}, {4, 5}}, "4 x 5: 20"},
    {"an extent of 1 is repeated", ElementWise{}, {{4, 1}, {1, 5}}, "4 x 5: 20"},
    {"another one is not",
     ElementWise{},
     {{4, 2}, {4, 5}},
     "layer \"it\": its inputs 4 x 2 and 4 x 5 do not match"},
    {"other dimensions",
     ElementWise{},
     {{4}, {4, 5}},
     "layer \"it\": its inputs 4 and 4 x 5 do not match"},
    {"one after the other", Concatenation{.axis = 0}, {{4, 5}, {1, 5}, {2, 5}}, "7 x 5: 35"},
    {"along the last dimension", Concatenation{.axis = 1}, {{4, 5}, {4, 1}}, "4 x 6: 24"},
    {"which is not there",
     Concatenation{.axis = 2},
     {{4, 5}, {4, 1}},
     "layer \"it\": axis = 2 is not one of 4 x 5"},
    {"others that differ beside it",
     Concatenation{.axis = 0},
     {{4, 5}, {4, 1}},
     "layer \"it\": its inputs 4 x 5 and 4 x 1 differ beside axis 0"},
    {"of other dimensions",
     Concatenation{.axis = 0},
     {{4, 5}, {4}},
     "layer \"it\": its inputs 4 x 5 and 4 differ beside axis 0"},
    {"of too few for the axis",
     Concatenation{.axis = 1},
     {{4, 5}, {4}},
     "layer \"it\": its inputs 4 x 5 and 4 differ beside axis 1"},
    {"one alone", Concatenation{.axis = 0}, {{4, 5}}, "4 x 5: 20"},
    {"no input", ElementWise{}, {}, "layer \"it\": it takes one input, not 0"},
    {"two for a layer of one", Activation{}, {{4}, {4}}, "layer \"it\": it takes one input, not 2"},
    {"three for one that reads another",
     Attention{},
     {{4, 5}, {3, 5}, {2, 5}},
     "layer \"it\": it takes one input or two, not 3"},
    {"dense on the last dimension", Dense{.width = 3}, {{4, 5}}, "4 x 3: 12"},
    {"dense on nothing",
     Dense{.width = 3},
     {{}},
     "layer \"it\": it needs at least one dimension to work on"},
    {"dense of no width", Dense{}, {{4}}, "layer \"it\": width is at least 1"},
    {"normalisation", Normalization{}, {{4, 5}}, "4 x 5: 20"},
    {"of nothing",
     Normalization{},
     {{}},
     "layer \"it\": it needs at least one dimension to work on"},
    {"an output without elements",
     Activation{},
     {{4, 0}},
     "layer \"it\": its output 4 x 0 is empty"},
    {"one with more than a network may have",
     Activation{},
     {{max_network_elements, 2}},
     "layer \"it\": it is larger than any machine could train"},
    {"one with as many",
     Activation{},
     {{max_network_elements}},
     "140737488355328: 140737488355328"},
};

TEST(Layer, TakesInputsThatSuitIt) {
    for (const Case& test : cases) {
        EXPECT_EQ(made(test.spec, test.inputs), test.made) << test.sentence;
    }
}

TEST(Layer, CountsWeightsAndParameters) {
    struct Weights {
        const char* sentence;
        LayerSpec spec;
        std::uint64_t mac;
        std::uint64_t weights;
        std::uint64_t parameters;
    };
    const Weights rows[] = {
        {"dense", Dense{.width = 3}, 60, 15, 18},
        {"without biases", Dense{.width = 3, .has_bias = false}, 60, 15, 15},
        {"tied, it owns its biases alone", Dense{.width = 3, .is_tied = true}, 60, 15, 3},
        {"scale and shift by the channel", Normalization{}, 0, 8, 8},
        {"or by the width", Normalization{.kind = NormalizationKind::layer}, 0, 10, 10},
        {"the root mean square is scaled alone",
         Normalization{.kind = NormalizationKind::root_mean_square}, 0, 5, 5},
        {"or none", Normalization{.has_parameters = false}, 0, 0, 0},
        {"local response has none", Normalization{.kind = NormalizationKind::local_response}, 0, 0,
         0},
    };
    for (const Weights& test : rows) {
        const Shape input{4, 5};
        const auto layer = make_layer("it", test.spec, std::span(&input, 1));
        ASSERT_TRUE(layer) << test.sentence;
        EXPECT_EQ(layer->mac, test.mac) << test.sentence;
        EXPECT_EQ(layer->weights, test.weights) << test.sentence;
        EXPECT_EQ(layer->parameters, test.parameters) << test.sentence;
    }
}

TEST(Layer, SumsOfANetworkHaveBounds) {
    domain::Network network{.name = "n", .layers = {}};
    domain::Layer half;
    half.mac = max_network_mac / 2;
    half.weights = half.parameters = half.activations = max_network_elements / 2;
    network.layers = {half, half};
    EXPECT_TRUE(check_sums(network));
    for (std::uint64_t domain::Layer::*field :
         {&domain::Layer::mac, &domain::Layer::weights, &domain::Layer::parameters,
          &domain::Layer::activations}) {
        domain::Network larger = network;
        ++(larger.layers[1].*field);
        const auto checked = check_sums(larger);
        ASSERT_FALSE(checked);
        EXPECT_EQ(checked.error().message, "network \"n\" is larger than any machine could train");
    }
}

}  // namespace
}  // namespace hora::model
