#include "libplanner/read/onnx/onnx_numbers.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

using model::Shape;
using std::string_literals::operator""s;

TensorProto tensor(std::int32_t type, const Integers& extents) {
    TensorProto made;
    made.set_data_type(type);
    made.mutable_dims()->Add(extents.begin(), extents.end());
    return made;
}

TensorProto of_bytes(std::int32_t type, const Integers& extents, const std::string& bytes) {
    TensorProto made = tensor(type, extents);
    made.set_raw_data(bytes);
    return made;
}

TensorProto of_64_bits(const Integers& extents, const Integers& values) {
    TensorProto made = tensor(TensorProto::INT64, extents);
    made.mutable_int64_data()->Add(values.begin(), values.end());
    return made;
}

TensorProto of_32_bits(std::int32_t type, const Integers& extents, const Integers& values) {
    TensorProto made = tensor(type, extents);
    for (const std::int64_t value : values) {
        made.add_int32_data(static_cast<std::int32_t>(value));
    }
    return made;
}

TensorProto elsewhere() {
    TensorProto made = of_64_bits({1}, {1});
    made.set_data_location(TensorProto::EXTERNAL);
    return made;
}

struct Stored {
    const char* sentence;
    TensorProto tensor;
    std::optional<Numbers> numbers;
};

const Stored stored[] = {
    {"64 bits", of_64_bits({2, 1}, {lowest, 7}), table({2, 1}, {lowest, 7})},
    {"a single one", of_64_bits({}, {7}), single(7)},
    {"none", of_64_bits({3, 0}, {}), table({3, 0}, {})},
    {"32 bits", of_32_bits(TensorProto::INT32, {2}, {-1, 5}), narrow(list({-1, 5}))},
    {"truths", of_32_bits(TensorProto::BOOL, {2}, {0, 1}), truths({0, 1})},
    {"any number but zero is true", of_32_bits(TensorProto::BOOL, {2}, {2, -1}), truths({1, 1})},
    {"bytes of 64 bits", of_bytes(TensorProto::INT64, {1}, "\xfe\xff\xff\xff\xff\xff\xff\xff"s),
     list({-2})},
    {"bytes of 32 bits", of_bytes(TensorProto::INT32, {2}, "\x01\x02\0\0\xff\xff\xff\xff"s),
     narrow(list({513, -1}))},
    {"bytes of truths", of_bytes(TensorProto::BOOL, {3}, "\0\x01\xff"s), truths({0, 1, 1})},
    {"another type", of_bytes(TensorProto::FLOAT, {1}, "\0\0\0\0"s), none},
    {"no type", of_64_bits({}, {}), none},
    {"too few", of_64_bits({2}, {1}), none},
    {"too many", of_64_bits({2}, {1, 2, 3}), none},
    {"those of another type", of_32_bits(TensorProto::INT64, {1}, {1}), none},
    {"a negative extent", of_64_bits({-1}, {1}), none},
    {"two of them", of_64_bits({-1, -1}, {1}), none},
    {"a product of extents that overflows", of_64_bits({huge, huge}, {}), none},
    {"a large extent beside one of 0", of_64_bits({0, huge}, {}), none},
    {"half a number more", of_bytes(TensorProto::INT64, {1}, "\x01\0\0\0\0\0\0\0\0\0\0\0"s), none},
    {"half a number of none", of_bytes(TensorProto::INT64, {0}, "\0\0\0\0"s), none},
    {"half a number less", of_bytes(TensorProto::INT64, {1}, "\x01\0\0\0"s), none},
    {"more dimensions than anything has", of_64_bits(Integers(17, 1), {1}), none},
    {"more bytes than may be", of_bytes(TensorProto::BOOL, {1}, std::string(32769, '\0')), none},
    {"what is in another file", elsewhere(), none},
};

TEST(OnnxNumbers, ReadsTensors) {
    for (const Stored& row : stored) {
        SCOPED_TRACE(row.sentence);
        const auto numbers = numbers_of(row.tensor);
        ASSERT_EQ(numbers.has_value(), row.numbers.has_value());
        if (numbers) {
            EXPECT_EQ(numbers->type, row.numbers->type);
            EXPECT_EQ(numbers->extents, row.numbers->extents);
            EXPECT_EQ(numbers->values, row.numbers->values);
        }
    }
}

