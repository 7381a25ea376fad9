// Is a job promised what it would have on its own request, in rounds where there are any?
#include "libplanner/sim/promised_slots.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace hora::sim {
namespace {

// "10-25 x4"
std::string text_of(const domain::Slot& slot) {
    return std::to_string(static_cast<int>(slot.start.count())) + "-" +
           std::to_string(static_cast<int>(slot.end.count())) + " x" + std::to_string(slot.gpus);
}

TEST(PromisedSlots, FollowEachOtherWhereDecisionsAreTakenAtEveryEvent) {
    PromisedSlots slots(4, Seconds(0));
    slots.submit(10, 4, Seconds(0), Seconds(15));
    slots.submit(11, 4, Seconds(1), Seconds(7));
    EXPECT_EQ(text_of(slots.slot(10)), "0-15 x4");
    EXPECT_EQ(text_of(slots.slot(11)), "15-22 x4");
    EXPECT_EQ(slots.next_start(Seconds(1)), Seconds(15));
    EXPECT_EQ(slots.next_start(Seconds(15)).count(), std::numeric_limits<double>::infinity());
}

TEST(PromisedSlots, BeginWithARoundAndEndInIt) {
    PromisedSlots slots(4, Seconds(10));
    slots.submit(10, 4, Seconds(0), Seconds(15));
    slots.submit(11, 4, Seconds(0), Seconds(20));
    slots.submit(12, 4, Seconds(0), Seconds(1));
    EXPECT_EQ(text_of(slots.slot(10)), "0-15 x4") << "its GPUs are free at 20";
    EXPECT_EQ(text_of(slots.slot(11)), "20-40 x4") << "whole rounds are no more";
    EXPECT_EQ(text_of(slots.slot(12)), "40-41 x4");
}

TEST(PromisedSlots, MoveWhenALengthIsThoughtOfOtherwise) {
    PromisedSlots slots(4, Seconds(0));
    slots.submit(10, 4, Seconds(0), Seconds(15));
    slots.submit(11, 4, Seconds(0), Seconds(5));
    slots.set_length(10, Seconds(8));
    slots.advance(Seconds(2));
    EXPECT_EQ(text_of(slots.slot(10)), "0-8 x4");
    EXPECT_EQ(text_of(slots.slot(11)), "8-13 x4");
}

TEST(PromisedSlots, OfJobsThatEndedAreKeptUntilTheyAreOver) {
    PromisedSlots slots(4, Seconds(0));
    slots.submit(10, 2, Seconds(0), Seconds(15));
    slots.submit(11, 2, Seconds(0), Seconds(30));
    EXPECT_TRUE(slots.ended(Seconds(5)).empty());
    slots.end(10);
    ASSERT_EQ(slots.ended(Seconds(5)).size(), 1U);
    EXPECT_EQ(text_of(slots.ended(Seconds(14)).front()), "0-15 x2");
    EXPECT_TRUE(slots.ended(Seconds(15)).empty());
    slots.end(11);
    EXPECT_EQ(slots.ended(Seconds(20)).size(), 1U);
}

}  // namespace
}  // namespace hora::sim
