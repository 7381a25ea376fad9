// Which types and shapes have the outputs of operators that are newer than the ONNX library?
#include "libplanner/read/onnx/onnx_newer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "libplanner/model/count.hpp"
#include "libplanner/read/onnx/onnx_attention.hpp"

namespace hora::read {
namespace {

using model::Count;
using model::Shape;
using onnx::NodeProto;
using onnx::TypeProto;

std::optional<Shape> shape_of(const KnownNode& node, std::size_t place) {
    return place < node.types.size() ? known_shape(node.types[place]) : std::nullopt;
}

std::int32_t element_of(const KnownNode& node, std::size_t place) {
    return place < node.types.size() && node.types[place] != nullptr
               ? node.types[place]->tensor_type().elem_type()
               : static_cast<std::int32_t>(onnx::TensorProto::UNDEFINED);
}

std::optional<Integers> numbers_of(const KnownNode& node, std::size_t place) {
    const Numbers* const numbers = node.input(place);
    return numbers == nullptr ? std::nullopt : numbers->known();
}

Expected<OutputTypes> same_as_input(const KnownNode& node) {
    const auto shape = shape_of(node, 0);
    return shape ? OutputTypes{tensor_type(element_of(node, 0), *shape)} : OutputTypes{};
}

// It computes in the type of its scale.
Expected<OutputTypes> scaled(const KnownNode& node) {
    const auto shape = shape_of(node, 0);
    return shape ? OutputTypes{tensor_type(element_of(node, 1), *shape)} : OutputTypes{};
}

Expected<OutputTypes> spread(const KnownNode& node) {
    const auto one = shape_of(node, 0);
    const auto other = shape_of(node, 1);
    if (!one || !other) {
        return OutputTypes{};
    }
    const auto both = spread_shape(*one, *other);
    if (!both) {
        return failure("the extents of its inputs do not fit");
    }
    return OutputTypes{tensor_type(element_of(node, 0), *both)};
}

Expected<OutputTypes> attended(const KnownNode& node) {
    const auto inputs = attention_inputs(node.node, [&](int place) -> Expected<Shape> {
        const auto shape = shape_of(node, static_cast<std::size_t>(place));
        return shape ? Expected<Shape>(*shape) : failure("it is not known");
    });
    if (!inputs) {
        return OutputTypes{};
    }
    return read_attention(node.node, *inputs).map([&](const Attention& attention) {
        const std::int32_t element = element_of(node, 0);
        return OutputTypes{tensor_type(element, attention.output()),
                           tensor_type(element_of(node, 1), attention.present_key()),
                           tensor_type(element_of(node, 2), attention.present_value()),
                           tensor_type(element, attention.scores())};
    });
}

// Margins may be negative, and then cut.
std::optional<std::uint64_t> with_margins(std::uint64_t extent, std::int64_t before,
                                          std::int64_t after) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(before, after, &sum) || __builtin_add_overflow(sum, extent, &sum) ||
        sum < 0) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(sum);
}

Expected<OutputTypes> padded(const KnownNode& node) {
    auto shape = shape_of(node, 0);
    const auto margins = numbers_of(node, 1);
    const auto axes = numbers_of(node, 3);
    if (!shape || !margins || !axes) {
        return OutputTypes{};
    }
    const auto places = places_of(*axes, shape->size());
    if (!places || margins->size() != 2 * places->size()) {
        return failure("its margins and axes do not fit its input");
    }
    for (std::size_t i = 0; i < places->size(); ++i) {
        std::uint64_t& extent = (*shape)[(*places)[i]];
        const auto padded = with_margins(extent, (*margins)[i], (*margins)[places->size() + i]);
        if (!padded) {
            return failure("its margins cut more than there is");
        }
        extent = *padded;
    }
    return OutputTypes{tensor_type(element_of(node, 0), *shape)};
}

Expected<OutputTypes> parted(const KnownNode& node) {
    const auto shape = shape_of(node, 0);
    if (!shape) {
        return OutputTypes{};
    }
    const auto axis = place_of(node.integer("axis", 0), shape->size());
    const auto parts =
        axis ? parts_of_split(node, static_cast<std::int64_t>((*shape)[*axis])) : std::nullopt;
    if (!parts) {
        return failure("its input cannot be split into as many parts");
    }
    OutputTypes types;
    for (const std::int64_t part : *parts) {
        Shape extents = *shape;
        extents[*axis] = static_cast<std::uint64_t>(part);
        types.push_back(tensor_type(element_of(node, 0), extents));
    }
    return types;
}

std::string_view ratio_policy(const NodeProto& node) {
    const onnx::AttributeProto* const found = find_attribute(node, "keep_aspect_ratio_policy");
    return found == nullptr ? "stretch" : std::string_view(found->s());
}

// Those that the attribute names, else all.
std::optional<std::vector<std::size_t>> named_places(const KnownNode& node, std::size_t rank) {
    if (const onnx::AttributeProto* const axes = find_attribute(node.node, "axes")) {
        return places_of(Integers(axes->ints().begin(), axes->ints().end()), rank);
    }
    std::vector<std::size_t> places(rank);
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
}

// To sizes of some axes, by what is cut or added at both ends.
Expected<OutputTypes> centred(const KnownNode& node) {
    auto shape = shape_of(node, 0);
    const auto sizes = numbers_of(node, 1);
    if (!shape || !sizes) {
        return OutputTypes{};
    }
    const auto places = named_places(node, shape->size());
    if (!places || places->size() != sizes->size()) {
        return failure("its sizes and axes do not fit its input");
    }
    for (std::size_t i = 0; i < places->size(); ++i) {
        if ((*sizes)[i] < 0) {
            return failure("it has a negative size");
        }
        (*shape)[(*places)[i]] = static_cast<std::uint64_t>((*sizes)[i]);
    }
    return OutputTypes{tensor_type(element_of(node, 0), *shape)};
}

