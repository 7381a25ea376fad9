#include "libplanner/read/onnx/onnx_newer.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"
#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

using model::Shape;
using onnx::NodeProto;
using onnx::TensorProto;

struct Input {
    std::optional<Shape> shape = {};
    std::optional<Integers> numbers = {};
    std::int32_t element = TensorProto::FLOAT;
    bool is_there = true;
};

Input tensor(const Shape& shape) {
    return {.shape = shape, .numbers = {}, .element = TensorProto::FLOAT, .is_there = true};
}

Input numbers(const Integers& values) {
    return {.shape = Shape{values.size()},
            .numbers = values,
            .element = TensorProto::INT64,
            .is_there = true};
}

const Input unknown{};
const Input left_out{.shape = {}, .numbers = {}, .element = TensorProto::FLOAT, .is_there = false};

std::optional<Expected<OutputTypes>> infer_newer(const KnownNode& node, int version) {
    const InferTypes infer = find_newer(node.node, version);
    return infer == nullptr ? std::nullopt : std::optional(infer(node));
}

// What infer_newer() is asked with.
class Asked {
  public:
    Asked(NodeProto node, const std::vector<Input>& inputs) : node_(std::move(node)) {
        for (const Input& input : inputs) {
            node_.add_input(input.is_there ? "i" + std::to_string(node_.input_size()) : "");
            known_.types.push_back(
                input.shape ? &types_.emplace_back(tensor_type(input.element, *input.shape))
                            : nullptr);
            known_.numbers.push_back(input.numbers ? &numbers_.emplace_back(list_of(*input.numbers))
                                                   : nullptr);
        }
    }
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;

    const KnownNode& known() const { return known_; }

  private:
    static Numbers list_of(const Integers& values) {
        Numbers numbers{.extents = {values.size()}, .values = {}};
        numbers.values.assign(values.begin(), values.end());
        return numbers;
    }

    NodeProto node_;
    std::deque<onnx::TypeProto> types_;
    std::deque<Numbers> numbers_;
    KnownNode known_{.node = node_, .numbers = {}, .types = {}};
};

struct Case {
    const char* sentence;
    const char* type;
    int version;
    std::vector<Input> inputs;
    std::vector<Shape> outputs;
    void (*set)(NodeProto& node) = nullptr;
};

void in_two_parts(NodeProto& node) {
    set_integer(node, "axis", -1);
    set_integer(node, "num_outputs", 2);
    node.add_output("a");
    node.add_output("b");
}

const Case cases[] = {
    {"an activation", "Gelu", 20, {tensor({2, 3})}, {{2, 3}}},
    {"another", "Mish", 18, {tensor({2, 3})}, {{2, 3}}},
    {"the youngest", "Swish", 24, {tensor({2, 3})}, {{2, 3}}},
    {"a number for each group",
     "GroupNormalization",
     18,
     {tensor({2, 32, 5}), tensor({4}), tensor({4})},
     {{2, 32, 5}}},
    {"positions turned",
     "RotaryEmbedding",
     23,
     {tensor({2, 8, 16, 64}), tensor({16, 32}), tensor({16, 32}), unknown},
     {{2, 8, 16, 64}}},
    {"rows written over others",
     "TensorScatter",
     24,
     {tensor({2, 8, 99, 64}), tensor({2, 8, 1, 64})},
     {{2, 8, 99, 64}}},
    {"bits of one mask", "BitwiseNot", 18, {tensor({2, 3})}, {{2, 3}}},
    {"bits of two, spread", "BitwiseAnd", 18, {tensor({2, 1}), tensor({3})}, {{2, 3}}},
    {"attention",
     "Attention",
     23,
     {tensor({1, 8, 16, 64}), tensor({1, 8, 9, 64}), tensor({1, 8, 9, 32})},
     {{1, 8, 16, 32}, {1, 8, 9, 64}, {1, 8, 9, 32}, {1, 8, 16, 9}}},
    {"attention with a past",
     "Attention",
     23,
     {tensor({1, 8, 1, 64}), tensor({1, 8, 1, 64}), tensor({1, 8, 1, 64}), left_out,
      tensor({1, 8, 9, 64}), tensor({1, 8, 9, 64})},
     {{1, 8, 1, 64}, {1, 8, 10, 64}, {1, 8, 10, 64}, {1, 8, 1, 10}}},
    {"margins of some axes",
     "Pad",
     18,
     {tensor({2, 6, 4}), numbers({-1, 2, -1, 0}), left_out, numbers({1, -1})},
     {{2, 4, 6}}},
    {"a part from the middle",
     "CenterCropPad",
     18,
     {tensor({20, 10, 3}), numbers({10, 7, 3})},
     {{10, 7, 3}}},
    {"of some axes, cut and padded",
     "CenterCropPad",
     18,
     {tensor({20, 8, 3}), numbers({10, 0})},
     {{10, 8, 0}},
     [](NodeProto& node) {
         set_integers(node, "axes", {-3, 2});
     }},
    {"parts of which the last is shorter",
     "Split",
     18,
     {tensor({2, 7})},
     {{2, 4}, {2, 3}},
     in_two_parts},
    {"the sizes of some axes",
     "Resize",
     18,
     {tensor({1, 3, 8, 6}), left_out, left_out, numbers({16, 9})},
     {{1, 3, 16, 9}},
     [](NodeProto& node) {
         set_integers(node, "axes", {2, -1});
     }},
    {"the largest within both",
     "Resize",
     18,
     {tensor({1, 3, 8, 6}), left_out, left_out, numbers({16, 9})},
     {{1, 3, 12, 9}},
     [](NodeProto& node) {
         set_integers(node, "axes", {2, 3});
         set_text(node, "keep_aspect_ratio_policy", "not_larger");
     }},
    {"the smallest around all",
     "Resize",
     18,
     {tensor({8, 7}), left_out, left_out, numbers({16, 9})},
     {{16, 14}},
     [](NodeProto& node) { set_text(node, "keep_aspect_ratio_policy", "not_smaller"); }},
    {"halves are rounded up",
     "Resize",
     18,
     {tensor({8, 7}), left_out, left_out, numbers({4, 1})},
     {{4, 4}},
     [](NodeProto& node) { set_text(node, "keep_aspect_ratio_policy", "not_smaller"); }},
    {"columns",
     "Col2Im",
     18,
     {tensor({2, 36, 100}), numbers({12, 14}), numbers({3, 3})},
     {{2, 4, 12, 14}}},
};

