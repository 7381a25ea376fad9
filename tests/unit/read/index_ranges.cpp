#include "libplanner/read/index_ranges.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hora::read {
namespace {

using Indices = std::vector<std::uint32_t>;

struct Case {
    const char* sentence;
    const char* text;
    Indices indices;
};

const Case cases[] = {
    {"no index", "", {}},
    {"one index", "7", {7}},
    {"two neighbours are a range", "3-4", {3, 4}},
    {"a range and one index", "0-3,7", {0, 1, 2, 3, 7}},
    {"the last index below the bound", "0,9", {0, 9}},
};

TEST(IndexRanges, AreExpandedAndFolded) {
    for (const Case& test : cases) {
        const auto indices = expand_ranges(test.text, 10);
        ASSERT_TRUE(indices) << test.sentence;
        EXPECT_EQ(*indices, test.indices) << test.sentence;
        EXPECT_EQ(fold_ranges(test.indices), test.text) << test.sentence;
    }
}

struct Refusal {
    const char* sentence;
    const char* text;
};

const Refusal refusals[] = {
    {"an index that is not below the bound", "10"},
    {"a range that ends at the bound", "8-10"},
    {"an index beyond what a number holds", "4294967296"},
    {"an index twice", "3,3"},
    {"a range that begins in the one before", "1-3,3-4"},
    {"indices that descend", "4,3"},
    {"a range that descends", "4-3"},
    {"a range without an end", "4-"},
    {"a range without a beginning", "-4"},
    {"a comma at the end", "4,"},
    {"a comma at the beginning", ",4"},
    {"two commas", "3,,4"},
    {"another separator", "3 4"},
    {"letters", "n1"},
};

TEST(IndexRanges, RefuseAllElse) {
    for (const Refusal& test : refusals) {
        const auto indices = expand_ranges(test.text, 10);
        ASSERT_FALSE(indices) << test.sentence;
        EXPECT_NE(indices.error().message.find("below 10"), std::string::npos) << test.sentence;
    }
}

RC_GTEST_PROP(IndexRanges, ComeBackAsTheyWereFolded, ()) {
    Indices indices;
    for (std::uint32_t index = 0; index < 40; ++index) {
        if (*rc::gen::arbitrary<bool>()) {
            indices.push_back(index);
        }
    }
    const auto back = expand_ranges(fold_ranges(indices), 40);
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == indices);
}

}  // namespace
}  // namespace hora::read