// To sizes of some axes; or, in the input's own proportions, to the largest within all of them or
// the smallest around them.
Expected<OutputTypes> resized(const KnownNode& node) {
    constexpr std::size_t sizes_place = 3;
    if (!node.has_input(sizes_place)) {
        return failure("factors for some axes only are not followed; state sizes");
    }
    auto shape = shape_of(node, 0);
    const auto sizes = numbers_of(node, sizes_place);
    if (!shape || !sizes) {
        return OutputTypes{};
    }
    const auto places = named_places(node, shape->size());
    if (!places || places->size() != sizes->size()) {
        return failure("its sizes and axes do not fit its input");
    }
    std::vector<double> ratios;
    for (std::size_t i = 0; i < places->size(); ++i) {
        const std::uint64_t extent = (*shape)[(*places)[i]];
        if ((*sizes)[i] <= 0 || extent == 0) {
            return failure("it has an extent of nothing");
        }
        ratios.push_back(static_cast<double>((*sizes)[i]) / static_cast<double>(extent));
    }
    const std::string_view policy = ratio_policy(node.node);
    for (std::size_t i = 0; i < places->size(); ++i) {
        std::uint64_t& extent = (*shape)[(*places)[i]];
        const double ratio = policy == "not_larger"    ? std::ranges::min(ratios)
                             : policy == "not_smaller" ? std::ranges::max(ratios)
                                                       : ratios[i];
        const double length = std::floor(ratio * static_cast<double>(extent) + 0.5);
        extent = static_cast<std::uint64_t>(std::min(length, static_cast<double>(Count::top)));
    }
    return OutputTypes{tensor_type(element_of(node, 0), *shape)};
}

// From N x (C * block) x L to N x C x the image.
Expected<OutputTypes> columns_to_image(const KnownNode& node) {
    const auto shape = shape_of(node, 0);
    const auto image = numbers_of(node, 1);
    const auto block = numbers_of(node, 2);
    if (!shape || !image || !block) {
        return OutputTypes{};
    }
    Count pixels(1);
    for (const std::int64_t extent : *block) {
        pixels *= Count(static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 0)));
    }
    const bool are_extents =
        std::ranges::all_of(*image, [](std::int64_t extent) { return extent > 0; });
    if (shape->size() != 3 || !are_extents || image->size() != block->size() ||
        pixels.value() == 0 || (*shape)[1] % pixels.value() != 0) {
        return failure("its columns do not fit its image");
    }
    Shape output{(*shape)[0], (*shape)[1] / pixels.value()};
    output.insert(output.end(), image->begin(), image->end());
    return OutputTypes{tensor_type(element_of(node, 0), output)};
}

bool names_axes(const NodeProto& node) {
    return node.input_size() > 3 && !node.input(3).empty();
}

bool states_parts(const NodeProto& node) {
    return find_attribute(node, "num_outputs") != nullptr;
}

bool resizes_otherwise(const NodeProto& node) {
    return find_attribute(node, "axes") != nullptr || ratio_policy(node) != "stretch";
}

struct Newer {
    std::string_view name;
    int since;
    InferTypes infer;
    // Of an operator that is older itself: whether the node is of the newer form.
    bool (*is_newer)(const NodeProto& node) = nullptr;
};

constexpr Newer newer[] = {
    {"BitwiseAnd", 18, spread},
    {"BitwiseNot", 18, same_as_input},
    {"BitwiseOr", 18, spread},
    {"BitwiseXor", 18, spread},
    {"CenterCropPad", 18, centred},
    {"Col2Im", 18, columns_to_image},
    {"GroupNormalization", 18, same_as_input},
    {"Mish", 18, same_as_input},
    {"Pad", 18, padded, names_axes},
    {"Resize", 18, resized, resizes_otherwise},
    {"Split", 18, parted, states_parts},
    {"Gelu", 20, same_as_input},
    {"Attention", 23, attended},
    {"RMSNormalization", 23, scaled},
    {"RotaryEmbedding", 23, same_as_input},
    {"Swish", 24, same_as_input},
    {"TensorScatter", 24, same_as_input},
};

}  // namespace

bool is_newer(const NodeProto& node, int version) {
    return find_newer(node, version) != nullptr;
}

InferTypes find_newer(const NodeProto& node, int version) {
    const auto* const found =
        std::ranges::find(newer, std::string_view(node.op_type()), &Newer::name);
    const bool is_its = found != std::end(newer) && version >= found->since &&
                        (found->is_newer == nullptr || found->is_newer(node));
    return is_its ? found->infer : nullptr;
}

TypeProto tensor_type(std::int32_t element, const Shape& extents) {
    TypeProto type;
    type.mutable_tensor_type()->set_elem_type(element);
    onnx::TensorShapeProto& shape = *type.mutable_tensor_type()->mutable_shape();
    for (const std::uint64_t extent : extents) {
        shape.add_dim()->set_dim_value(static_cast<std::int64_t>(extent));
    }
    return type;
}

std::optional<Shape> known_shape(const TypeProto* type) {
    if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) {
        return std::nullopt;
    }
    Shape shape;
    for (const auto& extent : type->tensor_type().shape().dim()) {
        if (!extent.has_dim_value() || extent.dim_value() < 0) {
            return std::nullopt;
        }
        shape.push_back(static_cast<std::uint64_t>(extent.dim_value()));
    }
    return shape;
}

}  // namespace hora::read
