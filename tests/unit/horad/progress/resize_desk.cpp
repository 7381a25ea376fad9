#include "scripts/horad/progress/resize_requests.hpp"

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

// Asks until it is refused; how many were not.
std::uint32_t room_for(ResizeDesk& desk, uid_t uid) {
    Wish one = wish;
    one.uid = uid;
    for (one.tag = 0; one.tag < 1000; ++one.tag) {
        if (const auto answer = desk.ask(one)) {
            EXPECT_FALSE(*answer);
            break;
        }
    }
    return one.tag;
}

TEST(ResizeDesk, bounds_what_waits_and_forgets_answers_that_nobody_fetches) {
    ResizeDesk desk;
    EXPECT_EQ(room_for(desk, 1000), 8U);
    for (uid_t user = 1001; user < 1008; ++user) {
        EXPECT_EQ(room_for(desk, user), 8U) << "one user's requests are not another's";
    }
    EXPECT_EQ(room_for(desk, 1008), 0U) << "no more of all users";
    EXPECT_EQ(room_for(desk, 0), 8U) << "root has a reserve";
    for (const Wish& taken : desk.take()) {
        desk.answer(taken, {});
    }
    EXPECT_EQ(room_for(desk, 1008), 8U) << "there is room again";
}

TEST(ResizeDesk, keeps_the_answers_of_others_while_there_is_room) {
    ResizeDesk desk;
    EXPECT_FALSE(desk.ask(wish));
    EXPECT_EQ(room_for(desk, 1000), 8U);
    for (const Wish& taken : desk.take()) {
        desk.answer(taken, {});
    }
    Wish more = wish;
    more.uid = 1000;
    more.tag = 8;
    EXPECT_FALSE(desk.ask(more));
    EXPECT_TRUE(desk.ask(wish)) << "not forgotten for another user's";
}

}  // namespace
}  // namespace hora::horad
