// What do ONNX's operators make of whole numbers that they pick, join, repeat or turn round?
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>

#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {
namespace {

using model::Shape;

std::optional<Numbers> fold_identity(const KnownNode& node) {
    return node.input(0) == nullptr ? std::nullopt : std::optional(*node.input(0));
}

std::optional<Numbers> fold_gather(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const Numbers* const indices = node.input(1);
    if (data == nullptr || indices == nullptr) {
        return std::nullopt;
    }
    const auto axis = place_of(node.integer("axis", 0), data->extents.size());
    if (!axis) {
        return std::nullopt;
    }
    const auto middle = data->extents.begin() + static_cast<std::ptrdiff_t>(*axis);
    const std::size_t outer = *count_numbers({data->extents.begin(), middle});
    const std::size_t inner = *count_numbers({middle + 1, data->extents.end()});
    Shape extents(data->extents.begin(), middle);
    extents.insert(extents.end(), indices->extents.begin(), indices->extents.end());
    extents.insert(extents.end(), middle + 1, data->extents.end());
    if (!count_numbers(extents)) {
        return std::nullopt;
    }
    Numbers result{.type = data->type, .extents = extents, .values = {}};
    for (std::size_t i = 0; i < outer; ++i) {
        for (const Numbers::Value& index : indices->values) {
            const auto place = index ? place_of(*index, *middle) : std::nullopt;
            for (std::size_t j = 0; j < inner; ++j) {
                result.values.push_back(place ? data->values[(i * *middle + *place) * inner + j]
                                              : std::nullopt);
            }
        }
    }
    return result;
}

// Along an axis; all have the same extents but there.
std::optional<Numbers> concatenate(const std::vector<const Numbers*>& parts, std::size_t axis) {
    Numbers result{.type = parts.front()->type, .extents = parts.front()->extents, .values = {}};
    result.extents[axis] = 0;
    for (const Numbers* const part : parts) {
        Shape rest = part->extents;
        if (rest.size() != result.extents.size() || part->type != result.type) {
            return std::nullopt;
        }
        rest[axis] = result.extents[axis];
        if (rest != result.extents) {
            return std::nullopt;
        }
        result.extents[axis] += part->extents[axis];
        if (!count_numbers(result.extents)) {
            return std::nullopt;
        }
    }
    const auto middle = result.extents.begin() + static_cast<std::ptrdiff_t>(axis);
    const std::size_t outer = *count_numbers({result.extents.begin(), middle});
    for (std::size_t i = 0; i < outer; ++i) {
        for (const Numbers* const part : parts) {
            const std::size_t row = part->values.size() / outer;
            const auto from = part->values.begin() + static_cast<std::ptrdiff_t>(i * row);
            result.values.insert(result.values.end(), from,
                                 from + static_cast<std::ptrdiff_t>(row));
        }
    }
    return result;
}

std::optional<Numbers> fold_concat(const KnownNode& node) {
    const bool knows_all = std::none_of(node.numbers.begin(), node.numbers.end(),
                                        [](const Numbers* numbers) { return numbers == nullptr; });
    if (!knows_all || node.numbers.empty()) {
        return std::nullopt;
    }
    const auto axis = place_of(node.integer("axis", 1), node.input(0)->extents.size());
    return axis ? concatenate(node.numbers, *axis) : std::nullopt;
}

std::optional<Numbers> fold_tile(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const auto repeats = node.input(1) == nullptr ? std::nullopt : node.input(1)->known();
    if (data == nullptr || !repeats || repeats->size() != data->extents.size()) {
        return std::nullopt;
    }
    std::optional<Numbers> result = *data;
    for (std::size_t axis = 0; result && axis < repeats->size(); ++axis) {
        const std::int64_t count = (*repeats)[axis];
        if (count < 1 || count > static_cast<std::int64_t>(most_numbers)) {
            return std::nullopt;
        }
        const Numbers once = *result;
        result = concatenate({static_cast<std::size_t>(count), &once}, axis);
    }
    return result;
}

// One axis of a Slice, whose bounds may count from the end and lie outside.
bool cut(View& view, std::size_t axis, std::int64_t start, std::int64_t end, std::int64_t step) {
    if (step == 0) {
        return false;
    }
    const auto extent = static_cast<std::int64_t>(view.extents[axis]);
    const std::int64_t stride = std::clamp(step, -extent - 1, extent + 1);  // longer takes one too
    const std::int64_t highest = step > 0 ? extent : extent - 1;
    const auto inside = [&](std::int64_t place, std::int64_t lowest) {
        return std::max(lowest, std::min(place < 0 ? place + extent : place, highest));
    };
    const std::int64_t first = inside(start, 0);
    const std::int64_t last = inside(end, step > 0 ? 0 : -1);
    const std::int64_t length = step > 0 ? last - first : first - last;
    const std::int64_t each = std::abs(stride);
    const std::int64_t count = extent == 0 || length <= 0 ? 0 : (length + each - 1) / each;
    view.extents[axis] = static_cast<std::uint64_t>(count);
    view.offset += count > 0 ? first * view.strides[axis] : 0;
    view.strides[axis] *= stride;
    return true;
}

std::optional<Numbers> fold_slice(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const auto starts = node.needed_list("starts", 1);
    const auto ends = node.needed_list("ends", 2);
    auto axes = node.list("axes", 3);
    auto steps = node.list("steps", 4);
    if (data == nullptr || !starts || !ends || !axes || !steps || starts->size() != ends->size()) {
        return std::nullopt;
    }
    if (axes->empty()) {
        for (std::size_t axis = 0; axis < starts->size(); ++axis) {
            axes->push_back(static_cast<std::int64_t>(axis));
        }
    }
    if (steps->empty()) {
        steps->assign(starts->size(), 1);
    }
    if (axes->size() != starts->size() || steps->size() != starts->size()) {
        return std::nullopt;
    }
    View view = whole_view(data->extents);
    const auto places = places_of(*axes, data->extents.size());
    for (std::size_t i = 0; i < axes->size(); ++i) {
        if (!places || !cut(view, (*places)[i], (*starts)[i], (*ends)[i], (*steps)[i])) {
            return std::nullopt;
        }
    }
    return copy(*data, view);
}

std::optional<Numbers> fold_split(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const auto axis =
        data == nullptr ? std::nullopt : place_of(node.integer("axis", 0), data->extents.size());
    if (!axis) {
        return std::nullopt;
    }
    const auto parts = parts_of_split(node, static_cast<std::int64_t>(data->extents[*axis]));
    if (!parts || node.output >= parts->size()) {
        return std::nullopt;
    }
    const auto own = parts->begin() + static_cast<std::ptrdiff_t>(node.output);
    View view = whole_view(data->extents);
    view.offset = std::accumulate(parts->begin(), own, std::int64_t{0}) * view.strides[*axis];
    view.extents[*axis] = static_cast<std::uint64_t>(*own);
    return copy(*data, view);
}

std::optional<Numbers> fold_transpose(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    auto order = node.list("perm", 1);
    if (data == nullptr || !order) {
        return std::nullopt;
    }
    const std::size_t rank = data->extents.size();
    if (order->empty()) {
        for (std::size_t axis = rank; axis-- > 0;) {
            order->push_back(static_cast<std::int64_t>(axis));
        }
    }
    const View whole = whole_view(data->extents);
    const auto places = places_of(*order, rank);
    if (!places || places->size() != rank) {
        return std::nullopt;
    }
    View view;
    for (const std::size_t axis : *places) {
        view.extents.push_back(whole.extents[axis]);
        view.strides.push_back(whole.strides[axis]);
    }
    return copy(*data, view);
}

std::optional<Numbers> fold_expand(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const auto target = node.input(1) == nullptr ? std::nullopt : node.input(1)->known();
    if (data == nullptr || !target || target->size() > most_dimensions) {
        return std::nullopt;
    }
    Shape shape;
    for (const std::int64_t extent : *target) {
        if (extent < 0) {
            return std::nullopt;
        }
        shape.push_back(static_cast<std::uint64_t>(extent));
    }
    const auto extents = spread_shape(data->extents, shape);
    const auto view = extents ? spread_view(data->extents, *extents) : std::nullopt;
    return view ? copy(*data, *view) : std::nullopt;
}

struct Margins {  // negative ones cut
    std::int64_t before = 0;
    std::int64_t after = 0;
};

// Of each dimension. Axes of their own are none of a shape's business.
std::optional<std::vector<Margins>> margins_of(const KnownNode& node, std::size_t rank) {
    const auto pads = node.needed_list("pads", 1);
    const auto* const mode = find_attribute(node.node, "mode");
    if (!pads || pads->size() != 2 * rank || node.has_input(3) ||
        (mode != nullptr && mode->s() != "constant")) {
        return std::nullopt;
    }
    const auto fits = [](std::int64_t pad) {
        constexpr auto most = static_cast<std::int64_t>(most_numbers);
        return pad >= -most && pad <= most;
    };
    if (!std::all_of(pads->begin(), pads->end(), fits)) {
        return std::nullopt;
    }
    std::vector<Margins> margins(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        margins[axis] = {.before = (*pads)[axis], .after = (*pads)[rank + axis]};
    }
    return margins;
}

// What the negative ones leave.
std::optional<Numbers> cut_margins(const Numbers& data, const std::vector<Margins>& margins) {
    View view = whole_view(data.extents);
    for (std::size_t axis = 0; axis < margins.size(); ++axis) {
        const std::int64_t start = std::max<std::int64_t>(0, -margins[axis].before);
        const auto extent = static_cast<std::int64_t>(data.extents[axis]);
        const std::int64_t end = extent + std::min<std::int64_t>(0, margins[axis].after);
        if (start > end || !cut(view, axis, start, end, 1)) {
            return std::nullopt;
        }
    }
    return copy(data, view);
}

std::optional<Numbers> fold_pad(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const Numbers* const fill = node.input(2);
    const auto margins = data == nullptr ? std::nullopt : margins_of(node, data->extents.size());
    if (!margins || (node.has_input(2) &&
                     (fill == nullptr || fill->values.size() != 1 || fill->type != data->type))) {
        return std::nullopt;
    }
    const Numbers::Value value = fill == nullptr ? Numbers::Value(0) : fill->values.front();
    std::optional<Numbers> result = cut_margins(*data, *margins);
    for (std::size_t axis = 0; result && axis < margins->size(); ++axis) {
        const auto margin = [&](std::int64_t extent) {
            Numbers numbers{.type = data->type, .extents = result->extents, .values = {}};
            numbers.extents[axis] = static_cast<std::size_t>(std::max<std::int64_t>(0, extent));
            const auto count = count_numbers(numbers.extents);
            numbers.values.assign(count.value_or(0), value);
            return count ? std::optional(numbers) : std::nullopt;
        };
        const auto before = margin((*margins)[axis].before);
        const auto after = margin((*margins)[axis].after);
        result = before && after ? concatenate({&*before, &*result, &*after}, axis) : std::nullopt;
    }
    return result;
}

constexpr NamedFold moves[] = {
    {"Identity", fold_identity}, {"Gather", fold_gather}, {"Concat", fold_concat},
    {"Tile", fold_tile},         {"Slice", fold_slice},   {"Transpose", fold_transpose},
    {"Expand", fold_expand},     {"Pad", fold_pad},       {"Split", fold_split},
};

}  // namespace

std::optional<Integers> parts_of_split(const KnownNode& node, std::int64_t extent) {
    const std::int64_t count = node.node.output_size();
    auto parts = node.list("split", 1);
    if (!parts || count == 0 || count > static_cast<std::int64_t>(most_numbers)) {
        return std::nullopt;
    }
    const bool states_count = find_attribute(node.node, "num_outputs") != nullptr;
    if (parts->empty() && !node.has_input(1)) {
        const std::int64_t part = extent / count + (extent % count != 0 ? 1 : 0);
        if ((extent % count != 0 && !states_count) || node.integer("num_outputs", count) != count) {
            return std::nullopt;
        }
        parts->assign(static_cast<std::size_t>(count), part);
        parts->back() = extent - part * (count - 1);
    }
    std::int64_t sum = 0;
    for (const std::int64_t part : *parts) {
        if (part < 0 || part > extent - sum) {
            return std::nullopt;
        }
        sum += part;
    }
    const bool fits = sum == extent && parts->size() == static_cast<std::size_t>(count);
    return fits ? parts : std::nullopt;
}

Fold find_move(std::string_view name) {
    return find_fold(moves, name);
}

}  // namespace hora::read
