// What the operators of onnx_moves.cpp pick and join, beside ONNX's own definitions of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

const Numbers two_rows = table({2, 3}, {1, 2, 3, 4, 5, 6});

const Row picks[] = {
    {"the same, known or not", "Identity", {list({1, none})}, {}, list({1, none})},
    {"a row", "Gather", {two_rows, single(-1)}, {}, list({4, 5, 6})},
    {"a column from the end", "Gather", {two_rows, single(-3)}, {{"axis", {-1}}}, list({1, 4})},
    {"a table of indices",
     "Gather",
     {list({5, 6, 7}), table({2, 2}, {0, -1, -3, 2})},
     {},
     table({2, 2}, {5, 7, 5, 7})},
    {"a table of rows",
     "Gather",
     {two_rows, table({1, 2}, {1, 0})},
     {},
     table({1, 2, 3}, {4, 5, 6, 1, 2, 3})},
    {"indices of 32 bits", "Gather", {list({5, 6}), narrow(list({1}))}, {}, list({6})},
    {"an index that is not known",
     "Gather",
     {two_rows, list({none, 0})},
     {},
     table({2, 3}, {none, none, none, 1, 2, 3})},
    {"indices below and beyond",
     "Gather",
     {list({5, 6}), list({-3, 2, lowest, highest, -2})},
     {},
     list({none, none, none, none, 5})},
    {"no indices", "Gather", {two_rows, list({})}, {{"axis", {1}}}, table({2, 0}, {})},
    {"an index of nothing", "Gather", {list({}), single(0)}, {}, single(none)},
};

TEST(OnnxMoves, PicksByIndex) {
    check(picks);
}

const Row joins[] = {
    {"tables below each other by an axis from the end",
     "Concat",
     {two_rows, table({1, 3}, {7, 8, 9})},
     {{"axis", {-2}}},
     table({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9})},
    {"the middle axis",
     "Concat",
     {table({2, 1, 2}, {1, 2, 3, 4}), table({2, 1, 2}, {5, 6, 7, 8})},
     {{"axis", {1}}},
     table({2, 2, 2}, {1, 2, 5, 6, 3, 4, 7, 8})},
    {"a single one", "Concat", {narrow(list({1}))}, {{"axis", {0}}}, narrow(list({1}))},
    {"rows of none",
     "Concat",
     {table({0, 1}, {}), table({0, 2}, {})},
     {{"axis", {1}}},
     table({0, 3}, {})},
    {"repeated along each axis",
     "Tile",
     {table({2, 1}, {1, 2}), list({2, 3})},
     {},
     table({4, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2})},
    {"repeated once, known or not", "Tile", {list({1, none}), list({1})}, {}, list({1, none})},
    {"nothing repeated", "Tile", {list({}), list({3})}, {}, list({})},
    {"a number needs no repeats", "Tile", {single(3), list({})}, {}, single(3)},
};

TEST(OnnxMoves, JoinsAndRepeats) {
    check(joins);
}

const Row slices[] = {
    {"an end that counts from the end",
     "Slice",
     {counted(5), list({1}), list({-1})},
     {},
     list({1, 2, 3})},
    {"a start below the first is the first",
     "Slice",
     {counted(3), list({-100}), list({2})},
     {},
     list({0, 1})},
    {"a start beyond the last", "Slice", {counted(3), list({3}), list({highest})}, {}, list({})},
    {"an end before the start", "Slice", {counted(3), list({2}), list({1})}, {}, list({})},
    {"an end below the first", "Slice", {counted(3), list({0}), list({-4})}, {}, list({})},
    {"every other",
     "Slice",
     {counted(5), list({0}), list({5}), list({0}), list({2})},
     {},
     list({0, 2, 4})},
    {"steps without axes",
     "Slice",
     {counted(5), list({1}), list({5}), none, list({3})},
     {},
     list({1, 4})},
    {"back from beyond the last",
     "Slice",
     {counted(4), list({highest}), list({0}), list({0}), list({-1})},
     {},
     list({3, 2, 1})},
    {"back to -1 is back to the last",
     "Slice",
     {counted(4), list({3}), list({-1}), list({0}), list({-1})},
     {},
     list({})},
    {"back to just before the first",
     "Slice",
     {counted(4), list({2}), list({-5}), list({0}), list({-1})},
     {},
     list({2, 1, 0})},
    {"back by the lowest step",
     "Slice",
     {counted(4), list({-1}), list({lowest}), list({-1}), list({lowest})},
     {},
     list({3})},
    {"nothing to slice back",
     "Slice",
     {list({}), list({-1}), list({lowest}), list({0}), list({-1})},
     {},
     list({})},
    {"the first axes without any named",
     "Slice",
     {two_rows, list({1}), list({2})},
     {},
     table({1, 3}, {4, 5, 6})},
    {"both axes back",
     "Slice",
     {two_rows, list({-1, -1}), list({lowest, lowest}), list({0, 1}), list({-1, -2})},
     {},
     table({2, 2}, {6, 4, 3, 1})},
    {"axes in any order, of 32 bits",
     "Slice",
     {two_rows, narrow(list({1, 0})), narrow(list({3, 1})), narrow(list({-1, -2}))},
     {},
     table({1, 2}, {2, 3})},
    {"columns by attributes",
     "Slice",
     {two_rows},
     {{"starts", {-1}}, {"ends", {highest}}, {"axes", {1}}},
     table({2, 1}, {3, 6})},
};

