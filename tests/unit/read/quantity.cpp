#include "libplanner/read/quantity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hora::read {
namespace {

struct Case {
    const char* sentence;
    const char* text;
    double value;
};

TEST(Quantity, ReadsBandwidths) {
    const Case cases[] = {
        {"a bit is an eighth of a byte", "100 Mbit/s", 12.5e6},
        {"SI prefixes are powers of 1000", "5.96 GB/s", 5.96e9},
        {"binary prefixes are powers of 1024", "1 GiB/s", 1073741824.0},
        {"the blank may be left out", "8bit/s", 1},
    };
    for (const Case& test : cases) {
        const auto value = parse_quantity<Bandwidth>(test.text);
        ASSERT_TRUE(value) << test.sentence << ": " << value.error().message;
        EXPECT_EQ(value->count(), test.value) << test.sentence;
    }
}

TEST(Quantity, ReadsTimesSizesAndRates) {
    EXPECT_EQ(parse_quantity<Seconds>("10 us")->count(), 10e-6);
    EXPECT_EQ(parse_quantity<Seconds>("2 ms")->count(), 2e-3);
    EXPECT_EQ(parse_quantity<Seconds>("30 min")->count(), 1800);
    EXPECT_EQ(parse_quantity<Seconds>("0 s")->count(), 0);
    EXPECT_EQ(parse_quantity<Bytes>("12 GiB")->count(), 12 * 1073741824.0);
    EXPECT_EQ(parse_quantity<Bytes>("12 GB")->count(), 12e9);
    EXPECT_EQ(parse_quantity<FlopRate>("6.1 TFLOP/s")->count(), 6.1e12);
}

struct Refusal {
    const char* sentence;
    const char* text;
    const char* message;
};

TEST(Quantity, RefusesWithAHint) {
    const Refusal cases[] = {
        {"a bare number", "100", "\"100\" has no unit; write a bandwidth like \"100 Mbit/s\""},
        {"nothing", "", "\"\" does not start with a number; write a bandwidth like \"100 Mbit/s\""},
        {"a unit in the wrong case", "100 mbit/s",
         "unknown unit \"mbit/s\" in \"100 mbit/s\"; did you mean \"Mbit/s\"?"},
        {"a unit of another kind", "5 lightyears",
         "\"5 lightyears\" has no unit that is known here; write a bandwidth like \"100 Mbit/s\""},
        {"below zero", "-1 GB/s",
         "\"-1 GB/s\" must be above zero; write a bandwidth like \"100 Mbit/s\""},
        {"a link that carries nothing", "0 GB/s",
         "\"0 GB/s\" must be above zero; write a bandwidth like \"100 Mbit/s\""},
        {"infinity", "inf GB/s",
         "\"inf GB/s\" does not start with a number; write a bandwidth like \"100 Mbit/s\""},
        {"too large for a double", "1e308 GB/s",
         "\"1e308 GB/s\" is too large; write a bandwidth like \"100 Mbit/s\""},
    };
    for (const Refusal& test : cases) {
        const auto value = parse_quantity<Bandwidth>(test.text);
        ASSERT_FALSE(value) << test.sentence;
        EXPECT_EQ(value.error().message, test.message) << test.sentence;
    }
}

TEST(Quantity, WritesTheLargestUnitThatFits) {
    EXPECT_EQ(format_quantity(Seconds(0.002)), "2 ms");
    EXPECT_EQ(format_quantity(Seconds(60)), "1 min");
    EXPECT_EQ(format_quantity(Seconds(90)), "1.5 min");
    EXPECT_EQ(format_quantity(Seconds(0)), "0 s");
    EXPECT_EQ(format_quantity(Bytes(12884901888.0)), "12 GiB");
    EXPECT_EQ(format_quantity(Bandwidth(5.96e9)), "5.96 GB/s");
    EXPECT_EQ(format_quantity(Bandwidth(12.5e6)), "12.5 MB/s");
    EXPECT_EQ(format_quantity(FlopRate(6.1e12)), "6.1 TFLOP/s");
}

TEST(Quantity, RoundsToFourDigitsInTheUnitOfItsSize) {
    EXPECT_EQ(format_rounded(FlopRate(536771405463.55206)), "536.8 GFLOP/s");
    EXPECT_EQ(format_rounded(FlopRate(122'300e18)), "122300 EFLOP/s");
    EXPECT_EQ(format_rounded(FlopRate(0.12345)), "0.1235 FLOP/s");
    EXPECT_EQ(format_rounded(Bandwidth(536771405463.55206)), "536.8 GB/s");
    EXPECT_EQ(format_rounded(Bandwidth(1e9)), "1 GB/s");
    EXPECT_EQ(format_rounded(Bandwidth(999.96e9)), "1000 GB/s");
    EXPECT_EQ(format_rounded(Seconds(2.8582631e-6)), "2.858 us");
    EXPECT_EQ(format_rounded(Seconds(6.97838e-10)), "0.6978 ns");
    EXPECT_EQ(format_rounded(Seconds(0)), "0 s");
}

template <class Q>
void expect_round_trip(double count) {
    const auto back = parse_quantity<Q>(format_quantity(Q(count)));
    RC_ASSERT(back.has_value());
    RC_ASSERT(back->count() == count);
}

RC_GTEST_PROP(Quantity, IsReadBackExactly, ()) {
    const double count = static_cast<double>(*rc::gen::inRange<std::int64_t>(1, 1LL << 53)) *
                         (*rc::gen::element(1.0, 1e-9, 1e3, 0x1p-20));
    expect_round_trip<Seconds>(count);
    expect_round_trip<Bytes>(count);
    expect_round_trip<Bandwidth>(count);
    expect_round_trip<FlopRate>(count);
}

}  // namespace
}  // namespace hora::read
