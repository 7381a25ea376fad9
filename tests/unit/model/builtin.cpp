#include "libplanner/model/builtin.hpp"

#include <gtest/gtest.h>

#include <string>

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
    std::uint64_t parameters;
};

// Trainable parameters of the implementations in torchvision and Hugging Face transformers.
const Published published[] = {
    {"alexnet", 61'100'840},    {"vgg16", 138'357'544},      {"resnet18", 11'689'512},
    {"resnet50", 25'557'032},   {"resnet101", 44'549'160},   {"inception-v3", 27'161'264},
    {"bert-base", 109'482'240}, {"bert-large", 335'141'888}, {"gpt2", 124'439'808},
};

TEST(Builtin, HasThePublishedNumberOfParameters) {
    for (const Published& row : published) {
        EXPECT_EQ(sums_of(network(row.name)).parameters, row.parameters) << row.name;
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
