#include "libplanner/base/nearest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

struct Short {
    const char* sentence;
    std::string_view written;
    std::vector<std::string_view> known;
    const char* text;
};

const Short shorts[] = {
    {"a short name is the one long name", "vit", {"vgg16", "vit-b-16"}, "\"vit-b-16\""},
    {"or either of two",
     "a100",
     {"a10", "a100-40gb", "a100-80gb"},
     "\"a100-40gb\" or \"a100-80gb\""},
    {"or one of four",
     "net",
     {"net1", "net2", "net3", "net4"},
     "\"net1\", \"net2\", \"net3\" or \"net4\""},
    {"more than four are not listed: the nearest is",
     "net",
     {"net1", "net2", "net3", "net4", "net5"},
     "\"net1\""},
    {"a word that goes on is another", "batc", {"batch_norm", "batch"}, "\"batch\""},
    {"a capital goes on as well", "net", {"netWork", "net-work"}, "\"net-work\""},
    {"a letter alone is no name", "t", {"t5-base", "t4"}, "\"t4\""},
    {"a slip in a short name finds what is near", "hlo", {"h100-80gb", "hl0"}, "\"hl0\""},
};

TEST(Nearest, TakesAShortNameForTheLongOnes) {
    for (const Short& test : shorts) {
        EXPECT_EQ(did_you_mean(test.written, test.known),
                  std::string("; did you mean ") + test.text + "?")
            << test.sentence;
    }
    EXPECT_EQ(did_you_mean("vi", std::vector<std::string_view>{"vim-editor"}), "");
}

TEST(Nearest, AsksOnlyWhenSomethingIsNear) {
    EXPECT_EQ(did_you_mean("h1000", known), "; did you mean \"h100\"?");
    EXPECT_EQ(did_you_mean("resnet50", known), "");
}

}  // namespace
}  // namespace hora