RC_GTEST_PROP(OnnxNumbers, ReadsBackWhatItWrites, ()) {
    Numbers numbers{.type = *rc::gen::elementOf(std::vector<std::int32_t>{
                        TensorProto::INT64, TensorProto::INT32, TensorProto::BOOL}),
                    .extents = *rc::gen::container<Shape>(*rc::gen::inRange<std::size_t>(0, 4),
                                                          rc::gen::inRange<std::uint64_t>(0, 4))};
    for (std::size_t left = *count_numbers(numbers.extents); left > 0; --left) {
        numbers.values.emplace_back(*rc::gen::suchThat(
            rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(),
                           rc::gen::inRange<std::int64_t>(0, 2)),
            [&](std::int64_t value) { return is_in_range(numbers.type, value); }));
    }
    const auto again = numbers_of(to_tensor(numbers));
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->type == numbers.type);
    RC_ASSERT(again->extents == numbers.extents);
    RC_ASSERT(again->values == numbers.values);
}

TEST(OnnxNumbers, AreKnownAllOrNot) {
    EXPECT_EQ(list({1, 2}).known(), (Integers{1, 2}));
    EXPECT_EQ(list({}).known(), Integers{});
    EXPECT_EQ(list({1, none}).known(), none);
    EXPECT_EQ(single(3).single(), 3);
    EXPECT_EQ(table({1, 1}, {3}).single(), 3);
    EXPECT_EQ(single(none).single(), none);
    EXPECT_EQ(list({}).single(), none);
    EXPECT_EQ(list({1, 2}).single(), none);
}

struct Range {
    std::int32_t type;
    std::int64_t value;
    bool is_inside;
};

const Range ranges[] = {
    {TensorProto::INT64, lowest, true},
    {TensorProto::INT64, highest, true},
    {TensorProto::INT32, std::numeric_limits<std::int32_t>::min(), true},
    {TensorProto::INT32, std::numeric_limits<std::int32_t>::max(), true},
    {TensorProto::INT32, std::numeric_limits<std::int32_t>::min() - std::int64_t{1}, false},
    {TensorProto::INT32, std::numeric_limits<std::int32_t>::max() + std::int64_t{1}, false},
    {TensorProto::BOOL, 0, true},
    {TensorProto::BOOL, 1, true},
    {TensorProto::BOOL, 2, false},
    {TensorProto::BOOL, -1, false},
};

TEST(OnnxNumbers, StayInTheRangeOfTheirType) {
    for (const Range& row : ranges) {
        EXPECT_EQ(is_in_range(row.type, row.value), row.is_inside) << row.type << " " << row.value;
    }
}

struct Counted {
    const char* sentence;
    Shape extents;
    std::optional<std::size_t> count;
};

const Counted counts[] = {
    {"no dimensions are one number", {}, 1},
    {"a table", {2, 3}, 6},
    {"nothing", {3, 0}, 0},
    {"as many as may be", {64, 64}, 4096},
    {"one more", {4097}, none},
    {"too many beside nothing", {0, 4097}, none},
    {"a product that overflows to 0", {huge, huge, huge}, none},
    {"the largest extent", {~std::uint64_t{0}}, none},
    {"as many dimensions as may be", Shape(16, 1), 1},
    {"one dimension more", Shape(17, 1), none},
};

TEST(OnnxNumbers, AreCountedUpToABound) {
    for (const Counted& row : counts) {
        EXPECT_EQ(count_numbers(row.extents), row.count) << row.sentence;
    }
}

struct Place {
    std::int64_t number;
    std::size_t count;
    std::optional<std::size_t> place;
};

const Place places[] = {{0, 3, 0},  {2, 3, 2},          {3, 3, none},     {-1, 3, 2},
                        {-3, 3, 0}, {-4, 3, none},      {0, 0, none},     {-1, 0, none},
                        {0, 1, 0},  {highest, 3, none}, {lowest, 3, none}};

TEST(OnnxNumbers, PlacesCountFromTheEnd) {
    for (const Place& row : places) {
        EXPECT_EQ(place_of(row.number, row.count), row.place) << row.number << " " << row.count;
    }
}

