// Which whole numbers does a node compute, where those of its inputs are known?
#include "libplanner/read/onnx/onnx_folding.hpp"

#include <algorithm>
#include <string>

namespace hora::read {

bool KnownNode::has_input(std::size_t place) const {
    return place < numbers.size() && !node.input(static_cast<int>(place)).empty();
}

const Numbers* KnownNode::input(std::size_t place) const {
    return place < numbers.size() ? numbers[place] : nullptr;
}

std::int64_t KnownNode::integer(std::string_view attribute, std::int64_t usual) const {
    const onnx::AttributeProto* const found = find_attribute(node, attribute);
    return found == nullptr ? usual : found->i();
}

std::optional<Integers> KnownNode::list(std::string_view attribute, std::size_t place) const {
    if (const onnx::AttributeProto* const found = find_attribute(node, attribute)) {
        const std::size_t count = static_cast<std::size_t>(found->ints_size());
        return count > most_numbers
                   ? std::nullopt
                   : std::optional(Integers(found->ints().begin(), found->ints().end()));
    }
    if (!has_input(place)) {
        return Integers{};
    }
    return numbers[place] == nullptr ? std::nullopt : numbers[place]->known();
}

std::optional<Integers> KnownNode::needed_list(std::string_view attribute,
                                               std::size_t place) const {
    const bool is_there = find_attribute(node, attribute) != nullptr || has_input(place);
    return is_there ? list(attribute, place) : std::nullopt;
}

const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name) {
    const auto& all = node.attribute();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const auto& attribute) { return attribute.name() == name; });
    return found == all.end() ? nullptr : &*found;
}

Fold find_fold(std::span<const NamedFold> folds, std::string_view name) {
    const auto found = std::find_if(folds.begin(), folds.end(),
                                    [&](const NamedFold& named) { return named.name == name; });
    return found == folds.end() ? nullptr : found->fold;
}

std::optional<Numbers> fold(const KnownNode& node) {
    if (node.output > 0 && node.node.op_type() != "Split") {
        return std::nullopt;
    }
    for (const auto find : {find_source, find_arithmetic, find_move, find_reshape, find_indexed}) {
        if (const Fold compute = find(node.node.op_type())) {
            return compute(node);
        }
    }
    return std::nullopt;
}

}  // namespace hora::read
