// What do ONNX's operators make of whole numbers whose order they keep?
#include <algorithm>
#include <string>

#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {
namespace {

using model::Shape;

std::optional<Numbers> with_extents(const Numbers& numbers, Shape extents) {
    const auto count = count_numbers(extents);
    if (count != numbers.values.size()) {
        return std::nullopt;
    }
    return Numbers{.type = numbers.type, .extents = std::move(extents), .values = numbers.values};
}

std::optional<Numbers> fold_squeeze(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const auto axes = node.list("axes", 1);
    if (data == nullptr || !axes) {
        return std::nullopt;
    }
    std::vector<bool> is_left_out(data->extents.size(), false);
    for (std::size_t axis = 0; axis < data->extents.size(); ++axis) {
        is_left_out[axis] = axes->empty() && data->extents[axis] == 1;
    }
    for (const std::int64_t number : *axes) {
        const auto axis = place_of(number, data->extents.size());
        if (!axis || data->extents[*axis] != 1) {
            return std::nullopt;
        }
        is_left_out[*axis] = true;
    }
    Shape extents;
    for (std::size_t axis = 0; axis < data->extents.size(); ++axis) {
        if (!is_left_out[axis]) {
            extents.push_back(data->extents[axis]);
        }
    }
    return with_extents(*data, std::move(extents));
}

std::optional<Numbers> fold_unsqueeze(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const auto axes = node.needed_list("axes", 1);
    if (data == nullptr || !axes || axes->size() > most_dimensions) {
        return std::nullopt;
    }
    Shape extents(data->extents.size() + axes->size(), 0);
    for (const std::int64_t number : *axes) {
        const auto axis = place_of(number, extents.size());
        if (!axis || extents[*axis] == 1) {
            return std::nullopt;
        }
        extents[*axis] = 1;
    }
    auto next = data->extents.begin();
    for (std::uint64_t& extent : extents) {
        extent = extent == 1 ? 1 : *next++;
    }
    return with_extents(*data, std::move(extents));
}

// 0 keeps an extent, -1 is what remains.
std::optional<Numbers> fold_reshape(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const auto target = node.needed_list("shape", 1);
    if (data == nullptr || !target || target->size() > most_dimensions) {
        return std::nullopt;
    }
    const bool keeps_zero = node.integer("allowzero", 0) == 0;
    Shape extents;
    std::optional<std::size_t> rest;
    for (std::size_t axis = 0; axis < target->size(); ++axis) {
        const std::int64_t extent = (*target)[axis];
        const bool is_kept = extent == 0 && keeps_zero;
        if (extent < -1 || (extent == -1 && rest) || (is_kept && axis >= data->extents.size())) {
            return std::nullopt;
        }
        if (extent == -1) {
            rest = axis;
        }
        extents.push_back(extent == -1 ? 1
                          : is_kept    ? data->extents[axis]
                                       : static_cast<std::uint64_t>(extent));
    }
    const auto others = count_numbers(extents);
    if (rest && (!others || *others == 0)) {
        return std::nullopt;
    }
    if (rest) {
        extents[*rest] = data->values.size() / *others;
    }
    return with_extents(*data, std::move(extents));
}

std::optional<Numbers> fold_flatten(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const auto rank = static_cast<std::int64_t>(data == nullptr ? 0 : data->extents.size());
    std::int64_t axis = node.integer("axis", 1);
    if (data == nullptr || axis < -rank || axis > rank) {
        return std::nullopt;
    }
    const auto middle = data->extents.begin() + (axis < 0 ? axis + rank : axis);
    return with_extents(*data, {*count_numbers({data->extents.begin(), middle}),
                                *count_numbers({middle, data->extents.end()})});
}

constexpr NamedFold reshapes[] = {
    {"Squeeze", fold_squeeze},
    {"Unsqueeze", fold_unsqueeze},
    {"Reshape", fold_reshape},
    {"Flatten", fold_flatten},
};

}  // namespace

Fold find_reshape(std::string_view name) {
    return find_fold(reshapes, name);
}

}  // namespace hora::read
