#include "libplanner/read/onnx/onnx_attention.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "tests/unit/read/onnx/model_writer.hpp"

namespace hora::read {
namespace {

using model::Count;
using model::Shape;

Expected<Attention> attention_of(const AttentionInputs& inputs, std::int64_t query_heads,
                                 std::int64_t key_heads) {
    onnx::NodeProto node;
    node.set_op_type("Attention");
    if (query_heads != 0) {
        set_integer(node, "q_num_heads", query_heads);
    }
    if (key_heads != 0) {
        set_integer(node, "kv_num_heads", key_heads);
    }
    return read_attention(node, inputs);
}

struct Case {
    const char* sentence;
    AttentionInputs inputs;
    std::int64_t query_heads;
    std::int64_t key_heads;
    std::uint64_t mac;
    Shape output;
    Shape present_key;
    Shape present_value;
    Shape scores;
};

// Q K^T and its product with V: queries x keys x width each, of every head and sample.
const Case cases[] = {
    {"heads apart",
     {{2, 8, 16, 64}, {2, 8, 16, 64}, {2, 8, 16, 64}, std::nullopt},
     0,
     0,
     2 * 8 * 16 * 16 * (64 + 64),
     {2, 8, 16, 64},
     {2, 8, 16, 64},
     {2, 8, 16, 64},
     {2, 8, 16, 16}},
    {"heads within the last extent",
     {{2, 16, 512}, {2, 16, 512}, {2, 16, 512}, std::nullopt},
     8,
     8,
     2 * 8 * 16 * 16 * (64 + 64),
     {2, 16, 512},
     {2, 8, 16, 64},
     {2, 8, 16, 64},
     {2, 8, 16, 16}},
    {"other keys than queries, and wider values",
     {{1, 4, 10, 32}, {1, 4, 7, 32}, {1, 4, 7, 48}, std::nullopt},
     0,
     0,
     4 * 10 * 7 * (32 + 48),
     {1, 4, 10, 48},
     {1, 4, 7, 32},
     {1, 4, 7, 48},
     {1, 4, 10, 7}},
    {"groups of queries that share keys",
     {{1, 10, 256}, {1, 7, 64}, {1, 7, 96}, std::nullopt},
     8,
     2,
     8 * 10 * 7 * (32 + 48),
     {1, 10, 8 * 48},
     {1, 2, 7, 32},
     {1, 2, 7, 48},
     {1, 8, 10, 7}},
    {"keys of the past as well",
     {{1, 4, 1, 32}, {1, 4, 1, 32}, {1, 4, 1, 32}, Shape{1, 4, 99, 32}},
     0,
     0,
     4 * 1 * 100 * (32 + 32),
     {1, 4, 1, 32},
     {1, 4, 100, 32},
     {1, 4, 100, 32},
     {1, 4, 1, 100}},
    {"the extents say how many heads, whatever the node does",
     {{1, 4, 10, 32}, {1, 4, 10, 32}, {1, 4, 10, 32}, std::nullopt},
     3,
     5,
     4 * 10 * 10 * (32 + 32),
     {1, 4, 10, 32},
     {1, 4, 10, 32},
     {1, 4, 10, 32},
     {1, 4, 10, 10}},
    {"more than can be counted",
     {{1, 1ull << 40, 1ull << 40, 1}, {1, 1ull << 40, 1, 1}, {1, 1ull << 40, 1, 1}, std::nullopt},
     0,
     0,
     Count::top,
     {1, 1ull << 40, 1ull << 40, 1},
     {1, 1ull << 40, 1, 1},
     {1, 1ull << 40, 1, 1},
     {1, 1ull << 40, 1ull << 40, 1}},
};

TEST(OnnxAttention, CountsBothProductsOfEachHead) {
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        const auto attention = attention_of(row.inputs, row.query_heads, row.key_heads);
        ASSERT_TRUE(attention) << attention.error().message;
        EXPECT_EQ(attention->mac(), Count(row.mac));
        EXPECT_EQ(attention->output(), row.output);
        EXPECT_EQ(attention->present_key(), row.present_key);
        EXPECT_EQ(attention->present_value(), row.present_value);
        EXPECT_EQ(attention->scores(), row.scores);
    }
}

struct Misfit {
    const char* sentence;
    AttentionInputs inputs;
    std::int64_t query_heads = 0;
    std::int64_t key_heads = 0;
};

const Shape usual{2, 8, 16, 64};
const Shape flat{2, 16, 512};

const Misfit misfits[] = {
    {"another batch of keys", {usual, {1, 8, 16, 64}, {1, 8, 16, 64}, std::nullopt}},
    {"another batch of values", {usual, usual, {1, 8, 16, 64}, std::nullopt}},
    {"keys of another width", {usual, {2, 8, 16, 32}, usual, std::nullopt}},
    {"fewer values than keys", {usual, usual, {2, 8, 15, 64}, std::nullopt}},
    {"values of fewer heads", {usual, usual, {2, 4, 16, 64}, std::nullopt}},
    {"queries that cannot share the keys", {usual, {2, 3, 16, 64}, {2, 3, 16, 64}, std::nullopt}},
    {"keys of no heads", {usual, {2, 0, 16, 64}, {2, 0, 16, 64}, std::nullopt}},
    {"two extents", {{16, 64}, {16, 64}, {16, 64}, std::nullopt}, 8, 8},
    {"heads apart in the queries alone", {usual, flat, flat, std::nullopt}, 8, 8},
    {"heads that are not stated", {flat, flat, flat, std::nullopt}},
    {"heads that do not divide the width", {flat, flat, flat, std::nullopt}, 7, 7},
    {"a negative number of heads", {flat, flat, flat, std::nullopt}, -8, -8},
    {"a past without heads", {usual, usual, usual, flat}},
};

TEST(OnnxAttention, RefusesInputsThatDoNotMatch) {
    for (const Misfit& row : misfits) {
        EXPECT_FALSE(attention_of(row.inputs, row.query_heads, row.key_heads)) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::read
