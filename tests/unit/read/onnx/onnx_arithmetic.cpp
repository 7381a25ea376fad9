// What the operators of onnx_arithmetic.cpp compute, beside ONNX's own definitions of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

constexpr std::int64_t lowest_of_32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t highest_of_32 = std::numeric_limits<std::int32_t>::max();

const Row of_two[] = {
    {"signs of a quotient",
     "Div",
     {list({7, -7, 7, -7, 0}), list({2, 2, -2, -2, -5})},
     {},
     list({3, -3, -3, 3, 0})},
    {"the lowest of 32 bits has no opposite",
     "Div",
     {narrow(list({lowest_of_32, lowest_of_32})), narrow(list({-1, 2}))},
     {},
     narrow(list({none, lowest_of_32 / 2}))},
    {"only the quotient by zero is not known",
     "Div",
     {list({6, 6, 0}), list({3, 0, 0})},
     {},
     list({2, none, none})},
    {"signs of a modulus",
     "Mod",
     {list({7, -7, 7, -7, -6}), list({3, 3, -3, -3, -3})},
     {},
     list({1, 2, -2, -1, 0})},
    {"a modulus as large as can be",
     "Mod",
     {list({-1, 1, lowest}), list({highest, lowest, highest})},
     {},
     list({highest - 1, lowest + 1, highest - 1})},
    {"signs of a remainder",
     "Mod",
     {list({7, -7, 7, -7, -6}), list({3, 3, -3, -3, -3})},
     {{"fmod", {1}}},
     list({1, -1, 1, -1, 0})},
    {"no modulus of zero", "Mod", {list({5, lowest}), single(0)}, {}, list({none, none})},
    {"no remainder of zero",
     "Mod",
     {list({5, lowest}), single(0)},
     {{"fmod", {1}}},
     list({none, none})},
    {"powers at the ends of the numbers",
     "Pow",
     {list({-2, 2, -2, 2}), list({63, 62, 62, 63})},
     {},
     list({lowest, std::int64_t{1} << 62, std::int64_t{1} << 62, none})},
    {"powers at the ends of 32 bits",
     "Pow",
     {narrow(list({-2, 2, 2})), narrow(list({31, 31, 30}))},
     {},
     narrow(list({lowest_of_32, none, 1 << 30}))},
    {"powers of nothing and of one",
     "Pow",
     {list({0, 0, 1, -1, -1, 7}), list({5, -1, -5, 3, 4, 0})},
     {},
     list({0, none, 1, -1, 1, 1})},
    {"an exponent of another type", "Pow", {list({2, -3}), narrow(single(3))}, {}, list({8, -27})},
    {"the base says the type",
     "Pow",
     {narrow(list({2, 2})), list({30, 31})},
     {},
     narrow(list({1 << 30, none}))},
    {"a root is no whole number", "Pow", {single(2), single(-1)}, {}, single(none)},
    {"a difference spreads its first", "Sub", {single(10), list({1, 20})}, {}, list({9, -10})},
    {"a product of 32 bits at its end",
     "Mul",
     {narrow(list({lowest_of_32, lowest_of_32})), narrow(list({1, -1}))},
     {},
     narrow(list({lowest_of_32, none}))},
    {"the least of three shapes",
     "Min",
     {table({2, 1}, {5, 1}), list({3, 9}), single(4)},
     {},
     table({2, 2}, {3, 4, 1, 1})},
    {"one that is not known may be the greatest",
     "Max",
     {list({1, 2}), list({none, 1}), list({0, 7})},
     {},
     list({none, 7})},
    {"the lowest is less than the highest",
     "Less",
     {list({lowest, highest}), list({highest, lowest})},
     {},
     truths({1, 0})},
    {"less or equal", "LessOrEqual", {list({1, 2, 3}), single(2)}, {}, truths({1, 1, 0})},
    {"greater", "Greater", {list({1, 2, 3}), single(2)}, {}, truths({0, 0, 1})},
    {"greater or equal", "GreaterOrEqual", {list({1, 2, 3}), single(2)}, {}, truths({0, 1, 1})},
    {"nothing equals what is not known",
     "Equal",
     {list({none, none, 1}), list({none, 1, 1})},
     {},
     truths({none, none, 1})},
    {"truths are equal", "Equal", {truths({0, 1, 0}), truths({0, 0, 1})}, {}, truths({1, 0, 0})},
    {"both", "And", {truths({0, 0, 1, 1}), truths({0, 1, 0, 1})}, {}, truths({0, 0, 0, 1})},
    {"any", "Or", {truths({0, 0, 1, 1}), truths({0, 1, 0, 1})}, {}, truths({0, 1, 1, 1})},
    {"two numbers are no list", "Add", {single(1), single(2)}, {}, single(3)},
    {"a number and a table of one are a table",
     "Add",
     {single(1), table({1, 1}, {2})},
     {},
     table({1, 1}, {3})},
    {"the middle extent is spread",
     "Add",
     {table({2, 1, 2}, {1, 2, 3, 4}), table({2, 1}, {10, 20})},
     {},
     table({2, 2, 2}, {11, 12, 21, 22, 13, 14, 23, 24})},
    {"an extent of 1 becomes 0",
     "Add",
     {table({1, 2}, {1, 2}), table({0, 1}, {})},
     {},
     table({0, 2}, {})},
};

