// Is only what is plainly a number within its bounds one?
#include "libplanner/read/whole_number.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

TEST(WholeNumber, IsDigitsWithinBounds) {
    const std::pair<const char*, const char*> rows[] = {
        {"1", ""},
        {"8", ""},
        {"007", ""},
        {"0", "\"0\" is out of range; give 1 to 8"},
        {"9", "\"9\" is out of range; give 1 to 8"},
        {"99999999999999999999", "\"99999999999999999999\" is out of range; give 1 to 8"},
        {"", "\"\" is not a whole number; give 1 to 8"},
        {"-1", "\"-1\" is not a whole number; give 1 to 8"},
        {"+1", "\"+1\" is not a whole number; give 1 to 8"},
        {" 1", "\" 1\" is not a whole number; give 1 to 8"},
        {"1 ", "\"1 \" is not a whole number; give 1 to 8"},
        {"1k", "\"1k\" is not a whole number; give 1 to 8"},
        {"0x1", "\"0x1\" is not a whole number; give 1 to 8"},
        {"1.0", "\"1.0\" is not a whole number; give 1 to 8"},
        {"99999999999999999999k", "\"99999999999999999999k\" is not a whole number; give 1 to 8"},
    };
    for (const auto& [text, message] : rows) {
        const auto number = parse_whole_number(text, {1, 8});
        EXPECT_EQ(number ? "" : number.error().message, message) << text;
    }
    EXPECT_EQ(parse_whole_number("007", {1, 8}), 7U);
    EXPECT_EQ(parse_whole_number("18446744073709551615", {0, ~std::uint64_t{0}}),
              ~std::uint64_t{0});
}

}  // namespace
}  // namespace hora::read