TEST(OnnxNewer, FindsTheExtentsOfEachOutput) {
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        NodeProto node;
        node.set_op_type(row.type);
        if (row.set != nullptr) {
            row.set(node);
        }
        const Asked asked(node, row.inputs);
        EXPECT_FALSE(infer_newer(asked.known(), row.version - 1)) << "of the version before";
        EXPECT_FALSE(is_newer(asked.known().node, row.version - 1)) << "of the version before";
        EXPECT_TRUE(is_newer(asked.known().node, row.version));
        const auto types = infer_newer(asked.known(), row.version);
        ASSERT_TRUE(types && *types) << (types ? types->error().message : "not its own");
        std::vector<Shape> outputs;
        for (const onnx::TypeProto& type : **types) {
            EXPECT_EQ(type.tensor_type().elem_type(), TensorProto::FLOAT);
            outputs.push_back(known_shape(&type).value());
        }
        EXPECT_EQ(outputs, row.outputs);
    }
}

// As much is known of what none of its inputs is known for: nothing, and no error.
TEST(OnnxNewer, KnowsNothingOfUnknownInputs) {
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        NodeProto node;
        node.set_op_type(row.type);
        if (row.set != nullptr) {
            row.set(node);
        }
        std::vector<Input> inputs = row.inputs;
        inputs.front() = unknown;
        const Asked asked(node, inputs);
        const auto types = infer_newer(asked.known(), row.version);
        ASSERT_TRUE(types && *types);
        EXPECT_TRUE((*types)->empty());
        const Asked without(node, {});
        const auto none = infer_newer(without.known(), row.version);
        EXPECT_TRUE(!none || !*none || (*none)->empty());
    }
}

// As the scale is, which may be of another type than the input.
TEST(OnnxNewer, NormalizesInTheTypeOfTheScale) {
    NodeProto node;
    node.set_op_type("RMSNormalization");
    Input scale = tensor({8});
    scale.element = TensorProto::FLOAT16;
    const Asked asked(node, {tensor({2, 8}), scale});
    EXPECT_FALSE(infer_newer(asked.known(), 22));
    const auto types = infer_newer(asked.known(), 23);
    ASSERT_TRUE(types && *types);
    EXPECT_EQ((*types)->front().tensor_type().elem_type(), TensorProto::FLOAT16);
    EXPECT_EQ(known_shape(&(*types)->front()), (Shape{2, 8}));
}

