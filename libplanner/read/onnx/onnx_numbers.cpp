// Which whole numbers hold the small tensors that say how to reshape, slice or expand others?
#include "libplanner/read/onnx/onnx_numbers.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "libplanner/model/measure.hpp"

namespace hora::read {
namespace {

using model::Shape;
using onnx::TensorProto;

using Values = std::vector<Numbers::Value>;

// Empty where the last number is not whole.
// ONNX stores the least significant byte first, as do all machines that Hora is built for.
template <typename Number>
std::optional<Values> from_bytes(const std::string& bytes) {
    if (bytes.size() % sizeof(Number) != 0) {
        return std::nullopt;
    }
    Values values(bytes.size() / sizeof(Number));
    for (std::size_t place = 0; place < values.size(); ++place) {
        Number number = 0;
        std::memcpy(&number, bytes.data() + place * sizeof number, sizeof number);
        values[place] = static_cast<std::int64_t>(number);
    }
    return values;
}

std::optional<Values> values_of(const TensorProto& tensor) {
    if (!tensor.has_raw_data()) {
        return tensor.data_type() == TensorProto::INT64
                   ? Values(tensor.int64_data().begin(), tensor.int64_data().end())
                   : Values(tensor.int32_data().begin(), tensor.int32_data().end());
    }
    if (tensor.data_type() == TensorProto::INT64) {
        return from_bytes<std::int64_t>(tensor.raw_data());
    }
    return tensor.data_type() == TensorProto::INT32 ? from_bytes<std::int32_t>(tensor.raw_data())
                                                    : from_bytes<std::uint8_t>(tensor.raw_data());
}

std::size_t bytes_held(const TensorProto& tensor) {
    return tensor.raw_data().size() + static_cast<std::size_t>(tensor.int64_data_size()) +
           static_cast<std::size_t>(tensor.int32_data_size());
}

}  // namespace

std::optional<Integers> Numbers::known() const {
    Integers all;
    all.reserve(values.size());
    for (const Value& value : values) {
        if (!value) {
            return std::nullopt;
        }
        all.push_back(*value);
    }
    return all;
}

Numbers::Value Numbers::single() const {
    return values.size() == 1 ? values.front() : std::nullopt;
}

bool holds_whole_numbers(std::int32_t type) {
    return type == TensorProto::INT64 || type == TensorProto::INT32 || type == TensorProto::BOOL;
}

bool is_in_range(std::int32_t type, std::int64_t value) {
    switch (type) {
        case TensorProto::INT64:
            return true;
        case TensorProto::INT32:
            return value >= std::numeric_limits<std::int32_t>::min() &&
                   value <= std::numeric_limits<std::int32_t>::max();
        default:
            return value == 0 || value == 1;
    }
}

std::optional<std::size_t> count_numbers(const Shape& extents) {
    // An extent of 0 must not hide large ones, of which strides and parts are computed as well.
    model::Count largest(1);
    for (const std::uint64_t extent : extents) {
        largest *= model::Count(std::max<std::uint64_t>(extent, 1));
    }
    if (extents.size() > most_dimensions || largest.value() > most_numbers) {
        return std::nullopt;
    }
    return model::elements(extents).value();
}

std::optional<Numbers> numbers_of(const TensorProto& tensor) {
    const bool is_elsewhere = tensor.data_location() == TensorProto::EXTERNAL;
    if (is_elsewhere || !holds_whole_numbers(tensor.data_type()) ||
        bytes_held(tensor) > most_numbers * sizeof(std::int64_t)) {
        return std::nullopt;
    }
    Numbers numbers{.type = tensor.data_type()};
    for (const std::int64_t extent : tensor.dims()) {
        if (extent < 0) {
            return std::nullopt;
        }
        numbers.extents.push_back(static_cast<std::uint64_t>(extent));
    }
    const auto count = count_numbers(numbers.extents);
    auto values = values_of(tensor);
    if (!count || !values || values->size() != *count) {
        return std::nullopt;
    }
    numbers.values = std::move(*values);
    if (numbers.type == TensorProto::BOOL) {
        // A byte may hold any number that is not 0 for what is true.
        for (Numbers::Value& value : numbers.values) {
            value = *value != 0;
        }
    }
    return numbers;
}

TensorProto to_tensor(const Numbers& numbers) {
    TensorProto tensor;
    tensor.set_data_type(numbers.type);
    for (const std::uint64_t extent : numbers.extents) {
        tensor.add_dims(static_cast<std::int64_t>(extent));
    }
    for (const Numbers::Value& value : numbers.values) {
        if (numbers.type == TensorProto::INT64) {
            tensor.add_int64_data(*value);
        } else {
            tensor.add_int32_data(static_cast<std::int32_t>(*value));
        }
    }
    return tensor;
}

std::optional<std::size_t> place_of(std::int64_t number, std::size_t count) {
    const auto end = static_cast<std::int64_t>(count);
    if (number < -end || number >= end) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(number < 0 ? number + end : number);
}

std::optional<std::vector<std::size_t>> places_of(const Integers& axes, std::size_t count,
                                                  Repeated repeated) {
    std::vector<std::size_t> places;
    std::vector<bool> is_taken(count, false);
    for (const std::int64_t axis : axes) {
        const auto place = place_of(axis, count);
        if (!place || (is_taken[*place] && repeated == Repeated::is_refused)) {
            return std::nullopt;
        }
        is_taken[*place] = true;
        places.push_back(*place);
    }
    return places;
}

View whole_view(const Shape& extents) {
    View view{.extents = extents, .strides = Integers(extents.size(), 1)};
    for (std::size_t axis = extents.size(); axis-- > 1;) {
        view.strides[axis - 1] = view.strides[axis] * static_cast<std::int64_t>(extents[axis]);
    }
    return view;
}

std::optional<View> spread_view(const Shape& from, const Shape& to) {
    if (from.size() > to.size()) {
        return std::nullopt;
    }
    const View whole = whole_view(from);
    View view{.extents = to, .strides = Integers(to.size(), 0)};
    const std::size_t missing = to.size() - from.size();
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        if (from[axis] == to[missing + axis]) {
            view.strides[missing + axis] = whole.strides[axis];
        } else if (from[axis] != 1) {
            return std::nullopt;
        }
    }
    return view;
}

std::optional<Shape> spread_shape(const Shape& one, const Shape& other) {
    Shape shape = one.size() < other.size() ? other : one;
    const Shape& shorter = one.size() < other.size() ? one : other;
    const std::size_t missing = shape.size() - shorter.size();
    for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
        std::uint64_t& extent = shape[missing + axis];
        if (extent != shorter[axis] && extent != 1 && shorter[axis] != 1) {
            return std::nullopt;
        }
        extent = extent == 1 ? shorter[axis] : extent;
    }
    return shape;
}

std::optional<Numbers> copy(const Numbers& numbers, const View& view) {
    const auto count = count_numbers(view.extents);
    if (!count) {
        return std::nullopt;
    }
    Numbers copied{.type = numbers.type, .extents = view.extents};
    copied.values.reserve(*count);
    Shape place(view.extents.size(), 0);
    std::int64_t at = view.offset;
    while (copied.values.size() < *count) {
        copied.values.push_back(numbers.values[static_cast<std::size_t>(at)]);
        for (std::size_t axis = place.size(); axis-- > 0;) {
            at += view.strides[axis];
            if (++place[axis] < view.extents[axis]) {
                break;
            }
            at -= static_cast<std::int64_t>(place[axis]) * view.strides[axis];
            place[axis] = 0;
        }
    }
    return copied;
}

}  // namespace hora::read
