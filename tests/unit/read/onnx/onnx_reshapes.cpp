// What shapes the operators of onnx_reshapes.cpp give, beside ONNX's own definitions of them.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

const Numbers two_rows = table({2, 3}, {1, 2, 3, 4, 5, 6});
const Numbers empty_rows = table({2, 0}, {});

const Row squeezes[] = {
    {"axes by an attribute",
     "Squeeze",
     {table({1, 2, 1}, {1, 2})},
     {{"axes", {0}}},
     table({2, 1}, {1, 2})},
    {"axes from both ends",
     "Squeeze",
     {table({1, 2, 1}, {1, 2}), narrow(list({-1, 0}))},
     {},
     list({1, 2})},
    {"a table of one becomes a number", "Squeeze", {table({1, 1}, {none})}, {}, single(none)},
    {"a number stays one", "Squeeze", {narrow(single(3))}, {}, narrow(single(3))},
    {"axes that are left out", "Squeeze", {table({1, 2}, {1, 2}), none}, {}, list({1, 2})},
    {"an extent of 0 stays", "Squeeze", {table({1, 0}, {})}, {}, list({})},
};

TEST(OnnxReshapes, SqueezesExtentsOfOne) {
    check(squeezes);
}

const Row unsqueezes[] = {
    {"axes of the result, not of the input",
     "Unsqueeze",
     {list({1, 2}), list({0, 2})},
     {},
     table({1, 2, 1}, {1, 2})},
    {"axes in any order", "Unsqueeze", {list({1, 2}), list({2, 0})}, {}, table({1, 2, 1}, {1, 2})},
    {"axes from the end",
     "Unsqueeze",
     {two_rows},
     {{"axes", {-2, -4}}},
     table({1, 2, 1, 3}, {1, 2, 3, 4, 5, 6})},
    {"beside an extent of 1",
     "Unsqueeze",
     {table({1, 2}, {1, 2}), list({1})},
     {},
     table({1, 1, 2}, {1, 2})},
    {"around nothing", "Unsqueeze", {list({}), list({0})}, {}, table({1, 0}, {})},
    {"a number becomes a table, known or not",
     "Unsqueeze",
     {single(none), list({0, 1})},
     {},
     table({1, 1}, {none})},
};

TEST(OnnxReshapes, UnsqueezesAtAxes) {
    check(unsqueezes);
}

const Row reshapes[] = {
    {"all in a row", "Reshape", {two_rows, list({-1})}, {}, list({1, 2, 3, 4, 5, 6})},
    {"a shape by an attribute",
     "Reshape",
     {two_rows},
     {{"shape", {3, -1}}},
     table({3, 2}, {1, 2, 3, 4, 5, 6})},
    {"a list of one becomes a number", "Reshape", {list({7}), list({})}, {}, single(7)},
    {"a number becomes a table", "Reshape", {single(7), list({1, -1})}, {}, table({1, 1}, {7})},
    {"0 keeps an extent of the same place",
     "Reshape",
     {table({2, 1, 2}, {1, 2, 3, 4}), narrow(list({1, 2, 0}))},
     {},
     table({1, 2, 2}, {1, 2, 3, 4})},
    {"0 keeps an extent of 0", "Reshape", {empty_rows, list({3, 0})}, {}, table({3, 0}, {})},
    {"0 means 0 where that is allowed",
     "Reshape",
     {empty_rows, list({0, 7})},
     {{"allowzero", {1}}},
     table({0, 7}, {})},
    {"the rest of nothing is nothing",
     "Reshape",
     {empty_rows, list({3, -1})},
     {},
     table({3, 0}, {})},
    {"allowed zeros change no rest",
     "Reshape",
     {two_rows, list({-1, 2})},
     {{"allowzero", {1}}},
     table({3, 2}, {1, 2, 3, 4, 5, 6})},
};

TEST(OnnxReshapes, ReshapesByZeroAndMinusOne) {
    check(reshapes);
}

const Row flattened[] = {
    {"after the first axis",
     "Flatten",
     {table({2, 1, 2}, {1, 2, 3, 4})},
     {},
     table({2, 2}, {1, 2, 3, 4})},
    {"before the last",
     "Flatten",
     {table({2, 1, 2}, {1, 2, 3, 4})},
     {{"axis", {-1}}},
     table({2, 2}, {1, 2, 3, 4})},
    {"before the first from the end",
     "Flatten",
     {two_rows},
     {{"axis", {-2}}},
     table({1, 6}, {1, 2, 3, 4, 5, 6})},
    {"after the last", "Flatten", {two_rows}, {{"axis", {2}}}, table({6, 1}, {1, 2, 3, 4, 5, 6})},
    {"a number", "Flatten", {single(none)}, {{"axis", {0}}}, table({1, 1}, {none})},
    {"nothing", "Flatten", {empty_rows}, {}, table({2, 0}, {})},
};

TEST(OnnxReshapes, FlattensAtAnAxis) {
    check(flattened);
}

const Refused refused[] = {
    {"an axis of a number", "Squeeze", {single(1), list({0})}},
    {"an axis beyond the last", "Squeeze", {table({1, 2}, {1, 2})}, {{"axes", {2}}}},
    {"the lowest axis of all", "Squeeze", {list({1})}, {{"axes", {lowest}}}},
    {"axes that are not known", "Squeeze", {list({1}), list({none})}},
    {"an extent of 0 is not 1", "Squeeze", {list({}), list({0})}},
    {"a new axis too far", "Unsqueeze", {list({1}), list({2})}},
    {"one too far below", "Unsqueeze", {list({1}), list({-3})}},
    {"the same new axis from both ends", "Unsqueeze", {single(1), list({0, -2})}},
    {"new axes that are not known", "Unsqueeze", {single(1), list({none})}},
    {"no new axes at all", "Unsqueeze", {list({1})}},
    {"more axes than anything has", "Unsqueeze", {single(1), counted(17)}},
    {"one axis more than anything has", "Unsqueeze", {table(model::Shape(16, 1), {5}), list({0})}},
    {"an extent below -1", "Reshape", {list({1}), list({-2})}},
    {"0 where there is no extent to keep", "Reshape", {list({1}), list({1, 0})}},
    {"an allowed 0 beside a rest", "Reshape", {empty_rows, list({0, -1})}, {{"allowzero", {1}}}},
    {"an allowed 0 of numbers", "Reshape", {two_rows, list({0, 3})}, {{"allowzero", {1}}}},
    {"fewer numbers", "Reshape", {two_rows, list({5})}},
    {"more numbers", "Reshape", {two_rows, list({2, 4})}},
    {"extents that overflow", "Reshape", {two_rows, list({huge, huge, -1})}},
    {"more dimensions than anything has", "Reshape", {single(1), list(Values(17, 1))}},
    {"a shape that is not known", "Reshape", {two_rows, list({none, 3})}},
    {"no shape at all", "Reshape", {list({1})}},
    {"an axis after the last of all", "Flatten", {two_rows}, {{"axis", {3}}}},
    {"an axis before the first of all", "Flatten", {two_rows}, {{"axis", {-3}}}},
    {"the usual axis of a number", "Flatten", {single(1)}},
    {"what is not there", "Flatten", {none}},
};

TEST(OnnxReshapes, LeavesWhatIsNotDefined) {
    check(refused);
}

}  // namespace
}  // namespace hora::read
