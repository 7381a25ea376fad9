// Do layers follow each other, branch and join, up to the first error?
#include "libplanner/model/network_builder.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace hora::model {
namespace {

TEST(NetworkBuilder, AddsBranchesAndJoinsThem) {
    NetworkBuilder builder("n", {3, 8, 8});
    const Shape input = builder.shape();
    builder.add("a", Convolution{.channels = 4});
    const Shape left = builder.shape();
    builder.continue_from(input);
    builder.add("b", Convolution{.channels = 2});
    builder.join("c", Concatenation{.axis = 0}, {left, builder.shape()});
    builder.add("d", Flatten{});
    builder.add("e", Dense{.width = 10});
    const auto network = std::move(builder).finish();
    ASSERT_TRUE(network) << network.error().message;
    std::string names;
    for (const domain::Layer& layer : network->layers) {
        names += layer.name + " ";
    }
    EXPECT_EQ(names, "input a b c e ") << "a view is no layer of its own";
    EXPECT_EQ(network->layers.back().weights, 6U * 64 * 10);
}

TEST(NetworkBuilder, NormalizesConvolutionsWithoutBiases) {
    NetworkBuilder builder("n", {3, 8, 8});
    builder.add_normalized("a", {.channels = 4});
    const auto network = std::move(builder).finish();
    ASSERT_TRUE(network) << network.error().message;
    ASSERT_EQ(network->layers.size(), 3U);
    EXPECT_EQ(network->layers[1].parameters, 12U);
    EXPECT_EQ(network->layers[2].name, "a.norm");
    EXPECT_EQ(network->layers[2].parameters, 8U);
}

TEST(NetworkBuilder, ClassifiesByTheMeansOfChannels) {
    NetworkBuilder builder("n", {3, 8, 8});
    builder.add_classifier(10, "a.");
    const auto network = std::move(builder).finish();
    ASSERT_TRUE(network) << network.error().message;
    ASSERT_EQ(network->layers.size(), 3U) << "a view is no layer of its own";
    EXPECT_EQ(network->layers[1].name, "a.average");
    EXPECT_EQ(network->layers[2].name, "a.dense");
    EXPECT_EQ(network->layers[2].weights, 3U * 10);
}

TEST(NetworkBuilder, StopsAtItsFirstError) {
    NetworkBuilder builder("n", {3, 8});
    builder.add("a", Dense{});
    builder.add("b", Attention{.heads = 0});
    EXPECT_EQ(builder.shape(), (Shape{3, 8}));
    const auto network = std::move(builder).finish();
    ASSERT_FALSE(network);
    EXPECT_EQ(network.error().message, "network \"n\": layer \"a\": width is at least 1");
    EXPECT_EQ(NetworkBuilder("n", {0}).finish().error().message,
              "network \"n\": layer \"input\": its output 0 is empty");
}

}  // namespace
}  // namespace hora::model