TEST(OnnxMoves, SlicesWithinTheExtents) {
    check(slices);
}

const Row turns[] = {
    {"axes in another order",
     "Transpose",
     {table({1, 2, 3}, {1, 2, 3, 4, 5, 6})},
     {{"perm", {2, 0, 1}}},
     table({3, 1, 2}, {1, 4, 2, 5, 3, 6})},
    {"axes as they are", "Transpose", {two_rows}, {{"perm", {0, 1}}}, two_rows},
    {"a number has none", "Transpose", {single(4)}, {}, single(4)},
    {"nothing turned round", "Transpose", {table({0, 2}, {})}, {}, table({2, 0}, {})},
};

TEST(OnnxMoves, TurnsAxesRound) {
    check(turns);
}

const Row spreads[] = {
    {"an extent of 1 keeps what is there", "Expand", {list({1, 2}), list({1})}, {}, list({1, 2})},
    {"and so does no extent", "Expand", {list({1, 2}), list({})}, {}, list({1, 2})},
    {"both ways at once",
     "Expand",
     {table({2, 1}, {1, 2}), list({2, 1, 2})},
     {},
     table({2, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2})},
    {"to nothing", "Expand", {single(1), list({0, 3})}, {}, table({0, 3}, {})},
    {"by 32 bits, known or not",
     "Expand",
     {single(none), narrow(list({2}))},
     {},
     list({none, none})},
};

TEST(OnnxMoves, SpreadsToAShape) {
    check(spreads);
}

const Row margins[] = {
    {"first all that is before, then all that is after",
     "Pad",
     {table({1, 2}, {1, 2}), list({0, 1, 1, 0})},
     {},
     table({2, 3}, {0, 1, 2, 0, 0, 0})},
    {"margins by an attribute", "Pad", {list({7})}, {{"pads", {1, 0}}}, list({0, 7})},
    {"margins that are not known",
     "Pad",
     {list({7}), list({1, 1}), single(none)},
     {},
     list({none, 7, none})},
    {"a list of one as what to fill with",
     "Pad",
     {list({7}), list({0, 1}), list({-1})},
     {},
     list({7, -1})},
    {"of 32 bits",
     "Pad",
     {narrow(list({7})), list({0, 1}), narrow(single(5))},
     {},
     narrow(list({7, 5}))},
    {"around nothing", "Pad", {list({}), list({1, 1})}, {}, list({0, 0})},
    {"no margins of a number", "Pad", {single(7), list({})}, {}, single(7)},
    {"negative margins cut", "Pad", {list({1, 2, 3, 4}), list({-1, -2})}, {}, list({2})},
    {"they may cut all", "Pad", {list({1, 2, 3}), list({-1, -2})}, {}, list({})},
    {"one that cuts beside one that adds",
     "Pad",
     {two_rows, list({-1, 1, 0, -2})},
     {},
     table({1, 2}, {0, 4})},
};

TEST(OnnxMoves, PadsBeforeAndAfter) {
    check(margins);
}