TEST(OnnxArithmetic, CombinesTwoByTheirSigns) {
    check(of_two);
}

const Row of_one[] = {
    {"the lowest of 32 bits is not negated",
     "Neg",
     {narrow(list({lowest_of_32, highest_of_32}))},
     {},
     narrow(list({none, -highest_of_32}))},
    {"nor has it an absolute value",
     "Abs",
     {narrow(list({lowest_of_32, -1, 0}))},
     {},
     narrow(list({none, 1, 0}))},
    {"nor has the lowest of all", "Abs", {list({lowest, none})}, {}, list({none, none})},
    {"clipped at both ends",
     "Clip",
     {list({-9, 0, 9, none}), single(-1), single(2)},
     {},
     list({-1, 0, 2, none})},
    {"not below the least", "Clip", {list({lowest, 5}), single(0)}, {}, list({0, 5})},
    {"not above the greatest",
     "Clip",
     {table({1, 2}, {highest, 5}), none, single(7)},
     {},
     table({1, 2}, {7, 5})},
    {"without bounds", "Clip", {list({1, none})}, {}, list({1, none})},
    {"the greatest of two bounds that cross",
     "Clip",
     {list({0, 5, 9}), single(6), single(3)},
     {},
     list({3, 3, 3})},
    {"a bound that is not known", "Clip", {list({1, 2}), single(none)}, {}, list({none, none})},
    {"signs", "Sign", {list({lowest, 0, highest, none})}, {}, list({-1, 0, 1, none})},
    {"not what is not known", "Not", {truths({none, 0})}, {}, truths({none, 1})},
    {"truths become numbers",
     "Cast",
     {truths({1, 0, none})},
     {{"to", {TensorProto::INT64}}},
     list({1, 0, none})},
    {"negative ones are true too",
     "Cast",
     {list({lowest, -1, 0})},
     {{"to", {TensorProto::BOOL}}},
     truths({1, 1, 0})},
    {"the ends of 32 bits",
     "Cast",
     {list({lowest_of_32, lowest_of_32 - 1, highest_of_32, highest_of_32 + 1})},
     {{"to", {TensorProto::INT32}}},
     narrow(list({lowest_of_32, none, highest_of_32, none}))},
    {"to more bits",
     "Cast",
     {narrow(table({1, 2}, {lowest_of_32, highest_of_32}))},
     {{"to", {TensorProto::INT64}}},
     table({1, 2}, {lowest_of_32, highest_of_32})},
};

TEST(OnnxArithmetic, MapsEachNumber) {
    check(of_one);
}

const Row choices[] = {
    {"three shapes meet",
     "Where",
     {table({2, 1}, {1, 0}), list({1, 2}), single(9)},
     {},
     table({2, 2}, {1, 2, 9, 9})},
    {"a single condition takes all of one",
     "Where",
     {single(0), list({1, 2}), table({2, 1}, {7, 8})},
     {},
     table({2, 2}, {7, 7, 8, 8})},
    {"what is not chosen needs not be known",
     "Where",
     {truths({1, 0, 1}), list({1, none, none}), list({none, 5, 6})},
     {},
     list({1, 5, none})},
    {"a choice of none", "Where", {truths({}), single(1), single(2)}, {}, list({})},
};

TEST(OnnxArithmetic, ChoosesByACondition) {
    check(choices);
}

