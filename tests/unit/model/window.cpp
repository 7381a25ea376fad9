// Does a window find as many places as there are, counted one by one?
#include "libplanner/model/window.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <limits>

#include "tests/unit/any_number.hpp"

namespace hora::model {
namespace {

using hora::testing::any_number;

// Places from the padding before the input on, a stride apart, whose last element is not behind the
// padding. Rounded up, what the last one left over has one more, if it starts before the padding
// behind the input.
std::uint64_t counted(std::uint64_t input, std::uint64_t kernel, std::uint64_t stride,
                      std::uint64_t padding, std::uint64_t dilation, bool rounds_up) {
    const std::uint64_t last = dilation * (kernel - 1);
    std::uint64_t places = 0;
    for (std::uint64_t start = 0; start < input + 2 * padding; start += stride) {
        const bool is_whole = start + last < input + 2 * padding;
        const bool is_left = places > 0 && start - stride + last + 1 < input + 2 * padding;
        const bool is_begun = rounds_up && is_left && start < input + padding;
        if (is_whole || is_begun) {
            ++places;
        }
        if (!is_whole) {
            break;
        }
    }
    return places;
}

RC_GTEST_PROP(Window, SlidesOverAllPlaces, ()) {
    const auto input = any_number<std::uint64_t>(1, 20);
    const auto kernel = any_number<std::uint64_t>(1, 7);
    const auto stride = any_number<std::uint64_t>(1, 5);
    const auto padding = any_number<std::uint64_t>(0, 4);
    const auto dilation = any_number<std::uint64_t>(1, 4);
    const bool rounds_up = *rc::gen::arbitrary<bool>();
    const Extents extents[] = {kernel, stride, padding, dilation};
    const Window window{extents[0], extents[1], extents[2], extents[3]};
    const auto output = slide(window, {3, input}, 5, rounds_up);
    const std::uint64_t places = counted(input, kernel, stride, padding, dilation, rounds_up);
    RC_ASSERT(output.has_value() == (places > 0));
    if (output) {
        RC_ASSERT(*output == (Shape{5, places}));
    }
}

// Of all extents that slide to the input, the output padding says which.
RC_GTEST_PROP(Window, SpreadsToWhatSlidesBack, ()) {
    const auto input = any_number<std::uint64_t>(1, 20);
    const auto stride = any_number<std::uint64_t>(1, 5);
    const Extents kernel = any_number<std::uint64_t>(1, 7);
    const Extents strides = stride;
    const Extents padding = any_number<std::uint64_t>(0, 4);
    const Extents dilation = any_number<std::uint64_t>(1, 4);
    const Window window{kernel, strides, padding, dilation};
    for (std::uint64_t more = 0; more < stride; ++more) {
        const auto output = spread(window, more, {3, input}, 2);
        if (output) {
            RC_ASSERT(*slide(window, *output, 3, false) == (Shape{3, input}));
        }
    }
}

TEST(Window, HasItsOwnNumbersForEachDimension) {
    const Extents kernel{1, 7};
    const Extents stride{2, 1};
    const Extents padding{0, 3};
    const Extents dilation = 1;
    const Window window{kernel, stride, padding, dilation};
    EXPECT_EQ(*slide(window, {3, 9, 11}, 4, false), (Shape{4, 5, 11}));
    EXPECT_EQ(*spread(window, Extents{1, 0}, {3, 5, 11}, 4), (Shape{4, 10, 11}));
}

struct Case {
    const char* sentence;
    Shape input;
    Extents kernel;
    Extents stride;
    Extents padding;
    Extents dilation;
    const char* message;
};

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

const Case cases[] = {
    {"no dimension to slide over",
     {3},
     1,
     1,
     0,
     1,
     "it needs channels and one to three further dimensions, but comes after 3"},
    {"too many",
     {3, 1, 1, 1, 1},
     1,
     1,
     0,
     1,
     "it needs channels and one to three further dimensions, but comes after 3 x 1 x 1 x 1 x 1"},
    {"numbers for other dimensions",
     {3, 8, 8},
     Extents{1, 2, 3},
     1,
     0,
     1,
     "kernel, stride, padding and dilation take one number or 2"},
    {"no kernel", {3, 8}, 0, 1, 0, 1, "kernel, stride and dilation are at least 1"},
    {"no stride", {3, 8}, 1, 0, 0, 1, "kernel, stride and dilation are at least 1"},
    {"no dilation", {3, 8}, 1, 1, 0, 0, "kernel, stride and dilation are at least 1"},
    {"it does not fit", {3, 8}, 4, 1, 0, 3, "a window over 10 does not fit into 8 with padding 0"},
    {"a kernel that would wrap round",
     {3, 8},
     most,
     1,
     0,
     most,
     "a window over 4611686018427387904 does not fit into 8 with padding 0"},
};

TEST(Window, SaysWhatDoesNotSuit) {
    for (const Case& test : cases) {
        const auto output =
            slide({test.kernel, test.stride, test.padding, test.dilation}, test.input, 1, false);
        ASSERT_FALSE(output) << test.sentence;
        EXPECT_EQ(output.error().message, test.message) << test.sentence;
    }
    const Extents one = 1;
    const Extents two = 2;
    EXPECT_EQ(spread({one, one, two, one}, 0, {3, 4}, 1).error().message,
              "padding 2 leaves nothing of 4");
    EXPECT_EQ(spread({one, one, one, one}, Extents{1, 1}, {3, 4}, 1).error().message,
              "output_padding takes one number or 1");
}

}  // namespace
}  // namespace hora::model
