#include "libplanner/model/forward_pass.hpp"

#include <gtest/gtest.h>

#include "libplanner/model/networks/builtin.hpp"

namespace hora::model {
namespace {

using domain::DataType;

TEST(ForwardPass, GivesP1sFigures) {
    const ForwardPass pass = *forward_pass(*builtin_network("alexnet-mnist"), 1, DataType::fp32);
    EXPECT_EQ(pass.total.mac, 349'459'968u);
    EXPECT_EQ(pass.total.bytes, 289'584'104u);
    EXPECT_NEAR(pass.intensity(), 1.2068, 0.00005);
}

TEST(ForwardPass, ReadsTheWeightsOnceWhateverTheBatch) {
    const domain::Network network = *builtin_network("resnet50");
    const PassCost one = forward_pass(network, 1, DataType::fp16)->total;
    const PassCost two = forward_pass(network, 2, DataType::fp16)->total;
    const PassCost three = forward_pass(network, 3, DataType::fp16)->total;
    EXPECT_EQ(two.mac, 2 * one.mac);
    EXPECT_LT(two.bytes, 2 * one.bytes);
    EXPECT_EQ(three.bytes - two.bytes, two.bytes - one.bytes);
    EXPECT_EQ(two.parameters, one.parameters);
}

TEST(ForwardPass, HalvesTheBytesInHalfPrecision) {
    const domain::Network network = *builtin_network("gpt2");
    EXPECT_EQ(forward_pass(network, 4, DataType::fp32)->total.bytes,
              2 * forward_pass(network, 4, DataType::bf16)->total.bytes);
}

TEST(ForwardPass, RefusesABatchThatNoNumberHolds) {
    const domain::Network network = *builtin_network("resnet50");
    for (const std::uint64_t batch : {std::uint64_t{0}, std::uint64_t{1} << 53}) {
        const Expected<ForwardPass> pass = forward_pass(network, batch, DataType::fp32);
        ASSERT_FALSE(pass);
        EXPECT_EQ(pass.error().kind, ErrorKind::wrong_use);
    }
}

}  // namespace
}  // namespace hora::model
