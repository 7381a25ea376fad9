#include "libplanner/read/onnx/onnx_folding.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

const Row arithmetic[] = {
    {"sums spread a single number", "Add", {list({1, 2}), single(3)}, {}, list({4, 5})},
    {"what is not known stays so", "Add", {list({1, none}), single(3)}, {}, list({4, none})},
    {"rows meet columns",
     "Mul",
     {table({2, 1}, {1, 10}), list({2, 3})},
     {},
     table({2, 2}, {2, 3, 20, 30})},
    {"a sum that overflows is not known", "Add", {single(highest), single(1)}, {}, single(none)},
    {"nor is such a difference", "Sub", {single(lowest), single(1)}, {}, single(none)},
    {"nor such a product", "Mul", {single(highest), single(2)}, {}, single(none)},
    {"nor one of 32 bits",
     "Mul",
     {narrow(single(1 << 20)), narrow(single(1 << 20))},
     {},
     narrow(single(none))},
    {"quotients go towards zero", "Div", {list({7, -7}), single(2)}, {}, list({3, -3})},
    {"nothing is divided by zero", "Div", {single(7), single(0)}, {}, single(none)},
    {"nor the lowest by -1", "Div", {single(lowest), single(-1)}, {}, single(none)},
    {"a modulus has its divisor's sign",
     "Mod",
     {list({7, -7, -6}), list({-3, 3, 3})},
     {},
     list({-2, 2, 0})},
    {"a remainder has its dividend's sign",
     "Mod",
     {list({7, -7}), list({-3, 3})},
     {{"fmod", {1}}},
     list({1, -1})},
    {"powers", "Pow", {list({2, -3, 1, 0}), list({10, 3, 99, 0})}, {}, list({1024, -27, 1, 1})},
    {"powers that overflow", "Pow", {list({2, 10}), list({63, highest})}, {}, list({none, none})},
    {"the least of many", "Min", {list({5, 2}), single(4), single(3)}, {}, list({3, 2})},
    {"the greatest of one", "Max", {list({5, 2})}, {}, list({5, 2})},
    {"equal", "Equal", {list({1, 2}), list({1, 3})}, {}, truths({1, 0})},
    {"less", "Less", {list({1, 2}), single(2)}, {}, truths({1, 0})},
    {"or equal", "GreaterOrEqual", {list({1, 2}), single(2)}, {}, truths({0, 1})},
    {"either", "Xor", {truths({1, 1}), truths({1, 0})}, {}, truths({0, 1})},
    {"not", "Not", {truths({1, 0})}, {}, truths({0, 1})},
    {"negative", "Neg", {list({3, lowest})}, {}, list({-3, none})},
    {"absolute", "Abs", {list({-3, 3})}, {}, list({3, 3})},
    {"to truths", "Cast", {list({0, 7})}, {{"to", {TensorProto::BOOL}}}, truths({0, 1})},
    {"to fewer bits",
     "Cast",
     {list({7, highest})},
     {{"to", {TensorProto::INT32}}},
     narrow(list({7, none}))},
    {"one or the other", "Where", {truths({1, 0}), list({1, 2}), single(-1)}, {}, list({1, -1})},
    {"the same of both, whichever it is",
     "Where",
     {truths({none, none}), list({1, 2}), list({1, 3})},
     {},
     list({1, none})},
    {"a range down", "Range", {single(5), single(0), single(-2)}, {}, list({5, 3, 1})},
    {"a range of nothing", "Range", {single(5), single(0), single(2)}, {}, list({})},
    {"a range to the last number there is",
     "Range",
     {single(highest - 1), single(highest), single(5)},
     {},
     list({highest - 1})},
    {"the product of all", "ReduceProd", {list({2, 3, 4})}, {{"keepdims", {0}}}, single(24)},
    {"the product of none", "ReduceProd", {list({})}, {}, list({1})},
    {"sums of rows",
     "ReduceSum",
     {table({2, 2}, {1, 2, 3, none}), list({-1})},
     {{"keepdims", {0}}},
     list({3, none})},
    {"the greatest of columns",
     "ReduceMax",
     {table({2, 2}, {1, 5, 3, 4})},
     {{"axes", {0}}},
     table({1, 2}, {3, 5})},
};

