// Do layers with a window cost as many multiply-adds as a loop over their elements makes?
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>

#include "libplanner/model/measure.hpp"
#include "tests/unit/any_number.hpp"

namespace hora::model {
namespace {

using hora::testing::any_number;

std::uint64_t small(std::uint64_t end) {
    return any_number<std::uint64_t>(1, end);
}

// For each output element, each channel of its group and each place of the kernel.
RC_GTEST_PROP(Convolution, CountsItsMultiplyAdds, ()) {
    const std::uint64_t groups = small(4);
    const std::uint64_t in = groups * small(4);
    const std::uint64_t out = groups * small(4);
    const Convolution spec{.channels = out,
                           .kernel = {small(4), small(4)},
                           .stride = small(3),
                           .padding = 1,
                           .groups = groups,
                           .has_bias = *rc::gen::arbitrary<bool>()};
    const auto measured = measure(spec, {in, 4 + small(6), 4 + small(6)});
    RC_ASSERT(measured.has_value());
    const std::uint64_t window = spec.kernel.at(0) * spec.kernel.at(1) * in / groups;
    std::uint64_t mac = 0;
    std::uint64_t elements = 0;
    for (std::uint64_t i = 0; i < out * measured->output[1] * measured->output[2]; ++i) {
        mac += window;
        ++elements;
    }
    RC_ASSERT(measured->type == "conv2d");
    RC_ASSERT(measured->mac.value() == mac);
    RC_ASSERT(measured->weights.value() == window * out);
    RC_ASSERT(measured->parameters.value() == window * out + (spec.has_bias ? out : 0));
    RC_ASSERT(measured->activations.value() == elements);
}

// Backwards it is the convolution that leads from its output to its input.
RC_GTEST_PROP(Convolution, TransposedMirrorsTheOther, ()) {
    const std::uint64_t groups = small(3);
    const std::uint64_t in = groups * small(4);
    const std::uint64_t out = groups * small(4);
    const TransposedConvolution spec{.channels = out,
                                     .kernel = small(4),
                                     .stride = small(3),
                                     .groups = groups,
                                     .has_bias = false};
    const Shape input{in, small(6), small(6)};
    const auto measured = measure(spec, input);
    RC_ASSERT(measured.has_value());
    const auto mirrored = measure(Convolution{.channels = in,
                                              .kernel = spec.kernel,
                                              .stride = spec.stride,
                                              .groups = groups,
                                              .has_bias = false},
                                  measured->output);
    RC_ASSERT(mirrored.has_value());
    RC_ASSERT(mirrored->output == input);
    RC_ASSERT(measured->mac == mirrored->mac);
    RC_ASSERT(measured->weights == mirrored->weights);
    RC_ASSERT(measured->activations == elements(measured->output));
}

TEST(Convolution, IsNamedByItsDimensions) {
    EXPECT_EQ(measure(Convolution{.channels = 1}, {1, 8})->type, "conv1d");
    EXPECT_EQ(measure(Convolution{.channels = 1}, {1, 8, 8, 8})->type, "conv3d");
    EXPECT_EQ(measure(TransposedConvolution{.channels = 1}, {1, 8})->type, "transposed_conv1d");
}

TEST(Convolution, RefusesGroupsThatDoNotDivide) {
    const auto message = [](std::uint64_t groups, std::uint64_t in, std::uint64_t out) {
        const auto one = measure(Convolution{.channels = out, .groups = groups}, {in, 8});
        const auto other =
            measure(TransposedConvolution{.channels = out, .groups = groups}, {in, 8});
        EXPECT_EQ(one ? "" : one.error().message, other ? "" : other.error().message);
        return one ? "" : one.error().message;
    };
    EXPECT_EQ(message(2, 4, 6), "");
    EXPECT_EQ(message(0, 4, 6), "groups = 0 does not divide 4 input and 6 output channels");
    EXPECT_EQ(message(3, 4, 6), "groups = 3 does not divide 4 input and 6 output channels");
    EXPECT_EQ(message(4, 4, 6), "groups = 4 does not divide 4 input and 6 output channels");
    EXPECT_EQ(message(1, 4, 0), "channels is at least 1");
}

TEST(Pooling, KeepsItsChannelsAndHasNoWeights) {
    const auto pooled = measure(Pooling{.kernel = 2}, {3, 8, 9});
    ASSERT_TRUE(pooled);
    EXPECT_EQ(pooled->output, (Shape{3, 4, 4})) << "the stride is the kernel's";
    EXPECT_EQ(pooled->type, "max_pool");
    EXPECT_EQ(pooled->mac.value() + pooled->weights.value() + pooled->parameters.value(), 0U);
    EXPECT_EQ(pooled->activations.value(), 48U);
    const auto average = measure(
        Pooling{.kind = PoolingKind::average, .kernel = 2, .stride = 1, .rounds_up = true}, {3, 8});
    EXPECT_EQ(average->type, "average_pool");
    EXPECT_EQ(average->output, (Shape{3, 7}));
    EXPECT_FALSE(measure(Pooling{}, {}));
}

TEST(Pooling, AdaptsToAnyInput) {
    EXPECT_EQ(measure(AdaptivePooling{.output = {1, 2}}, {3, 8, 9})->output, (Shape{3, 1, 2}));
    EXPECT_EQ(measure(AdaptivePooling{.output = 7}, {3, 1, 1})->output, (Shape{3, 7, 7}));
    EXPECT_FALSE(measure(AdaptivePooling{.output = {1, 2}}, {3, 8}));
    EXPECT_FALSE(measure(AdaptivePooling{.output = 1}, {3}));
}

}  // namespace
}  // namespace hora::model
