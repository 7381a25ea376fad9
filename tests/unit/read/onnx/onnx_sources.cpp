// Which whole numbers ONNX's operators begin with, beside ONNX's own definitions of them.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

std::optional<Numbers> folded_of_shape(const std::string& type, const Integers& extents,
                                       const Attributes& attributes = {}) {
    onnx::TypeProto shaped;
    shaped.mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
    shaped.mutable_tensor_type()->mutable_shape();
    for (const std::int64_t extent : extents) {
        shaped.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(extent);
    }
    const onnx::NodeProto node = node_of(type, attributes, {single(0)});
    return fold({.node = node, .numbers = {nullptr}, .types = {&shaped}});
}

struct Sized {
    const char* sentence;
    Integers extents;
    Numbers::Value size;
};

const Sized sizes[] = {
    {"a number", {}, 1},
    {"a table", {2, 3}, 6},
    {"nothing", {3, 0}, 0},
    {"as large as can be told", {huge, 1 << 20}, std::int64_t{1} << 60},
    {"one that overflows is not known", {huge, huge}, none},
};

TEST(OnnxSources, CountsElements) {
    for (const Sized& row : sizes) {
        SCOPED_TRACE(row.sentence);
        const auto size = folded_of_shape("Size", row.extents);
        ASSERT_TRUE(size);
        EXPECT_EQ(size->extents, model::Shape{});
        EXPECT_EQ(size->values, Values{row.size});
    }
    EXPECT_FALSE(folded_of_shape("Size", {2, -1}));
}

}  // namespace
}  // namespace hora::read
