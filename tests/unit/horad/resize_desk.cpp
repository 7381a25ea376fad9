#include "scripts/horad/resize_desk.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

constexpr Wish wish{.job = 7, .gpus = 4, .tag = 1, .uid = 0};

TEST(ResizeDesk, answers_once_and_after_the_loop_has_decided) {
    ResizeDesk desk;
    EXPECT_FALSE(desk.ask(wish));
    EXPECT_FALSE(desk.ask(wish));
    ASSERT_EQ(desk.take().size(), 1U);
    EXPECT_TRUE(desk.take().empty());
    EXPECT_FALSE(desk.ask(wish));
    desk.answer(wish, failure("no"));
    const auto answer = desk.ask(wish);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->error().message, "no");
    EXPECT_FALSE(desk.ask(wish)) << "a new wish, not the old answer";
}

TEST(ResizeDesk, tells_two_wishes_apart_that_ask_for_the_same) {
    ResizeDesk desk;
    Wish other = wish;
    other.tag = 2;
    EXPECT_FALSE(desk.ask(wish));
    desk.take();
    desk.answer(wish, {});
    EXPECT_FALSE(desk.ask(other));
    EXPECT_TRUE(desk.ask(wish));
}

TEST(ResizeDesk, bounds_what_waits_and_forgets_answers_that_nobody_fetches) {
    ResizeDesk desk;
    Wish one = wish;
    for (one.tag = 0; one.tag < 64; ++one.tag) {
        ASSERT_FALSE(desk.ask(one)) << one.tag;
    }
    const auto refused = desk.ask(one);
    ASSERT_TRUE(refused);
    EXPECT_FALSE(*refused);
    for (const Wish& taken : desk.take()) {
        desk.answer(taken, {});
    }
    EXPECT_FALSE(desk.ask(one)) << "there is room again";
}

}  // namespace
}  // namespace hora::horad