const Row ranges[] = {
    {"a limit that is met is left out",
     "Range",
     {single(0), single(6), single(3)},
     {},
     list({0, 3})},
    {"one that is passed ends it", "Range", {single(0), single(7), single(3)}, {}, list({0, 3, 6})},
    {"down to below zero", "Range", {single(1), single(-3), single(-2)}, {}, list({1, -1})},
    {"from a number to itself", "Range", {single(4), single(4), single(-1)}, {}, list({})},
    {"up by a step down", "Range", {single(0), single(5), single(-1)}, {}, list({})},
    {"down to the lowest",
     "Range",
     {single(lowest + 1), single(lowest), single(-5)},
     {},
     list({lowest + 1})},
    {"by the lowest", "Range", {single(0), single(lowest), single(lowest)}, {}, list({0})},
    {"of 32 bits",
     "Range",
     {narrow(single(highest_of_32 - 1)), narrow(single(highest_of_32)), narrow(single(2))},
     {},
     narrow(list({highest_of_32 - 1}))},
    {"as many as may be", "Range", {single(0), single(4096), single(1)}, {}, counted(4096)},
};

TEST(OnnxArithmetic, CountsRanges) {
    check(ranges);
}

const Numbers six = table({2, 3}, {1, 2, 3, 4, 5, 6});

