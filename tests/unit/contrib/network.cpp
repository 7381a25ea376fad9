#include "contrib/trainer/digits/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "libplanner/read/model/model_file.hpp"

namespace hora::trainer {
namespace {

Digit some_digit(std::size_t label) {
    Digit digit;
    for (std::size_t i = 0; i < image_size; ++i) {
        digit.pixels[i] = static_cast<double>((i * 7 + label * 5) % 17) / 16;
    }
    digit.label = label;
    return digit;
}

TEST(Network, GradientIsTheSlopeOfTheLoss) {
    Network network(3);
    const Digit digit = some_digit(4);
    std::vector<double> gradient(Network::parameter_count);
    network.learn(digit, std::span<double, Network::parameter_count>(gradient));
    std::vector<double> unused(Network::parameter_count);
    const auto loss_at = [&](std::size_t i, double shift) {
        network.parameters()[i] += shift;
        const double loss =
            network.learn(digit, std::span<double, Network::parameter_count>(unused));
        network.parameters()[i] -= shift;
        return loss;
    };
    constexpr double small = 1e-6;
    for (std::size_t i = 0; i < Network::parameter_count; i += 13) {
        const double slope = (loss_at(i, small) - loss_at(i, -small)) / (2 * small);
        EXPECT_NEAR(gradient[i], slope, 1e-6) << "parameter " << i;
    }
}

TEST(Network, GradientsOfSamplesAddUp) {
    Network network(3);
    const auto gradient_of = [&](std::initializer_list<std::size_t> labels) {
        std::vector<double> gradient(Network::parameter_count);
        for (const std::size_t label : labels) {
            network.learn(some_digit(label), std::span<double, Network::parameter_count>(gradient));
        }
        return gradient;
    };
    const auto both = gradient_of({1, 2});
    const auto one = gradient_of({1});
    const auto other = gradient_of({2});
    for (std::size_t i = 0; i < both.size(); ++i) {
        EXPECT_NEAR(both[i], one[i] + other[i], 1e-12);
    }
}

TEST(Network, TheSameSeedDrawsTheSameWeights) {
    Network one(5);
    Network same(5);
    Network other(6);
    EXPECT_TRUE(std::ranges::equal(one.parameters(), same.parameters()));
    EXPECT_FALSE(std::ranges::equal(one.parameters(), other.parameters()));
}

// The layer table that users name with --hora-model describes this very network.
TEST(Network, HasTheParametersOfItsLayerTable) {
    const char* const source = std::getenv("srcdir");
    const auto table = read::read_model(std::string(source == nullptr ? "." : source) +
                                        "/contrib/trainer/digits/digits.toml");
    ASSERT_TRUE(table.has_value()) << table.error().message;
    const auto parameters = std::accumulate(
        table->layers.begin(), table->layers.end(), std::uint64_t{0},
        [](std::uint64_t sum, const domain::Layer& layer) { return sum + layer.parameters; });
    EXPECT_EQ(parameters, Network::parameter_count);
    EXPECT_EQ(table->name, "digits");
}

}  // namespace
}  // namespace hora::trainer