struct Axes {
    Integers axes;
    Repeated repeated;
    std::optional<std::vector<std::size_t>> places;
};

const Axes named[] = {
    {{}, Repeated::is_refused, {{}}},
    {{2, -3, 1}, Repeated::is_refused, {{2, 0, 1}}},
    {{1, 3}, Repeated::is_refused, std::nullopt},
    {{-4}, Repeated::is_allowed, std::nullopt},
    {{1, -2}, Repeated::is_refused, std::nullopt},
    {{1, -2}, Repeated::is_allowed, {{1, 1}}},
};

TEST(OnnxNumbers, AxesNamePlacesInTheirOrder) {
    for (const Axes& row : named) {
        EXPECT_EQ(places_of(row.axes, 3, row.repeated), row.places)
            << testing::PrintToString(row.axes);
    }
}

struct Spread {
    const char* sentence;
    Shape one;
    Shape other;
    std::optional<Shape> shape;
};

const Spread spreads[] = {
    {"the same", {2, 3}, {2, 3}, Shape{2, 3}},
    {"a number and a table", {}, {2, 3}, Shape{2, 3}},
    {"two numbers", {}, {}, Shape{}},
    {"from the last extent on", {3}, {2, 3}, Shape{2, 3}},
    {"each spreads the other", {2, 1}, {1, 3}, Shape{2, 3}},
    {"missing in front and 1 in the middle", {4, 1, 2}, {3, 1}, Shape{4, 3, 2}},
    {"1 and nothing", {1}, {0}, Shape{0}},
    {"not from the first extent on", {2}, {2, 3}, none},
    {"nothing and two", {0}, {2}, none},
    {"2 and 3", {2, 1}, {3, 1}, none},
};

TEST(OnnxNumbers, ShapesSpreadEachOther) {
    for (const Spread& row : spreads) {
        EXPECT_EQ(spread_shape(row.one, row.other), row.shape) << row.sentence;
        EXPECT_EQ(spread_shape(row.other, row.one), row.shape) << row.sentence;
    }
}

struct Viewed {
    const char* sentence;
    Numbers numbers;
    std::optional<View> view;
    std::optional<Values> values;
};

const Viewed viewed[] = {
    {"the whole", table({2, 2}, {1, 2, 3, 4}), whole_view({2, 2}), Values{1, 2, 3, 4}},
    {"a single number", single(5), whole_view({}), Values{5}},
    {"nothing", table({2, 0}, {}), whole_view({2, 0}), Values{}},
    {"turned round", table({2, 2}, {1, 2, 3, 4}), View{.extents = {2, 2}, .strides = {1, 2}},
     Values{1, 3, 2, 4}},
    {"backwards, of every other", counted(5), View{.extents = {3}, .strides = {-2}, .offset = 4},
     Values{4, 2, 0}},
    {"spread over rows", list({1, none}), spread_view({2}, {2, 2}), Values{1, none, 1, none}},
    {"spread over columns", table({2, 1}, {1, 2}), spread_view({2, 1}, {2, 2}), Values{1, 1, 2, 2}},
    {"spread to nothing", single(1), spread_view({}, {0, 2}), Values{}},
    {"spread to too many", single(1), spread_view({}, {4097}), none},
    {"not spread over fewer dimensions", table({1, 1}, {1}), spread_view({1, 1}, {1}), none},
    {"not spread from more than 1", list({1, 2}), spread_view({2}, {3}), none},
    {"nor from nothing", list({}), spread_view({0}, {3}), none},
    {"nor to 1", list({1, 2}), spread_view({2}, {1}), none},
};

TEST(OnnxNumbers, CopyWhatAViewShows) {
    for (const Viewed& row : viewed) {
        SCOPED_TRACE(row.sentence);
        const auto copied = row.view ? copy(row.numbers, *row.view) : std::nullopt;
        ASSERT_EQ(copied.has_value(), row.values.has_value());
        if (copied) {
            EXPECT_EQ(copied->extents, row.view->extents);
            EXPECT_EQ(copied->values, *row.values);
        }
    }
}

}  // namespace
}  // namespace hora::read
