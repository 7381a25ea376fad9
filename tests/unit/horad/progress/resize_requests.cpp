#include "scripts/horad/progress/resize_requests.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

constexpr ResizeRequest request{.job = 7, .gpus = 4, .tag = 1, .uid = 0};

TEST(ResizeRequests, answers_once_and_after_the_loop_has_decided) {
    ResizeRequests requests;
    EXPECT_FALSE(requests.ask(request));
    EXPECT_FALSE(requests.ask(request));
    ASSERT_EQ(requests.take().size(), 1U);
    EXPECT_TRUE(requests.take().empty());
    EXPECT_FALSE(requests.ask(request));
    requests.answer(request, failure("no"));
    const auto answer = requests.ask(request);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->error().message, "no");
    EXPECT_FALSE(requests.ask(request)) << "a new request, not the old answer";
}

TEST(ResizeRequests, tells_two_requests_apart_that_ask_for_the_same) {
    ResizeRequests requests;
    ResizeRequest other = request;
    other.tag = 2;
    EXPECT_FALSE(requests.ask(request));
    requests.take();
    requests.answer(request, {});
    EXPECT_FALSE(requests.ask(other));
    EXPECT_TRUE(requests.ask(request));
}

// Asks until it is refused; how many were not.
std::uint32_t room_for(ResizeRequests& requests, uid_t uid) {
    ResizeRequest one = request;
    one.uid = uid;
    for (one.tag = 0; one.tag < 1000; ++one.tag) {
        if (const auto answer = requests.ask(one)) {
            EXPECT_FALSE(*answer);
            break;
        }
    }
    return one.tag;
}

TEST(ResizeRequests, bounds_what_waits_and_forgets_answers_that_nobody_fetches) {
    ResizeRequests requests;
    EXPECT_EQ(room_for(requests, 1000), 8U);
    for (uid_t user = 1001; user < 1008; ++user) {
        EXPECT_EQ(room_for(requests, user), 8U) << "one user's requests are not another's";
    }
    EXPECT_EQ(room_for(requests, 1008), 0U) << "no more of all users";
    EXPECT_EQ(room_for(requests, 0), 8U) << "root has a reserve";
    for (const ResizeRequest& taken : requests.take()) {
        requests.answer(taken, {});
    }
    EXPECT_EQ(room_for(requests, 1008), 8U) << "there is room again";
}

TEST(ResizeRequests, keeps_the_answers_of_others_while_there_is_room) {
    ResizeRequests requests;
    EXPECT_FALSE(requests.ask(request));
    EXPECT_EQ(room_for(requests, 1000), 8U);
    for (const ResizeRequest& taken : requests.take()) {
        requests.answer(taken, {});
    }
    ResizeRequest more = request;
    more.uid = 1000;
    more.tag = 8;
    EXPECT_FALSE(requests.ask(more));
    EXPECT_TRUE(requests.ask(request)) << "not forgotten for another user's";
}

}  // namespace
}  // namespace hora::horad
