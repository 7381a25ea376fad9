// Which whole numbers hold the small tensors that say how to reshape, slice or expand others?
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "libplanner/model/layer_spec.hpp"

namespace hora::read {

// Bounds what an untrusted file can ask for; extents and axes are a handful of numbers each.
constexpr std::size_t most_numbers = 4096;
constexpr std::size_t most_dimensions = 16;

using Integers = std::vector<std::int64_t>;

// A tensor of INT64, INT32 or BOOL (0 and 1), in the order of rows.
struct Numbers {
    using Value = std::optional<std::int64_t>;  // empty: not known

    std::int32_t type = onnx::TensorProto::INT64;
    model::Shape extents = {};  // none: a single number
    std::vector<Value> values = {};

    // The numbers, where all are known.
    std::optional<Integers> known() const;
    // The number of a tensor that has a single one, and that is known.
    Value single() const;
};

bool holds_whole_numbers(std::int32_t type);
// Whether a number of this type can have the value.
bool is_in_range(std::int32_t type, std::int64_t value);

// As many as the extents say; empty beyond most_numbers or most_dimensions.
std::optional<std::size_t> count_numbers(const model::Shape& extents);
// Empty for another type, for too many, and for data that are not as long as the extents say.
std::optional<Numbers> numbers_of(const onnx::TensorProto& tensor);
// All must be known.
onnx::TensorProto to_tensor(const Numbers& numbers);

// Which of so many an axis or an index means, counted from the end where it is negative.
std::optional<std::size_t> place_of(std::int64_t number, std::size_t count);

// Which of so many dimensions the axes mean, in their order; empty where one lies outside, and
// where one comes twice that may not.
enum class Repeated { is_allowed, is_refused };
std::optional<std::vector<std::size_t>> places_of(const Integers& axes, std::size_t count,
                                                  Repeated repeated = Repeated::is_refused);

// Element (i, j, ...) of a view is the number at offset + i * strides[0] + j * strides[1] + ...
struct View {
    model::Shape extents;
    Integers strides;
    std::int64_t offset = 0;
};

View whole_view(const model::Shape& extents);
// Repeats extents of 1, and those that are missing in front; empty where they do not fit.
std::optional<View> spread_view(const model::Shape& from, const model::Shape& to);
// Of two shapes, by ONNX's (NumPy's) rules; empty where they do not fit.
std::optional<model::Shape> spread_shape(const model::Shape& one, const model::Shape& other);
// Copies what the view shows; empty where that is too much. The view must lie inside.
std::optional<Numbers> copy(const Numbers& numbers, const View& view);

}  // namespace hora::read