const Refused refused[] = {
    {"an element of a number", "Gather", {single(1), single(0)}},
    {"an axis below the first", "Gather", {list({1}), single(0)}, {{"axis", {-2}}}},
    {"indices of too many", "Gather", {counted(4096), table({2, 1}, {0, 1})}, {{"axis", {1}}}},
    {"more than may be of rows", "Gather", {table({1, 64}, Values(64, 1)), list(Values(65, 0))}},
    {"no indices at all", "Gather", {list({1})}},
    {"lists and tables", "Concat", {list({1}), table({1, 1}, {1})}, {{"axis", {0}}}},
    {"tables of other heights", "Concat", {two_rows, list({1, 2, 3})}, {{"axis", {1}}}},
    {"tables that differ in another extent",
     "Concat",
     {two_rows, table({1, 2}, {1, 2})},
     {{"axis", {0}}}},
    {"lists of two types", "Concat", {list({1}), narrow(list({1}))}, {{"axis", {0}}}},
    {"an axis below the first of all", "Concat", {two_rows, two_rows}, {{"axis", {-3}}}},
    {"too long a list", "Concat", {counted(4096), list({1})}, {{"axis", {0}}}},
    {"one of them is not known", "Concat", {list({1}), none}, {{"axis", {0}}}},
    {"nothing in a row", "Concat", {}, {{"axis", {0}}}},
    {"too few repeats", "Tile", {two_rows, list({2})}},
    {"repeated less than not at all", "Tile", {list({1}), list({-1})}},
    {"repeated without end", "Tile", {list({1}), list({highest})}},
    {"repeats that are not known", "Tile", {list({1}), list({none})}},
    {"more starts than axes", "Slice", {list({1}), list({0, 0}), list({1, 1})}},
    {"more starts than ends", "Slice", {list({1}), list({0, 0}), list({1})}},
    {"more axes than starts", "Slice", {two_rows, list({0}), list({1}), list({0, 1})}},
    {"more steps than starts", "Slice", {list({1}), list({0}), list({1}), none, list({1, 1})}},
    {"a step that is not known", "Slice", {list({1}), list({0}), list({1}), none, list({none})}},
    {"an axis beyond the last", "Slice", {list({1}), list({0}), list({1}), list({1})}},
    {"the same axis from both ends",
     "Slice",
     {list({1}), list({0, 0}), list({1, 1}), list({0, -1})}},
    {"a slice without bounds", "Slice", {list({1})}},
    {"a slice without an end", "Slice", {list({1}), list({})}},
    {"a slice of a number", "Slice", {single(1), list({0}), list({1})}},
    {"an axis of an order beyond the last", "Transpose", {two_rows}, {{"perm", {0, 2}}}},
    {"an order of too many", "Transpose", {list({1})}, {{"perm", {0, 1}}}},
    {"an expansion of 3 to 2", "Expand", {list({1, 2, 3}), list({2})}},
    {"an expansion to less than nothing", "Expand", {single(1), list({-1})}},
    {"an expansion to what is not known", "Expand", {single(1), list({none})}},
    {"an expansion to too many dimensions", "Expand", {single(1), list(Values(17, 1))}},
    {"a product of expansions that overflows", "Expand", {single(1), list({huge, huge, 0})}},
    {"margins of the edge", "Pad", {list({1}), list({1, 1})}, {{"mode", {0}}}},
    {"no margins at all", "Pad", {single(7)}},
    {"too few margins", "Pad", {two_rows, list({1, 1})}},
    {"margins of axes", "Pad", {two_rows, list({1, 1}), none, list({1})}},
    {"margins that cut more than there is", "Pad", {list({1, 2}), list({-2, -1})}},
    {"the lowest margin of all", "Pad", {list({1, 2}), list({lowest, 0})}},
    {"two numbers to fill with", "Pad", {list({1}), list({1, 1}), list({1, 2})}},
    {"margins of another type",
     "Pad",
     {narrow(list({1})), list({1, 1}), single(std::int64_t{1} << 32)}},
    {"margins that are too much together", "Pad", {two_rows, list({0, 2048, 0, 2047})}},
};

TEST(OnnxMoves, LeavesWhatIsNotDefined) {
    check(refused);
}