const Row running_sums[] = {
    {"of a list", "CumSum", {list({1, 2, 3}), single(0)}, {}, list({1, 3, 6})},
    {"without the number itself",
     "CumSum",
     {list({1, 2, 3}), single(0)},
     {{"exclusive", {1}}},
     list({0, 1, 3})},
    {"from the last on",
     "CumSum",
     {list({1, 2, 3}), list({-1})},
     {{"reverse", {1}}},
     list({6, 5, 3})},
    {"both",
     "CumSum",
     {list({1, 2, 3}), single(0)},
     {{"exclusive", {1}}, {"reverse", {1}}},
     list({5, 3, 0})},
    {"down", "CumSum", {six, single(0)}, {}, table({2, 3}, {1, 2, 3, 5, 7, 9})},
    {"across", "CumSum", {six, narrow(single(-1))}, {}, table({2, 3}, {1, 3, 6, 4, 9, 15})},
    {"the middle axis",
     "CumSum",
     {table({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), single(1)},
     {},
     table({2, 2, 2}, {1, 2, 4, 6, 5, 6, 12, 14})},
    {"what is not known stays so from there on",
     "CumSum",
     {list({1, none, 3}), single(0)},
     {},
     list({1, none, none})},
    {"but not before it",
     "CumSum",
     {list({1, none, 3}), single(0)},
     {{"exclusive", {1}}},
     list({0, 1, none})},
    {"beyond 32 bits",
     "CumSum",
     {narrow(list({highest_of_32, 1, -1})), single(0)},
     {},
     narrow(list({highest_of_32, none, none}))},
    {"of nothing", "CumSum", {table({0, 2}, {}), single(1)}, {}, table({0, 2}, {})},
};

TEST(OnnxArithmetic, SumsUpAlongAnAxis) {
    check(running_sums);
}

const Row reductions[] = {
    {"an axis from the end",
     "ReduceSum",
     {table({2, 3}, {1, 2, 3, 4, 5, 6}), list({-1})},
     {},
     table({2, 1}, {6, 15})},
    {"the middle axis goes",
     "ReduceMax",
     {table({2, 2, 2}, {1, 8, 3, 4, 5, 6, 7, 2})},
     {{"axes", {1}}, {"keepdims", {0}}},
     table({2, 2}, {3, 8, 7, 6})},
    {"all axes without one named",
     "ReduceMin",
     {table({2, 2}, {4, -3, 2, 9})},
     {},
     table({1, 1}, {-3})},
    {"both axes named in any order",
     "ReduceProd",
     {table({2, 2}, {4, -3, 2, 9}), list({-1, 0})},
     {{"keepdims", {0}}},
     single(-216)},
    {"no sum of none is anything but zero",
     "ReduceSum",
     {table({0, 2}, {}), list({0})},
     {{"keepdims", {0}}},
     list({0, 0})},
    {"a sum along the axis that has any",
     "ReduceSum",
     {table({0, 2}, {}), list({1})},
     {},
     table({0, 1}, {})},
    {"a single number", "ReduceMin", {single(5)}, {}, single(5)},
    {"a product that overflows stays unknown",
     "ReduceProd",
     {list({highest, 2, 0})},
     {{"keepdims", {0}}},
     single(none)},
    {"one that is not known may be the least",
     "ReduceMin",
     {table({2, 2}, {none, 1, 2, 3})},
     {{"axes", {1}}},
     table({2, 1}, {none, 2})},
    {"axes that are named are reduced whatever none would mean",
     "ReduceSum",
     {list({1, 2}), list({0})},
     {{"noop_with_empty_axes", {1}}},
     list({3})},
    {"no axes that mean none leave it as it is",
     "ReduceSum",
     {table({1, 2}, {1, none})},
     {{"noop_with_empty_axes", {1}}, {"keepdims", {0}}},
     table({1, 2}, {1, none})},
    {"nor does an empty list of them change it",
     "ReduceMax",
     {list({1, 2}), list({})},
     {{"noop_with_empty_axes", {1}}},
     list({1, 2})},
};

TEST(OnnxArithmetic, ReducesAlongAxes) {
    check(reductions);
}

const Refused refused[] = {
    {"clipped by a bound of another type", "Clip", {list({1}), narrow(single(0))}},
    {"clipped by two", "Clip", {list({1}), list({0, 1})}},
    {"clipped by attributes, as floats were", "Clip", {list({1})}, {{"max", {0}}}},
    {"a power of a truth", "Pow", {truths({1}), single(2)}},
    {"a truth for an exponent", "Pow", {list({2}), truths({1})}},
    {"a sum of one", "Add", {single(1)}},
    {"a difference of three", "Sub", {single(9), single(2), single(1)}},
    {"equal to nothing", "Equal", {single(1)}},
    {"a comparison of three", "Less", {list({1}), list({2}), list({0})}},
    {"a sum whose second is left out", "Add", {single(1), none}},
    {"extents of 0 and 2", "Add", {list({}), list({1, 2})}},
    {"the least of two types", "Min", {single(1), narrow(single(1))}},
    {"an axis of before version 7", "Add", {table({2, 1}, {1, 2}), list({1, 2})}, {{"axis", {0}}}},
    {"a type without whole numbers of ours", "Cast", {single(1)}, {{"to", {TensorProto::UINT8}}}},
    {"a cast to nothing", "Cast", {single(1)}},
    {"a choice of two types", "Where", {truths({1}), single(1), narrow(single(1))}},
    {"a choice without an other", "Where", {truths({1}), single(1)}},
    {"a choice of shapes that do not fit", "Where", {truths({1, 0, 1}), list({1, 2}), single(1)}},
    {"a range without a step", "Range", {single(0), single(3)}},
    {"a range of a list", "Range", {list({0, 1}), single(3), single(1)}},
    {"a range to what is not known", "Range", {single(0), single(none), single(1)}},
    {"a range of two types",
     "Range",
     {narrow(single(highest_of_32)), single(highest_of_32 + 3), single(1)}},
    {"a range of one too many", "Range", {single(0), single(4097), single(1)}},
    {"an axis beyond the last", "ReduceSum", {list({1}), list({1})}},
    {"a running sum along an axis beyond the last", "CumSum", {list({1}), single(1)}},
    {"along two", "CumSum", {six, list({0, 1})}},
    {"along one that is not known", "CumSum", {list({1}), single(none)}},
    {"along none", "CumSum", {list({1})}},
    {"a running sum of a number", "CumSum", {single(1), single(0)}},
    {"of nothing that is known", "CumSum", {none, single(0)}},
    {"the lowest axis of all", "ReduceMin", {list({1})}, {{"axes", {lowest}}}},
    {"axes that are not known", "ReduceSum", {list({1}), list({none})}},
    {"the least of no columns", "ReduceMin", {table({2, 0}, {})}, {{"axes", {1}}}},
};

TEST(OnnxArithmetic, LeavesWhatIsNotDefined) {
    check(refused);
}

// ONNX: a quotient goes towards zero, a modulus has its divisor's sign, a remainder the dividend's.
RC_GTEST_PROP(OnnxArithmetic, PutsTogetherWhatItDivides, ()) {
    const auto dividend = *rc::gen::arbitrary<std::int64_t>();
    const auto divisor = *rc::gen::suchThat(
        rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int64_t>(-9, 9)),
        [](std::int64_t number) { return number != 0 && number != -1; });
    const auto compute = [&](const char* type, const Attributes& attributes) {
        return *folded(type, {single(dividend), single(divisor)}, attributes)->values.front();
    };
    const std::int64_t quotient = compute("Div", {});
    const std::int64_t rest = compute("Mod", {{"fmod", {1}}});
    const std::int64_t modulus = compute("Mod", {});
    RC_ASSERT(quotient * divisor + rest == dividend);
    RC_ASSERT(rest == 0 || (rest < 0) == (dividend < 0));
    RC_ASSERT(modulus == 0 || (modulus < 0) == (divisor < 0));
    RC_ASSERT(modulus == rest || modulus == rest + divisor);
    RC_ASSERT((divisor > 0 ? modulus < divisor : modulus > divisor));
}

}  // namespace
}  // namespace hora::read