const Case misfits[] = {
    {"bits of masks that do not fit", "BitwiseOr", 18, {tensor({2}), tensor({3})}, {}},
    {"margins of fewer axes",
     "Pad",
     18,
     {tensor({2, 6}), numbers({1, 1}), left_out, numbers({0, 1})},
     {}},
    {"an axis twice",
     "Pad",
     18,
     {tensor({2, 6}), numbers({1, 1, 1, 1}), left_out, numbers({1, -1})},
     {}},
    {"an axis beyond the last",
     "Pad",
     18,
     {tensor({2, 6}), numbers({1, 1}), left_out, numbers({2})},
     {}},
    {"more cut than there is",
     "Pad",
     18,
     {tensor({2, 6}), numbers({-4, -3}), left_out, numbers({1})},
     {}},
    {"margins that overflow",
     "Pad",
     18,
     {tensor({2, 6}), numbers({INT64_MAX, 1}), left_out, numbers({1})},
     {}},
    {"fewer sizes than axes", "CenterCropPad", 18, {tensor({20, 8}), numbers({10})}, {}},
    {"a size of an axis beyond the last",
     "CenterCropPad",
     18,
     {tensor({20, 8}), numbers({10})},
     {},
     [](NodeProto& node) { set_integers(node, "axes", {2}); }},
    {"sizes of one axis twice",
     "CenterCropPad",
     18,
     {tensor({20, 8}), numbers({10, 10})},
     {},
     [](NodeProto& node) {
         set_integers(node, "axes", {1, -1});
     }},
    {"less than nothing", "CenterCropPad", 18, {tensor({20}), numbers({-1})}, {}},
    {"an axis to split that is not there", "Split", 18, {tensor({})}, {}, in_two_parts},
    {"another number of parts than outputs",
     "Split",
     18,
     {tensor({2, 7})},
     {},
     [](NodeProto& node) {
         in_two_parts(node);
         node.add_output("c");
     }},
    {"factors of some axes",
     "Resize",
     18,
     {tensor({1, 3, 8, 6}), left_out, tensor({2})},
     {},
     [](NodeProto& node) {
         set_integers(node, "axes", {2, 3});
     }},
    {"sizes of other axes",
     "Resize",
     18,
     {tensor({8, 6}), left_out, left_out, numbers({16, 9})},
     {},
     [](NodeProto& node) { set_integers(node, "axes", {1}); }},
    {"a size of nothing",
     "Resize",
     18,
     {tensor({8, 6}), left_out, left_out, numbers({0})},
     {},
     [](NodeProto& node) { set_integers(node, "axes", {1}); }},
    {"something of nothing",
     "Resize",
     18,
     {tensor({8, 0}), left_out, left_out, numbers({2})},
     {},
     [](NodeProto& node) { set_integers(node, "axes", {1}); }},
    {"columns that are no blocks",
     "Col2Im",
     18,
     {tensor({2, 35, 100}), numbers({12, 14}), numbers({3, 3})},
     {}},
    {"blocks of nothing",
     "Col2Im",
     18,
     {tensor({2, 36, 100}), numbers({12, 14}), numbers({0, 3})},
     {}},
    {"blocks of a negative extent",
     "Col2Im",
     18,
     {tensor({2, 36, 100}), numbers({12, 14}), numbers({-3, -3})},
     {}},
    {"an image without pixels",
     "Col2Im",
     18,
     {tensor({2, 36, 100}), numbers({12, 0}), numbers({3, 3})},
     {}},
    {"an image of fewer extents",
     "Col2Im",
     18,
     {tensor({2, 36, 100}), numbers({12}), numbers({3, 3})},
     {}},
    {"values that are fewer than the keys",
     "Attention",
     23,
     {tensor({1, 8, 16, 64}), tensor({1, 8, 9, 64}), tensor({1, 8, 8, 64})},
     {}},
};

TEST(OnnxNewer, SaysWhatDoesNotFit) {
    for (const Case& row : misfits) {
        SCOPED_TRACE(row.sentence);
        NodeProto node;
        node.set_op_type(row.type);
        if (row.set != nullptr) {
            row.set(node);
        }
        const Asked asked(node, row.inputs);
        const auto types = infer_newer(asked.known(), row.version);
        ASSERT_TRUE(types.has_value());
        EXPECT_FALSE(*types);
    }
}

// A size as large as any number, in proportion: the extent stops at the top.
TEST(OnnxNewer, StopsAtTheLargestExtent) {
    NodeProto node;
    node.set_op_type("Resize");
    set_text(node, "keep_aspect_ratio_policy", "not_smaller");
    const Asked asked(node, {tensor({1, 1ull << 61}), left_out, left_out, numbers({INT64_MAX, 1})});
    const auto types = infer_newer(asked.known(), 18);
    ASSERT_TRUE(types && *types);
    EXPECT_EQ(known_shape(&(*types)->front()), (Shape{1ull << 62, 1ull << 62}));
}

// The forms that the library has known before are its own.
TEST(OnnxNewer, LeavesOlderFormsToTheLibrary) {
    for (const char* const type : {"Pad", "Split", "Resize", "Relu", "Gemm", ""}) {
        NodeProto node;
        node.set_op_type(type);
        set_text(node, "keep_aspect_ratio_policy", "stretch");
        const Asked asked(node, {tensor({2, 6}), numbers({1, 1, 1, 1})});
        EXPECT_FALSE(infer_newer(asked.known(), 25)) << type;
    }
}

}  // namespace
}  // namespace hora::read