// An element (i, j, k) of the one is element (j, k, i) or the like of the other.
RC_GTEST_PROP(OnnxMoves, TurnsBackWhatItTurnsRound, ()) {
    const auto extents =
        *rc::gen::container<model::Shape>(3, rc::gen::inRange<std::uint64_t>(0, 4));
    Numbers data = counted(*count_numbers(extents));
    data.extents = extents;
    Integers order{0, 1, 2};
    for (int left = *rc::gen::inRange(0, 6); left > 0; --left) {
        std::next_permutation(order.begin(), order.end());
    }
    Integers back(3);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        back[static_cast<std::size_t>(order[axis])] = static_cast<std::int64_t>(axis);
    }
    const auto turned = folded("Transpose", {data}, {{"perm", order}});
    RC_ASSERT(turned.has_value());
    const auto again = folded("Transpose", {*turned}, {{"perm", back}});
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->extents == data.extents);
    RC_ASSERT(again->values == data.values);
}

struct Parts {
    const char* sentence;
    Inputs inputs;
    Attributes attributes;
    std::vector<Numbers> outputs;
};

const Parts splits[] = {
    {"equal parts", {counted(4)}, {}, {list({0, 1}), list({2, 3})}},
    {"parts as an attribute says", {counted(4)}, {{"split", {1, 3}}}, {list({0}), list({1, 2, 3})}},
    {"parts as an input says",
     {counted(4), list({0, 3, 1})},
     {},
     {list({}), list({0, 1, 2}), list({3})}},
    {"columns",
     {table({2, 3}, {1, 2, none, 4, 5, 6}), list({2, 1})},
     {{"axis", {-1}}},
     {table({2, 2}, {1, 2, 4, 5}), table({2, 1}, {none, 6})}},
    {"rows",
     {narrow(table({2, 2}, {1, 2, 3, 4}))},
     {},
     {narrow(table({1, 2}, {1, 2})), narrow(table({1, 2}, {3, 4}))}},
    {"a last part that is shorter",
     {counted(5)},
     {{"num_outputs", {3}}},
     {list({0, 1}), list({2, 3}), list({4})}},
    {"nothing", {list({})}, {}, {list({}), list({})}},
};

TEST(OnnxMoves, SplitsIntoParts) {
    for (const Parts& row : splits) {
        const auto outputs = folded_outputs("Split", static_cast<int>(row.outputs.size()),
                                            row.inputs, row.attributes);
        for (std::size_t place = 0; place < outputs.size(); ++place) {
            SCOPED_TRACE(row.sentence);
            ASSERT_TRUE(outputs[place]);
            EXPECT_EQ(outputs[place]->type, row.outputs[place].type);
            EXPECT_EQ(outputs[place]->extents, row.outputs[place].extents);
            EXPECT_EQ(outputs[place]->values, row.outputs[place].values);
        }
    }
}

TEST(OnnxMoves, SplitsNothingThatDoesNotFit) {
    const Refused rows[] = {
        {"unequal parts that nothing states", "Split", {counted(5)}},
        {"parts of another number", "Split", {counted(4)}, {{"num_outputs", {3}}}},
        {"parts that are too short", "Split", {counted(4), list({1, 2})}},
        {"parts that are too long", "Split", {counted(4), list({4, 4})}},
        {"a part below nothing", "Split", {counted(4), list({-1, 5})}},
        {"parts that overflow", "Split", {counted(4), list({highest, highest})}},
        {"a third part", "Split", {counted(4), list({1, 1, 2})}},
        {"no parts", "Split", {counted(4), list({})}},
        {"parts that are not known", "Split", {counted(4), list({none, 2})}},
        {"a single number", "Split", {single(4)}},
        {"an axis that is none", "Split", {counted(4)}, {{"axis", {1}}}},
        {"numbers that are not known", "Split", {none, list({2, 2})}},
    };
    for (const Refused& row : rows) {
        for (const auto& output : folded_outputs("Split", 2, row.inputs, row.attributes)) {
            EXPECT_FALSE(output) << row.sentence;
        }
    }
    // Two for the last of four are -1.
    for (const auto& output : folded_outputs("Split", 4, {counted(5)}, {{"num_outputs", {4}}})) {
        EXPECT_FALSE(output);
    }
    EXPECT_FALSE(folded("Split", {counted(4)}));  // into no outputs
    EXPECT_FALSE(folded_outputs("Identity", 2, {counted(4)})[1]);
}

}  // namespace
}  // namespace hora::read
