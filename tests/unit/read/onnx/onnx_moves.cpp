// What the operators of onnx_moves.cpp pick and join, beside ONNX's own definitions of them.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

const Refused refused[] = {
    {"a slice without bounds", "Slice", {list({1})}},
    {"a slice without an end", "Slice", {list({1}), list({})}},
    {"no margins at all", "Pad", {single(7)}},
    {"margins of another type",
     "Pad",
     {narrow(list({1})), list({1, 1}), single(std::int64_t{1} << 32)}},
};

TEST(OnnxMoves, LeavesWhatIsNotDefined) {
    check(refused);
}

}  // namespace
}  // namespace hora::read