const Row moves[] = {
    {"a list's element", "Gather", {list({5, 6, 7}), single(-1)}, {}, single(7)},
    {"columns of a table",
     "Gather",
     {table({2, 3}, {1, 2, 3, 4, 5, 6}), list({2, 0})},
     {{"axis", {1}}},
     table({2, 2}, {3, 1, 6, 4})},
    {"beyond the end is nothing", "Gather", {list({5}), single(1)}, {}, single(none)},
    {"lists in a row",
     "Concat",
     {list({1}), list({}), list({2, none})},
     {{"axis", {0}}},
     list({1, 2, none})},
    {"tables side by side",
     "Concat",
     {table({2, 1}, {1, 2}), table({2, 2}, {3, 4, 5, 6})},
     {{"axis", {-1}}},
     table({2, 3}, {1, 3, 4, 2, 5, 6})},
    {"repeated",
     "Tile",
     {table({1, 2}, {1, 2}), list({2, 2})},
     {},
     table({2, 4}, {1, 2, 1, 2, 1, 2, 1, 2})},
    {"a part by attributes",
     "Slice",
     {counted(5)},
     {{"starts", {1}}, {"ends", {highest}}},
     list({1, 2, 3, 4})},
    {"backwards to the first",
     "Slice",
     {counted(4), list({-1}), list({lowest}), list({0}), list({-2})},
     {},
     list({3, 1})},
    {"a part of columns",
     "Slice",
     {table({2, 3}, {1, 2, 3, 4, 5, 6}), list({1}), list({3}), list({1})},
     {},
     table({2, 2}, {2, 3, 5, 6})},
    {"steps beyond everything",
     "Slice",
     {counted(4), list({0}), list({4}), list({0}), list({highest})},
     {},
     list({0})},
    {"all extents of one go", "Squeeze", {table({1, 2, 1}, {1, 2})}, {}, list({1, 2})},
    {"or those that are named",
     "Squeeze",
     {table({1, 2, 1}, {1, 2}), list({-1})},
     {},
     table({1, 2}, {1, 2})},
    {"a list becomes a column", "Unsqueeze", {list({1, 2}), list({-1})}, {}, table({2, 1}, {1, 2})},
    {"a number becomes a list", "Unsqueeze", {single(1)}, {{"axes", {0}}}, list({1})},
    {"the rest is computed, and 0 keeps an extent",
     "Reshape",
     {table({2, 3}, {1, 2, 3, 4, 5, 6}), list({0, -1, 1})},
     {},
     table({2, 3, 1}, {1, 2, 3, 4, 5, 6})},
    {"a list as a row", "Flatten", {list({1, 2})}, {{"axis", {0}}}, table({1, 2}, {1, 2})},
    {"turned round",
     "Transpose",
     {table({2, 3}, {1, 2, 3, 4, 5, 6})},
     {},
     table({3, 2}, {1, 4, 2, 5, 3, 6})},
    {"spread over rows", "Expand", {list({1, 2}), list({2, 1})}, {}, table({2, 2}, {1, 2, 1, 2})},
    {"twos", "ConstantOfShape", {list({3})}, {{"value", {2}}}, list({2, 2, 2})},
    {"a constant list", "Constant", {}, {{"value_ints", {4, 5}}}, list({4, 5})},
    {"zeros around a list", "Pad", {list({7}), list({2, 1})}, {}, list({0, 0, 7, 0})},
    {"ones around a table",
     "Pad",
     {table({1, 1}, {7}), list({0, 1, 1, 0}), single(1)},
     {},
     table({2, 2}, {1, 7, 1, 1})},
    {"where it is not zero",
     "NonZero",
     {table({2, 2}, {0, 3, 4, 0})},
     {},
     table({2, 2}, {0, 1, 1, 0})},
};

TEST(OnnxFolding, ComputesWholeNumbers) {
    check(arithmetic);
}

TEST(OnnxFolding, MovesWholeNumbers) {
    check(moves);
}

const Refused refused[] = {
    {"an operator of none of these", "Relu", {list({1})}},
    {"shapes that do not fit", "Add", {list({1, 2}), list({1, 2, 3})}},
    {"two types at once", "Add", {single(1), narrow(single(1))}},
    {"a table of too many", "Add", {table({4096, 1}, Values(4096, 0)), list({1, 2})}},
    {"a range of too many", "Range", {single(0), single(huge), single(1)}},
    {"a range that goes nowhere", "Range", {single(0), single(1), single(0)}},
    {"a constant of too many", "ConstantOfShape", {list({huge})}, {{"value", {0}}}},
    {"a product of extents that overflows",
     "ConstantOfShape",
     {list({huge, huge})},
     {{"value", {0}}}},
    {"large extents behind one of 0", "ConstantOfShape", {list({0, huge})}, {{"value", {0}}}},
    {"a negative extent", "ConstantOfShape", {list({-1})}, {{"value", {0}}}},
    {"more dimensions than anything has",
     "ConstantOfShape",
     {list(Values(17, 1))},
     {{"value", {0}}}},
    {"an expansion to too many", "Expand", {single(1), list({huge})}},
    {"too many repeats", "Tile", {list({1, 2}), list({4000})}},
    {"a margin that is too wide", "Pad", {list({1}), list({4096, 0})}},
    {"one that overflows with another", "Pad", {list({1}), list({highest, highest})}},
    {"an axis that is none", "Gather", {list({1}), single(0)}, {{"axis", {1}}}},
    {"nor is the lowest of all", "Gather", {list({1}), single(0)}, {{"axis", {lowest}}}},
    {"an axis of nothing", "Concat", {single(1), single(2)}, {{"axis", {0}}}},
    {"a cut without a step", "Slice", {list({1}), list({0}), list({1}), list({0}), list({0})}},
    {"an axis cut twice", "Slice", {list({1}), list({0, 0}), list({1, 1}), list({0, 0})}},
    {"bounds that are not known", "Slice", {list({1}), list({none}), list({1})}},
    {"an extent that is not 1", "Squeeze", {list({1, 2}), list({0})}},
    {"the same new axis twice", "Unsqueeze", {list({1, 2}), list({0, 0})}},
    {"a shape of other numbers", "Reshape", {list({1, 2, 3}), list({2, -1})}},
    {"two rests", "Reshape", {list({1, 2}), list({-1, -1})}},
    {"a rest of nothing", "Reshape", {list({}), list({0, -1})}},
    {"an order without an axis", "Transpose", {table({1, 2}, {1, 2})}, {{"perm", {0}}}},
    {"an order with one twice", "Transpose", {table({1, 2}, {1, 2})}, {{"perm", {0, 0}}}},
    {"the greatest of nothing", "ReduceMax", {list({})}},
    {"floats", "Cast", {list({1})}, {{"to", {TensorProto::FLOAT}}}},
};

