// What shapes the operators of onnx_reshapes.cpp give, beside ONNX's own definitions of them.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

const Refused refused[] = {
    {"no new axes at all", "Unsqueeze", {list({1})}},
    {"no shape at all", "Reshape", {list({1})}},
};

TEST(OnnxReshapes, LeavesWhatIsNotDefined) {
    check(refused);
}

}  // namespace
}  // namespace hora::read
