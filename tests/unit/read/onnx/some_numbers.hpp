// Small tensors of whole numbers, and what a node makes of them, to test with.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {

using onnx::TensorProto;

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t huge = std::int64_t{1} << 40;
constexpr auto none = std::nullopt;

using Values = std::vector<Numbers::Value>;
using Attributes = std::map<std::string, Integers>;
using Inputs = std::vector<std::optional<Numbers>>;  // none: left out

inline Numbers list(Values values) {
    const std::size_t count = values.size();
    return {.extents = {count}, .values = std::move(values)};
}

inline Numbers single(Numbers::Value value) {
    return {.values = {value}};
}

inline Numbers table(model::Shape extents, Values values) {
    return {.extents = std::move(extents), .values = std::move(values)};
}

inline Numbers narrow(Numbers numbers) {
    numbers.type = TensorProto::INT32;
    return numbers;
}

inline Numbers truths(Values values) {
    Numbers numbers = list(std::move(values));
    numbers.type = TensorProto::BOOL;
    return numbers;
}

inline Numbers counted(std::size_t count) {
    Numbers numbers{.extents = {count}};
    for (std::size_t i = 0; i < count; ++i) {
        numbers.values.emplace_back(static_cast<std::int64_t>(i));
    }
    return numbers;
}

// These attributes are lists in ONNX; all others hold a single number.
inline bool is_list(const std::string& name) {
    return name == "axes" || name == "perm" || name == "starts" || name == "ends" ||
           name == "shape" || name == "pads" || name == "value_ints" || name == "split";
}

inline onnx::NodeProto node_of(const std::string& type, const Attributes& attributes,
                               const Inputs& inputs) {
    onnx::NodeProto node;
    node.set_op_type(type);
    for (std::size_t place = 0; place < inputs.size(); ++place) {
        node.add_input(inputs[place] ? "i" + std::to_string(place) : "");
    }
    for (const auto& [name, values] : attributes) {
        onnx::AttributeProto& attribute = *node.add_attribute();
        attribute.set_name(name);
        if (name == "value") {
            *attribute.mutable_t() = to_tensor(list({values.front()}));
        } else if (is_list(name)) {
            attribute.mutable_ints()->Add(values.begin(), values.end());
        } else {
            attribute.set_i(values.front());
        }
    }
    return node;
}

// Both outlive it.
inline KnownNode known_of(const onnx::NodeProto& node, const Inputs& inputs) {
    KnownNode known{.node = node, .numbers = {}, .types = {}};
    for (const auto& input : inputs) {
        known.numbers.push_back(input ? &*input : nullptr);
        known.types.push_back(nullptr);
    }
    return known;
}

inline std::optional<Numbers> folded(const std::string& type, const Inputs& inputs,
                                     const Attributes& attributes = {}) {
    const onnx::NodeProto node = node_of(type, attributes, inputs);
    return fold(known_of(node, inputs));
}

// All of so many outputs.
inline std::vector<std::optional<Numbers>> folded_outputs(const std::string& type, int outputs,
                                                          const Inputs& inputs,
                                                          const Attributes& attributes = {}) {
    onnx::NodeProto node = node_of(type, attributes, inputs);
    for (int place = 0; place < outputs; ++place) {
        node.add_output("o" + std::to_string(place));
    }
    KnownNode known = known_of(node, inputs);
    std::vector<std::optional<Numbers>> results;
    for (; known.output < static_cast<std::size_t>(outputs); ++known.output) {
        results.push_back(fold(known));
    }
    return results;
}

struct Row {
    const char* sentence;
    std::string type;
    Inputs inputs;
    Attributes attributes;
    Numbers result;
};

inline void check(std::span<const Row> rows) {
    for (const Row& row : rows) {
        SCOPED_TRACE(row.sentence);
        const auto result = folded(row.type, row.inputs, row.attributes);
        EXPECT_TRUE(result);
        if (result) {
            EXPECT_EQ(result->type, row.result.type);
            EXPECT_EQ(result->extents, row.result.extents);
            EXPECT_EQ(result->values, row.result.values);
        }
    }
}

struct Refused {
    const char* sentence;
    std::string type;
    Inputs inputs;
    Attributes attributes = {};
};

inline void check(std::span<const Refused> rows) {
    for (const Refused& row : rows) {
        EXPECT_FALSE(folded(row.type, row.inputs, row.attributes)) << row.sentence;
    }
}

}  // namespace hora::read
