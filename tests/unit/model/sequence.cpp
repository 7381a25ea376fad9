// Do embedding, recurrence and attention cost what their formulae say by hand?
#include <gtest/gtest.h>

#include <limits>

#include "libplanner/model/layer.hpp"
#include "libplanner/model/measure.hpp"

namespace hora::model {
namespace {

struct Case {
    const char* sentence;
    LayerSpec spec;
    Shape input;
    Shape output;
    std::uint64_t mac;
    std::uint64_t parameters;
    std::uint64_t weights;
    std::uint64_t activations;
};

constexpr auto rnn = RecurrentKind::rnn;
constexpr auto lstm = RecurrentKind::lstm;
constexpr auto gru = RecurrentKind::gru;

const Case cases[] = {
    {"a row of the table for each position",
     Embedding{.vocabulary = 100, .width = 8},
     {5},
     {5, 8},
     0,
     800,
     800,
     40},
    {"a tied table is a later layer's weights",
     Embedding{.vocabulary = 100, .width = 8, .is_tied = true},
     {5},
     {5, 8},
     0,
     800,
     0,
     40},
    {"one gate of 4 (3 + 4)",
     Recurrent{.kind = rnn, .width = 4},
     {5, 3},
     {5, 4},
     140,
     28 + 8,
     28,
     5 * 2 * 4},
    {"four gates",
     Recurrent{.kind = lstm, .width = 4},
     {5, 3},
     {5, 4},
     560,
     112 + 32,
     112,
     5 * 6 * 4},
    {"three gates",
     Recurrent{.kind = gru, .width = 4},
     {5, 3},
     {5, 4},
     420,
     84 + 24,
     84,
     5 * 4 * 4},
    {"a second layer reads the first",
     Recurrent{.kind = rnn, .width = 4, .layers = 2},
     {5, 3},
     {5, 4},
     5 * (28 + 32),
     60 + 16,
     60,
     5 * 2 * 2 * 4},
    {"both directions, which the second layer reads both",
     Recurrent{.kind = rnn, .width = 4, .layers = 2, .is_bidirectional = true},
     {5, 3},
     {5, 8},
     5 * (56 + 96),
     152 + 32,
     152,
     5 * 4 * 2 * 4},
    {"without biases",
     Recurrent{.kind = rnn, .width = 4, .has_bias = false},
     {5, 3},
     {5, 4},
     140,
     28,
     28,
     40},
    // Four projections of 8 x 8 on 5 positions; scores of 5 x 5 x 8 twice.
    {"attention",
     Attention{.heads = 2},
     {5, 8},
     {5, 8},
     5 * 256 + 400,
     256 + 32,
     256,
     5 * 40 + 2 * 2 * 25},
    {"grouped queries shrink key and value",
     Attention{.heads = 4, .key_value_heads = 1},
     {5, 8},
     {5, 8},
     5 * 160 + 400,
     160 + 20,
     160,
     5 * 28 + 2 * 4 * 25},
    {"one head without biases",
     Attention{.heads = 1, .has_bias = false},
     {1, 8},
     {1, 8},
     256 + 16,
     256,
     256,
     40 + 2},
    {"fused attention writes no scores",
     Attention{.heads = 2, .is_fused = true},
     {5, 8},
     {5, 8},
     5 * 256 + 400,
     256 + 32,
     256,
     5 * 40},
};

TEST(Sequence, CostsWhatTheFormulaeSay) {
    for (const Case& test : cases) {
        const auto layer = make_layer("it", test.spec, std::span(&test.input, 1));
        ASSERT_TRUE(layer) << test.sentence << ": " << layer.error().message;
        EXPECT_EQ(layer->output, test.output) << test.sentence;
        EXPECT_EQ(layer->mac, test.mac) << test.sentence;
        EXPECT_EQ(layer->parameters, test.parameters) << test.sentence;
        EXPECT_EQ(layer->weights, test.weights) << test.sentence;
        EXPECT_EQ(layer->activations, test.activations) << test.sentence;
    }
}

// 5 positions of width 8 read 3 of width 6: query and output of 8 x 8 on 5, key and value of 6 x 8
// on 3, scores of 5 x 3 x 8 twice.
TEST(Sequence, AttentionReadsAnother) {
    const Shape inputs[] = {{5, 8}, {3, 6}};
    const auto layer = make_layer("it", Attention{.heads = 2}, inputs);
    ASSERT_TRUE(layer) << layer.error().message;
    EXPECT_EQ(layer->output, (Shape{5, 8}));
    EXPECT_EQ(layer->mac, 5U * 128 + 3 * 96 + 240);
    EXPECT_EQ(layer->weights, 128U + 96);
    EXPECT_EQ(layer->parameters, 128U + 96 + 32);
    EXPECT_EQ(layer->activations, 5U * 24 + 3 * 16 + 2 * 2 * 15);
    const Shape flat[] = {{5, 8}, {3}};
    EXPECT_EQ(make_layer("it", Attention{.heads = 2}, flat).error().message,
              "layer \"it\": it needs positions x width, but comes after 3");
}

struct Refused {
    const char* sentence;
    LayerSpec spec;
    Shape input;
    const char* message;
};

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

const Refused refused[] = {
    {"no vocabulary", Embedding{.width = 8}, {5}, "vocabulary and width are at least 1"},
    {"no width", Embedding{.vocabulary = 8}, {5}, "vocabulary and width are at least 1"},
    {"no positions", Recurrent{.width = 4}, {5}, "it needs positions x width, but comes after 5"},
    {"nothing but a number",
     Attention{},
     {},
     "it needs positions x width, but comes after a single number"},
    {"no state", Recurrent{}, {5, 3}, "width is at least 1 and layers from 1 to 1024"},
    {"no layers",
     Recurrent{.width = 4, .layers = 0},
     {5, 3},
     "width is at least 1 and layers from 1 to 1024"},
    {"more layers than are looped over",
     Recurrent{.width = 4, .layers = most},
     {5, 3},
     "width is at least 1 and layers from 1 to 1024"},
    {"no heads", Attention{.heads = 0}, {5, 8}, "heads = 0 does not divide the width 8"},
    {"heads that do not divide",
     Attention{.heads = 3},
     {5, 8},
     "heads = 3 does not divide the width 8"},
    {"no heads of keys",
     Attention{.heads = 4, .key_value_heads = 0},
     {5, 8},
     "key_value_heads = 0 does not divide heads = 4"},
    {"more of them than heads",
     Attention{.heads = 4, .key_value_heads = 8},
     {5, 8},
     "key_value_heads = 8 does not divide heads = 4"},
};

TEST(Sequence, SaysWhatDoesNotSuit) {
    for (const Refused& test : refused) {
        const auto layer = make_layer("it", test.spec, std::span(&test.input, 1));
        ASSERT_FALSE(layer) << test.sentence;
        EXPECT_EQ(layer.error().message, std::string("layer \"it\": ") + test.message)
            << test.sentence;
    }
}

TEST(Sequence, NumbersThatWouldWrapRoundAreTooLarge) {
    const Shape wide{most, most};
    const Shape row{5};
    const std::string message = "layer \"it\": it is larger than any machine could train";
    EXPECT_EQ(make_layer("it", Embedding{.vocabulary = most, .width = most}, std::span(&row, 1))
                  .error()
                  .message,
              message);
    EXPECT_EQ(make_layer("it", Recurrent{.width = most}, std::span(&wide, 1)).error().message,
              message);
    EXPECT_EQ(make_layer("it", Attention{}, std::span(&wide, 1)).error().message, message);
}

}  // namespace
}  // namespace hora::model
