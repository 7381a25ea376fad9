#include "libplanner/read/onnx/onnx_numbers.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

using std::string_literals::operator""s;

TensorProto tensor(std::int32_t type, const Integers& extents) {
    TensorProto made;
    made.set_data_type(type);
    made.mutable_dims()->Add(extents.begin(), extents.end());
    return made;
}

TensorProto of_bytes(std::int32_t type, const Integers& extents, const std::string& bytes) {
    TensorProto made = tensor(type, extents);
    made.set_raw_data(bytes);
    return made;
}

TensorProto of_32_bits(std::int32_t type, const Integers& extents, const Integers& values) {
    TensorProto made = tensor(type, extents);
    for (const std::int64_t value : values) {
        made.add_int32_data(static_cast<std::int32_t>(value));
    }
    return made;
}

struct Stored {
    const char* sentence;
    TensorProto tensor;
    std::optional<Numbers> numbers;
};

const Stored stored[] = {
    {"any number but zero is true", of_32_bits(TensorProto::BOOL, {2}, {2, -1}), truths({1, 1})},
    {"bytes of truths", of_bytes(TensorProto::BOOL, {3}, "\0\x01\xff"s), truths({0, 1, 1})},
    {"half a number more", of_bytes(TensorProto::INT64, {1}, "\x01\0\0\0\0\0\0\0\0\0\0\0"s), none},
    {"half a number of none", of_bytes(TensorProto::INT64, {0}, "\0\0\0\0"s), none},
    {"half a number less", of_bytes(TensorProto::INT64, {1}, "\x01\0\0\0"s), none},
};

TEST(OnnxNumbers, ReadsTensors) {
    for (const Stored& row : stored) {
        SCOPED_TRACE(row.sentence);
        const auto numbers = numbers_of(row.tensor);
        ASSERT_EQ(numbers.has_value(), row.numbers.has_value());
        if (numbers) {
            EXPECT_EQ(numbers->type, row.numbers->type);
            EXPECT_EQ(numbers->extents, row.numbers->extents);
            EXPECT_EQ(numbers->values, row.numbers->values);
        }
    }
}

}  // namespace
}  // namespace hora::read
