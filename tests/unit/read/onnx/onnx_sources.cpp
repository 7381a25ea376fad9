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

struct Part {
    const char* sentence;
    Attributes attributes;
    Values extents;
};

const Part parts[] = {
    {"all", {}, {2, 3, 5}},
    {"from the second on", {{"start", {1}}}, {3, 5}},
    {"up to the last", {{"end", {-1}}}, {2, 3}},
    {"the last", {{"start", {-1}}}, {5}},
    {"from far below", {{"start", {lowest}}, {"end", {1}}}, {2}},
    {"to far beyond", {{"start", {2}}, {"end", {highest}}}, {5}},
    {"to far below", {{"end", {-4}}}, {}},
    {"from far beyond", {{"start", {3}}}, {}},
};

TEST(OnnxSources, TellsAPartOfTheExtents) {
    for (const Part& part : parts) {
        SCOPED_TRACE(part.sentence);
        const auto shape = folded_of_shape("Shape", {2, 3, 5}, part.attributes);
        ASSERT_TRUE(shape);
        EXPECT_EQ(shape->extents, model::Shape{part.extents.size()});
        EXPECT_EQ(shape->values, part.extents);
    }
    EXPECT_EQ(folded_of_shape("Shape", {})->extents, model::Shape{0});
    EXPECT_EQ(folded_of_shape("Shape", {2, -1})->values, (Values{2, none}));
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
    {"the largest that is known", {huge, 1 << 20}, std::int64_t{1} << 60},
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

const Row constants[] = {
    {"a single constant", "Constant", {}, {{"value_int", {-4}}}, single(-4)},
    {"an empty shape is that of a number",
     "ConstantOfShape",
     {list({})},
     {{"value", {3}}},
     single(3)},
    {"an extent of 0", "ConstantOfShape", {list({0, 2})}, {{"value", {3}}}, table({0, 2}, {})},
    {"a number that is not zero has no place of its own",
     "NonZero",
     {single(4)},
     {},
     table({0, 1}, {})},
    {"nor do none", "NonZero", {list({0, 0})}, {}, table({1, 0}, {})},
};

TEST(OnnxSources, MakesConstants) {
    check(constants);
}

const Refused refused[] = {
    {"zeros that are floats", "ConstantOfShape", {list({2})}},
    {"a shape that is not known", "ConstantOfShape", {list({none})}, {{"value", {3}}}},
    {"a constant of nothing", "Constant", {}},
    {"places of what is not known", "NonZero", {list({1, none})}},
    {"the shape of what is not known", "Shape", {list({1})}},
};

TEST(OnnxSources, LeavesWhatIsNotDefined) {
    check(refused);
}

}  // namespace
}  // namespace hora::read
