#include "libplanner/base/nearest.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora {
namespace {

struct Case {
    const char* sentence;
    std::string_view written;
    std::string_view nearest;
};

constexpr std::string_view known[] = {"h100", "h200", "a100-40gb", "a100-80gb", "titanx"};

const Case cases[] = {
    {"a known name is nearest to itself", "h100", "h100"},
    {"a slip of one letter is found", "h1000", "h100"},
    {"the first of two equally near names wins", "h300", "h100"},
    {"a swapped pair is two edits", "titnax", "titanx"},
    {"something else entirely finds nothing", "resnet50", ""},
    {"an overlong name is not even tried",
     "h100 h100 h100 h100 h100 h100 h100 h100 h100 h100 h100 h100 h100", ""},
};

TEST(Nearest, FindsTheNameThatWasMeant) {
    for (const Case& test : cases) {
        EXPECT_EQ(nearest_name(test.written, known), test.nearest) << test.sentence;
    }
}

TEST(Nearest, AsksOnlyWhenSomethingIsNear) {
    EXPECT_EQ(did_you_mean("h1000", known), "; did you mean \"h100\"?");
    EXPECT_EQ(did_you_mean("resnet50", known), "");
}

}  // namespace
}  // namespace hora
