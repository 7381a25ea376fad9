// Which whole numbers does a node compute?
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "libplanner/read/onnx/onnx_numbers.hpp"

namespace hora::read {

// A node with what is known of its inputs.
struct KnownNode {
    const onnx::NodeProto& node;
    std::vector<const Numbers*> numbers;        // of each input; null: not known, or left out
    std::vector<const onnx::TypeProto*> types;  // of each input; null likewise
    std::size_t output = 0;                     // which one is to be known

    bool has_input(std::size_t place) const;
    const Numbers* input(std::size_t place) const;  // null beyond the last
    std::int64_t integer(std::string_view attribute, std::int64_t usual) const;
    // What an attribute says in old versions of an operator, and an input in newer ones. Empty
    // list: neither is there; nothing: the input is, and is not known.
    std::optional<Integers> list(std::string_view attribute, std::size_t place) const;
    // As list(), of what must be there: nothing as well where neither is.
    std::optional<Integers> needed_list(std::string_view attribute, std::size_t place) const;
};

// Null when the node has none of this name.
const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name);

// The output of the node: of an operator that computes or moves whole numbers (and Shape, of a
// tensor of anything); beyond the first output only Split's. Empty where it is not known, does not
// fit, or would be larger than most_numbers. A number that overflows its type is not known.
std::optional<Numbers> fold(const KnownNode& node);

// How long the parts of a Split of such an extent are: as it says, or all the same but the last
// (since version 18), which may only be shorter where their number is stated. Empty where they are
// not known or do not fit.
std::optional<Integers> parts_of_split(const KnownNode& node, std::int64_t extent);

// The parts of fold(): null for an operator that is not theirs.
using Fold = std::optional<Numbers> (*)(const KnownNode& node);
Fold find_arithmetic(std::string_view name);
Fold find_move(std::string_view name);
Fold find_reshape(std::string_view name);
Fold find_indexed(std::string_view name);
Fold find_source(std::string_view name);

struct NamedFold {
    std::string_view name;
    Fold fold;
};
Fold find_fold(std::span<const NamedFold> folds, std::string_view name);

}  // namespace hora::read
