// Does a large number keep four digits, whatever its size?
#include "libplanner/report/short_count.hpp"

#include <gtest/gtest.h>

namespace hora::report {
namespace {

TEST(ShortCount, KeepsFourDigits) {
    const struct {
        std::uint64_t count;
        const char* text;
        const char* bytes;
    } cases[] = {
        {0, "0", "0 B"},
        {999, "999", "999 B"},
        {1000, "1.000 k", "1.000 kB"},
        {999'949, "999.9 k", "999.9 kB"},
        {999'950, "1.000 M", "1.000 MB"},
        {4'089'000'000, "4.089 G", "4.089 GB"},
        {~std::uint64_t{0}, "18.45 E", "18.45 EB"},
    };
    for (const auto& test : cases) {
        EXPECT_EQ(short_count(test.count), test.text);
        EXPECT_EQ(short_bytes(test.count), test.bytes);
    }
}

}  // namespace
}  // namespace hora::report
