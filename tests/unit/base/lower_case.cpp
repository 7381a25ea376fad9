// How is a text written in small letters?
#include "libplanner/base/lower_case.hpp"

#include <gtest/gtest.h>

namespace hora {
namespace {

TEST(LowerCase, LeavesAllButCapitalLetters) {
    EXPECT_EQ(lower_case("NVIDIA A100-80GB_[é]"), "nvidia a100-80gb_[é]");
    EXPECT_EQ(lower_case(""), "");
}

TEST(LowerCase, MakesWordsTheSame) {
    EXPECT_TRUE(is_same_word("JobIDRaw", "jobidraw"));
    EXPECT_FALSE(is_same_word("JobID", "JobIDRaw"));
    EXPECT_FALSE(is_same_word("a[", "a{")) << "no letters";
}

}  // namespace
}  // namespace hora
