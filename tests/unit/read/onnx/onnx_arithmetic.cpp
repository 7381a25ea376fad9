// What the operators of onnx_arithmetic.cpp compute, beside ONNX's own definitions of them.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

constexpr std::int64_t highest_of_32 = std::numeric_limits<std::int32_t>::max();

const Refused refused[] = {
    {"a sum of one", "Add", {single(1)}},
    {"a difference of three", "Sub", {single(9), single(2), single(1)}},
    {"equal to nothing", "Equal", {single(1)}},
    {"a comparison of three", "Less", {list({1}), list({2}), list({0})}},
    {"a range of two types",
     "Range",
     {narrow(single(highest_of_32)), single(highest_of_32 + 3), single(1)}},
};

TEST(OnnxArithmetic, LeavesWhatIsNotDefined) {
    check(refused);
}

}  // namespace
}  // namespace hora::read
