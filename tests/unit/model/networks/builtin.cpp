#include "libplanner/model/networks/builtin.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace hora::model {
namespace {

struct Sums {
    std::uint64_t mac = 0;
    std::uint64_t parameters = 0;
    std::uint64_t weights = 0;
    std::uint64_t activations = 0;
};

Sums sums_of(const domain::Network& network) {
    Sums sums;
    for (const domain::Layer& layer : network.layers) {
        sums.mac += layer.mac;
        sums.parameters += layer.parameters;
        sums.weights += layer.weights;
        sums.activations += layer.activations;
    }
    return sums;
}

domain::Network network(std::string_view name, const NetworkOptions& options = {}) {
    Expected<domain::Network> built = builtin_network(name, options);
    EXPECT_TRUE(built) << name << ": " << (built ? "" : built.error().message);
    return built ? *built : domain::Network{};
}

struct Published {
    std::string_view name;
    std::uint64_t count;
};

// Trainable parameters of the implementations in torchvision and Hugging Face transformers.
const Published published[] = {
    {"alexnet", 61'100'840},       {"vgg16", 138'357'544},         {"resnet18", 11'689'512},
    {"resnet50", 25'557'032},      {"resnet101", 44'549'160},      {"inception-v3", 27'161'264},
    {"bert-base", 109'482'240},    {"bert-large", 335'141'888},    {"gpt2", 124'439'808},
    {"vit-b-16", 86'567'656},      {"gpt2-medium", 354'823'168},   {"gpt2-large", 774'030'080},
    {"gpt2-xl", 1'557'611'200},    {"llama-7b", 6'738'415'616},    {"llama-8b", 8'030'261'248},
    {"llama-13b", 13'015'864'320}, {"t5-base", 222'903'552},       {"t5-large", 737'668'096},
    {"mobilenet-v2", 3'504'872},   {"efficientnet-b0", 5'288'548}, {"densenet121", 7'978'856},
};

// By the channels of the paper's figure 1: each convolution's kernel and biases.
TEST(Builtin, HasTheParametersOfUnetsFigure) {
    const auto convolutions = [](std::uint64_t in, std::uint64_t out) {
        return 9 * in * out + out + 9 * out * out + out;
    };
    std::uint64_t expected = convolutions(1, 64) + 64 * 2 + 2;
    for (std::uint64_t narrow = 64; narrow < 1024; narrow *= 2) {
        const std::uint64_t wide = 2 * narrow;
        const std::uint64_t up = 4 * wide * narrow + narrow;
        expected += convolutions(narrow, wide) + up + convolutions(wide, narrow);
    }
    EXPECT_EQ(expected, 31'030'658U);
    EXPECT_EQ(sums_of(network("unet")).parameters, expected);
    EXPECT_EQ(network("unet").layers.back().output, (std::vector<std::uint64_t>{2, 388, 388}));
}

TEST(Builtin, HasThePublishedNumberOfParameters) {
    for (const Published& row : published) {
        EXPECT_EQ(sums_of(network(row.name)).parameters, row.count) << row.name;
    }
}

TEST(Builtin, CountsAlexnetOnMnistAsItsSourceDoes) {
    const Sums sums = sums_of(network("alexnet-mnist"));
    EXPECT_EQ(sums.mac, 349'459'968u);
    EXPECT_EQ(4 * (sums.weights + sums.activations), 289'584'104u);
    EXPECT_EQ(sums.weights, 71'920'992u);
}

TEST(Builtin, CountsTheMultiplyAddsThatPapersPrint) {
    EXPECT_NEAR(static_cast<double>(sums_of(network("resnet50")).mac) / 1e9, 4.09, 0.005);
    EXPECT_NEAR(static_cast<double>(sums_of(network("vgg16")).mac) / 1e9, 15.47, 0.005);
    EXPECT_NEAR(static_cast<double>(sums_of(network("resnet18")).mac) / 1e9, 1.81, 0.01);
    EXPECT_NEAR(static_cast<double>(sums_of(network("resnet101")).mac) / 1e9, 7.80, 0.01);
    EXPECT_NEAR(static_cast<double>(sums_of(network("alexnet")).mac) / 1e9, 0.714, 0.001);
}

// What torch multiplies in torchvision's networks, and in U-Net written down in torch: of
// convolutions and dense layers by hooks on them, of attention its four projections and two
// products of positions by positions.
const Published multiplied[] = {
    {"resnet50", 4'089'184'256},      {"vit-b-16", 17'563'828'224},   {"mobilenet-v2", 300'774'272},
    {"efficientnet-b0", 385'814'752}, {"densenet121", 2'834'161'664}, {"unet", 150'428'424'448},
};

TEST(Builtin, CountsTheMultiplyAddsOfTorch) {
    for (const Published& row : multiplied) {
        EXPECT_EQ(sums_of(network(row.name)).mac, row.count) << row.name;
    }
}

// In training it has a second classifier, from 17 x 17 places of 768 channels pooled to 5 x 5: a
// convolution of one place, one of all, and a dense layer. Without it torch multiplies
// 5,713,216,096.
TEST(Builtin, CountsTheMultiplyAddsOfInceptionsSecondClassifier) {
    constexpr std::uint64_t second = 25 * 768 * 128 + 25 * 128 * 768 + 768 * 1000;
    EXPECT_EQ(sums_of(network("inception-v3")).mac, 5'713'216'096U + second);
}

// The sizes that papers print: T positions cost T times the weights of dense layers and of
// attention, and 2 T^2 D in each attention.
struct Transformer {
    std::string_view name;
    std::uint64_t positions;
    std::uint64_t width;
    std::uint64_t weights;  // that each position is multiplied with
    std::uint64_t attentions;
};

constexpr std::uint64_t gpt_weights(std::uint64_t layers, std::uint64_t width) {
    return layers * 12 * width * width + 50'257 * width;
}

constexpr std::uint64_t llama_weights(std::uint64_t layers, std::uint64_t width,
                                      std::uint64_t key_width, std::uint64_t inner,
                                      std::uint64_t words) {
    return layers * (2 * width * width + 2 * width * key_width + 3 * width * inner) + words * width;
}

// An encoder's layer has 4 + 8 squares of the width, a decoder's 4 + 4 + 8.
constexpr std::uint64_t t5_weights(std::uint64_t layers, std::uint64_t width) {
    return layers * 28 * width * width + 32'128 * width;
}

const Transformer transformers[] = {
    {"gpt2", 1024, 768, gpt_weights(12, 768), 12},
    {"gpt2-medium", 1024, 1024, gpt_weights(24, 1024), 24},
    {"gpt2-large", 1024, 1280, gpt_weights(36, 1280), 36},
    {"gpt2-xl", 1024, 1600, gpt_weights(48, 1600), 48},
    {"llama-7b", 4096, 4096, llama_weights(32, 4096, 4096, 11008, 32000), 32},
    {"llama-8b", 8192, 4096, llama_weights(32, 4096, 1024, 14336, 128256), 32},
    {"llama-13b", 4096, 5120, llama_weights(40, 5120, 5120, 13824, 32000), 40},
    {"t5-base", 512, 768, t5_weights(12, 768), 36},
    {"t5-large", 512, 1024, t5_weights(24, 1024), 72},
};

TEST(Builtin, CountsTheMultiplyAddsOfTransformersByTheirSizes) {
    for (const Transformer& row : transformers) {
        for (const std::uint64_t positions : {row.positions, row.positions / 4}) {
            EXPECT_EQ(
                sums_of(network(row.name, {.sequence = positions})).mac,
                positions * row.weights + row.attentions * 2 * positions * positions * row.width)
                << row.name << " of " << positions;
        }
        EXPECT_EQ(sums_of(network(row.name)).mac,
                  sums_of(network(row.name, {.sequence = row.positions})).mac)
            << row.name;
    }
}

// As the others', and the pooler, which reads the first position alone.
TEST(Builtin, CountsTheMultiplyAddsOfBert) {
    const Transformer encoders[] = {
        {"bert-base", 512, 768, 12 * 12 * 768 * 768, 12},
        {"bert-large", 512, 1024, 24 * 12 * 1024 * 1024, 24},
    };
    for (const Transformer& row : encoders) {
        for (const std::uint64_t positions : {row.positions, std::uint64_t{1}}) {
            EXPECT_EQ(sums_of(network(row.name, {.sequence = positions})).mac,
                      positions * row.weights +
                          row.attentions * 2 * positions * positions * row.width +
                          row.width * row.width)
                << row.name << " of " << positions;
        }
    }
}

TEST(Builtin, KnowsTheKindsOfItsLayers) {
    using domain::LayerKind;
    const std::map<std::string_view, std::set<LayerKind>> expected = {
        {"vit-b-16",
         {LayerKind::memory, LayerKind::convolution, LayerKind::dense, LayerKind::attention}},
        {"llama-8b", {LayerKind::memory, LayerKind::dense, LayerKind::attention}},
        {"t5-base", {LayerKind::memory, LayerKind::dense, LayerKind::attention}},
        {"mobilenet-v2",
         {LayerKind::memory, LayerKind::convolution, LayerKind::grouped_convolution,
          LayerKind::dense}},
        {"densenet121", {LayerKind::memory, LayerKind::convolution, LayerKind::dense}},
        {"unet", {LayerKind::memory, LayerKind::convolution}},
    };
    for (const auto& [name, kinds] : expected) {
        std::set<LayerKind> found;
        for (const domain::Layer& layer : network(name).layers) {
            found.insert(layer.kind);
        }
        EXPECT_EQ(found, kinds) << name;
    }
}

TEST(Builtin, CountsTheLanguageModelsByTheirLayers) {
    constexpr std::uint64_t words = 49'036;
    constexpr std::uint64_t width = 1'024;
    const Sums forward = sums_of(network("p4-ff-lm"));
    EXPECT_EQ(forward.weights, 2 * words * width + 4 * width * width);
    EXPECT_EQ(forward.parameters, forward.weights + words + width);
    EXPECT_EQ(forward.mac, 4 * width * width + width * words);
    const Sums recurrent = sums_of(network("p4-rnn-lm", {.sequence = 1}));
    EXPECT_EQ(recurrent.weights, 2 * words * width + 2 * width * width);
    EXPECT_EQ(recurrent.mac, 2 * width * width + width * words);
}

TEST(Builtin, ReadsShorterSequencesWithTheSameParameters) {
    const Sums whole = sums_of(network("bert-base"));
    const Sums half = sums_of(network("bert-base", {.sequence = 256}));
    EXPECT_EQ(whole.parameters, half.parameters);
    EXPECT_LT(half.mac, whole.mac / 2 + 1'000'000);
}

TEST(Builtin, GivesEachSideOfT5TheSequence) {
    std::map<std::string, std::vector<std::uint64_t>> outputs;
    for (const domain::Layer& layer : network("t5-base", {.sequence = 64}).layers) {
        outputs[layer.name] = layer.output;
    }
    EXPECT_EQ(outputs["words"], (std::vector<std::uint64_t>{128, 768}));
    EXPECT_EQ(outputs["encoder.positions"], (std::vector<std::uint64_t>{64, 64, 12}));
    EXPECT_EQ(outputs["encoder.norm"], (std::vector<std::uint64_t>{64, 768}));
    EXPECT_EQ(outputs["head"], (std::vector<std::uint64_t>{64, 32128}));
}

TEST(Builtin, WritesNoScoresOfLlama) {
    for (const domain::Layer& layer : network("llama-7b").layers) {
        if (layer.kind == domain::LayerKind::attention) {
            EXPECT_EQ(layer.activations, 4096U * 5 * 4096) << layer.name;
        }
    }
}

TEST(Builtin, CountsATiedTableOnce) {
    const Sums sums = sums_of(network("gpt2"));
    EXPECT_LE(sums.weights, sums.parameters);
    EXPECT_GT(sums.weights, 124'000'000u);
}

TEST(Builtin, BuildsEveryNameThatItLists) {
    for (const std::string_view name : builtin_names()) {
        EXPECT_EQ(network(name).name, name);
    }
}

struct Refused {
    std::string_view name;
    std::optional<std::uint64_t> sequence;
    std::string message;
};

const Refused refused[] = {
    {"resnet5", {}, "unknown model \"resnet5\"; did you mean \"resnet50\"?"},
    {"bert", {}, "unknown model \"bert\"; did you mean \"bert-base\" or \"bert-large\"?"},
    {"llama",
     {},
     "unknown model \"llama\"; did you mean \"llama-7b\", \"llama-8b\" or \"llama-13b\"?"},
    {"gpt",
     {},
     "unknown model \"gpt\"; did you mean \"gpt2\", \"gpt2-medium\", \"gpt2-large\" or "
     "\"gpt2-xl\"?"},
    {"t5", {}, "unknown model \"t5\"; did you mean \"t5-base\" or \"t5-large\"?"},
    {"vit", {}, "unknown model \"vit\"; did you mean \"vit-b-16\"?"},
    {"resnet",
     {},
     "unknown model \"resnet\"; did you mean \"resnet18\", \"resnet50\" or \"resnet101\"?"},
    {"kmeans-clustering",
     {},
     "unknown model \"kmeans-clustering\"; 'hora models' lists those known"},
    {"resnet50", 128, "\"resnet50\" reads no sequence; leave the sequence length out"},
    {"bert-base", 513, "\"bert-base\" reads sequences of 1 to 512 positions, not 513"},
    {"gpt2", 0, "\"gpt2\" reads sequences of 1 to 1024 positions, not 0"},
};

TEST(Builtin, SaysWhatIsWrongWithTheRequest) {
    for (const Refused& row : refused) {
        const Expected<domain::Network> built = builtin_network(row.name, {row.sequence});
        ASSERT_FALSE(built) << row.name;
        EXPECT_EQ(built.error().message, row.message);
        EXPECT_EQ(built.error().kind, ErrorKind::wrong_use);
    }
}

}  // namespace
}  // namespace hora::model
