// Which whole numbers do ONNX's operators begin with: constants, extents and places?
#include <algorithm>
#include <string>

#include "libplanner/model/measure.hpp"
#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {
namespace {

using model::Shape;

std::optional<Numbers> fold_constant(const KnownNode& node) {
    if (const auto* const value = find_attribute(node.node, "value")) {
        return numbers_of(value->t());
    }
    if (const auto* const value = find_attribute(node.node, "value_int")) {
        return Numbers{.values = {value->i()}};
    }
    const auto* const values = find_attribute(node.node, "value_ints");
    const std::size_t count = values == nullptr ? 0 : static_cast<std::size_t>(values->ints_size());
    if (values == nullptr || count > most_numbers) {
        return std::nullopt;
    }
    return Numbers{.extents = {count}, .values = {values->ints().begin(), values->ints().end()}};
}

std::optional<Numbers> fold_constant_of_shape(const KnownNode& node) {
    const auto* const value = find_attribute(node.node, "value");
    const auto fill = value == nullptr ? std::nullopt : numbers_of(value->t());
    const auto extents = node.input(0) == nullptr ? std::nullopt : node.input(0)->known();
    if (!fill || fill->values.size() != 1 || !extents) {
        return std::nullopt;
    }
    Numbers numbers{.type = fill->type};
    for (const std::int64_t extent : *extents) {
        if (extent < 0) {
            return std::nullopt;
        }
        numbers.extents.push_back(static_cast<std::uint64_t>(extent));
    }
    const auto count = count_numbers(numbers.extents);
    if (!count) {
        return std::nullopt;
    }
    numbers.values.assign(*count, fill->values.front());
    return numbers;
}

const onnx::TensorShapeProto* shape_of(const onnx::TypeProto* type) {
    const bool has_shape =
        type != nullptr && type->has_tensor_type() && type->tensor_type().has_shape();
    return has_shape ? &type->tensor_type().shape() : nullptr;
}

// From version 15 on a part of the extents.
std::optional<Numbers> fold_shape(const KnownNode& node) {
    const onnx::TensorShapeProto* const shape =
        node.types.empty() ? nullptr : shape_of(node.types.front());
    if (shape == nullptr || static_cast<std::size_t>(shape->dim_size()) > most_numbers) {
        return std::nullopt;
    }
    const std::int64_t rank = shape->dim_size();
    const auto inside = [rank](std::int64_t place) {
        return std::clamp<std::int64_t>(place < 0 ? place + rank : place, 0, rank);
    };
    Numbers numbers;
    const std::int64_t end = inside(node.integer("end", rank));
    for (std::int64_t axis = inside(node.integer("start", 0)); axis < end; ++axis) {
        const auto& extent = shape->dim(static_cast<int>(axis));
        const bool is_known = extent.has_dim_value() && extent.dim_value() >= 0;
        numbers.values.push_back(is_known ? Numbers::Value(extent.dim_value()) : std::nullopt);
    }
    numbers.extents = {numbers.values.size()};
    return numbers;
}

std::optional<Numbers> fold_size(const KnownNode& node) {
    const auto extents = fold_shape(node);
    if (!extents) {
        return std::nullopt;
    }
    model::Count product(1);
    for (const Numbers::Value& extent : extents->values) {
        if (!extent) {
            return std::nullopt;
        }
        product *= model::Count(static_cast<std::uint64_t>(*extent));
    }
    return Numbers{.values = {product.is_exact()
                                  ? Numbers::Value(static_cast<std::int64_t>(product.value()))
                                  : std::nullopt}};
}

// The places of all that are not 0: a row for each dimension.
std::optional<Numbers> fold_non_zero(const KnownNode& node) {
    const auto known = node.input(0) == nullptr ? std::nullopt : node.input(0)->known();
    if (!known) {
        return std::nullopt;
    }
    const Shape& extents = node.input(0)->extents;
    const View whole = whole_view(extents);
    const auto found = static_cast<std::size_t>(
        std::count_if(known->begin(), known->end(), [](std::int64_t value) { return value != 0; }));
    Numbers result{.extents = {extents.size(), found}, .values = {}};
    if (!count_numbers(result.extents)) {
        return std::nullopt;
    }
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        for (std::size_t place = 0; place < known->size(); ++place) {
            if ((*known)[place] != 0) {
                const auto along = static_cast<std::int64_t>(place) / whole.strides[axis];
                result.values.emplace_back(along % static_cast<std::int64_t>(extents[axis]));
            }
        }
    }
    return result;
}

constexpr NamedFold sources[] = {
    {"Constant", fold_constant}, {"ConstantOfShape", fold_constant_of_shape},
    {"Shape", fold_shape},       {"Size", fold_size},
    {"NonZero", fold_non_zero},
};

}  // namespace

Fold find_source(std::string_view name) {
    return find_fold(sources, name);
}

}  // namespace hora::read
