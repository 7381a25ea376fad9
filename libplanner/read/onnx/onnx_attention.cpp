// What does an Attention multiply, and what does it write?
#include "libplanner/read/onnx/onnx_attention.hpp"

#include <string_view>

#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {
namespace {

using model::Count;
using model::Shape;

struct Heads {
    std::uint64_t batch = 0;
    std::uint64_t heads = 0;
    std::uint64_t positions = 0;
    std::uint64_t width = 0;
};

// Four extents name the heads; of three the last is divided among as many as the node states.
std::optional<Heads> heads_of(const Shape& shape, std::int64_t stated) {
    if (shape.size() == 4) {
        return Heads{shape[0], shape[1], shape[2], shape[3]};
    }
    const auto heads = static_cast<std::uint64_t>(stated);
    if (shape.size() != 3 || stated <= 0 || shape[2] % heads != 0) {
        return std::nullopt;
    }
    return Heads{shape[0], heads, shape[1], shape[2] / heads};
}

std::int64_t stated_heads(const onnx::NodeProto& node, std::string_view attribute) {
    const onnx::AttributeProto* const found = find_attribute(node, attribute);
    return found == nullptr ? 0 : found->i();
}

bool match(const Heads& query, const Heads& key, const Heads& value) {
    return query.batch == key.batch && key.batch == value.batch && key.heads == value.heads &&
           key.heads > 0 && query.heads % key.heads == 0 && query.width == key.width &&
           key.positions == value.positions;
}

}  // namespace

Count Attention::mac() const {
    return Count(batch) * Count(query_heads) * Count(queries) * Count(keys) *
           (Count(width) + Count(value_width));
}

Shape Attention::output() const {
    return has_heads_apart
               ? Shape{batch, query_heads, queries, value_width}
               : Shape{batch, queries, (Count(query_heads) * Count(value_width)).value()};
}

Shape Attention::present_key() const {
    return {batch, key_heads, keys, width};
}

Shape Attention::present_value() const {
    return {batch, key_heads, keys, value_width};
}

Shape Attention::scores() const {
    return {batch, query_heads, queries, keys};
}

Expected<AttentionInputs> attention_inputs(
    const onnx::NodeProto& node, const std::function<Expected<Shape>(int place)>& shape_at) {
    constexpr int past_place = 4;
    const bool has_past = node.input_size() > past_place && !node.input(past_place).empty();
    const Expected<Shape> query = shape_at(0);
    const Expected<Shape> key = shape_at(1);
    const Expected<Shape> value = shape_at(2);
    const Expected<Shape> past = has_past ? shape_at(past_place) : Shape();
    for (const Expected<Shape>* const shape : {&query, &key, &value, &past}) {
        if (!*shape) {
            return unexpected(shape->error());
        }
    }
    return AttentionInputs{.query = *query,
                           .key = *key,
                           .value = *value,
                           .past_key = has_past ? std::optional(*past) : std::nullopt};
}

Expected<Attention> read_attention(const onnx::NodeProto& node, const AttentionInputs& inputs) {
    const auto query = heads_of(inputs.query, stated_heads(node, "q_num_heads"));
    const std::int64_t key_heads = stated_heads(node, "kv_num_heads");
    const auto key = heads_of(inputs.key, key_heads);
    const auto value = heads_of(inputs.value, key_heads);
    const bool is_alike =
        inputs.query.size() == inputs.key.size() && inputs.key.size() == inputs.value.size();
    if (!query || !key || !value || !is_alike || !match(*query, *key, *value)) {
        return failure("its query, key and value do not match each other and its numbers of heads");
    }
    Count keys(key->positions);
    if (inputs.past_key) {
        if (inputs.past_key->size() != 4) {
            return failure("the keys of its past need four extents");
        }
        keys += Count((*inputs.past_key)[2]);
    }
    return Attention{.batch = query->batch,
                     .query_heads = query->heads,
                     .key_heads = key->heads,
                     .queries = query->positions,
                     .keys = keys.value(),
                     .width = query->width,
                     .value_width = value->width,
                     .has_heads_apart = inputs.query.size() == 4};
}

}  // namespace hora::read
