// What does an Attention multiply, and what does it write?
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "libplanner/base/error.hpp"
#include "libplanner/model/count.hpp"
#include "libplanner/model/layer_spec.hpp"

namespace hora::read {

// Of version 23 of ONNX's operators and later.
struct Attention {
    std::uint64_t batch = 0;
    std::uint64_t query_heads = 0;
    std::uint64_t key_heads = 0;  // of the values as well
    std::uint64_t queries = 0;
    std::uint64_t keys = 0;   // with those of the past
    std::uint64_t width = 0;  // of a head's query and key
    std::uint64_t value_width = 0;
    bool has_heads_apart = true;  // as an extent of their own, and not within the last one

    // Multiply-adds of the scores and of what they weigh, masked or not.
    model::Count mac() const;
    model::Shape output() const;
    model::Shape present_key() const;
    model::Shape present_value() const;
    model::Shape scores() const;
};

struct AttentionInputs {
    model::Shape query;
    model::Shape key;
    model::Shape value;
    std::optional<model::Shape> past_key;
};

// Those that the node names, by their places; fails as `shape_at` does.
Expected<AttentionInputs> attention_inputs(
    const onnx::NodeProto& node, const std::function<Expected<model::Shape>(int place)>& shape_at);

// Fails where the inputs do not match each other or the numbers of heads that the node states.
Expected<Attention> read_attention(const onnx::NodeProto& node, const AttentionInputs& inputs);

}  // namespace hora::read