TEST(OnnxFolding, LeavesWhatDoesNotFitOrIsTooLarge) {
    check(refused);
}

TEST(OnnxFolding, ReadsTheExtentsOfAnyTensor) {
    onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
    for (const std::int64_t extent : {3, 0, 5}) {
        type.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(extent);
    }
    type.mutable_tensor_type()->mutable_shape()->mutable_dim(1)->set_dim_param("n");
    const auto extents_of = [&](const Attributes& attributes) {
        const onnx::NodeProto node = node_of("Shape", attributes, {single(0)});
        return fold({.node = node, .numbers = {nullptr}, .types = {&type}})->values;
    };
    EXPECT_EQ(extents_of({}), (Values{3, none, 5}));
    EXPECT_EQ(extents_of({{"start", {-2}}, {"end", {99}}}), (Values{none, 5}));
    EXPECT_EQ(extents_of({{"start", {2}}, {"end", {1}}}), Values{});
}

// Step by step. Going back, ONNX begins at the first number where Python's slices find none.
Values sliced(std::int64_t extent, std::int64_t start, std::int64_t end, std::int64_t step) {
    const auto whole = [&](std::int64_t place) { return place < 0 ? place + extent : place; };
    std::int64_t at =
        std::max<std::int64_t>(std::min(whole(start), step > 0 ? extent : extent - 1), 0);
    Values values;
    for (; at >= 0 && at < extent && (step > 0 ? at < whole(end) : at > whole(end)); at += step) {
        values.emplace_back(at);
    }
    return values;
}

RC_GTEST_PROP(OnnxFolding, SlicesStepByStep, ()) {
    const auto extent = *rc::gen::inRange<std::int64_t>(0, 9);
    const auto start = *rc::gen::inRange<std::int64_t>(-12, 12);
    const auto end = *rc::gen::inRange<std::int64_t>(-12, 12);
    const auto step = *rc::gen::elementOf(Integers{-3, -2, -1, 1, 2, 3});
    const auto result = folded("Slice", {counted(static_cast<std::size_t>(extent)), list({start}),
                                         list({end}), list({0}), list({step})});
    RC_ASSERT(result.has_value());
    RC_ASSERT(result->values == sliced(extent, start, end, step));
}

// No operator, whatever its inputs and attributes, reads outside of them or grows beyond the limit.
RC_GTEST_PROP(OnnxFolding, BoundsWhateverItIsGiven, ()) {
    static const std::vector<std::string> types{
        "Add",    "Where", "Range",   "ReduceSum", "ReduceMax", "Gather",  "Concat",
        "Tile",   "Slice", "Squeeze", "Unsqueeze", "Reshape",   "Flatten", "Transpose",
        "Expand", "Pad",   "NonZero", "Pow",       "Mod",       "Cast",    "ConstantOfShape"};
    const auto number = rc::gen::weightedOneOf<std::int64_t>(
        {{6, rc::gen::inRange<std::int64_t>(-3, 6)},
         {1, rc::gen::elementOf(Integers{lowest, highest, huge, 4096})}});
    Inputs inputs;
    for (int count = *rc::gen::inRange(1, 6); count > 0; --count) {
        Numbers input{.extents =
                          *rc::gen::container<model::Shape>(*rc::gen::inRange<std::size_t>(0, 4),
                                                            rc::gen::inRange<std::uint64_t>(0, 4))};
        for (std::size_t left = *count_numbers(input.extents); left > 0; --left) {
            input.values.push_back(*rc::gen::inRange(0, 8) == 0 ? Numbers::Value() : *number);
        }
        inputs.push_back(std::move(input));
    }
    Attributes attributes;
    for (const char* const name : {"axis", "axes", "perm", "to", "keepdims"}) {
        if (*rc::gen::inRange(0, 3) == 0) {
            attributes[name] = *rc::gen::container<Integers>(2, number);
        }
    }
    for (const std::string& type : types) {
        if (const auto result = folded(type, inputs, attributes)) {
            RC_ASSERT(result->values.size() <= most_numbers);
            RC_ASSERT(count_numbers(result->extents) == result->values.size());
        }
    }
}

}  // namespace
}  // namespace hora::read
