// For how long is a job left alone whose resize came to nothing?
#include "scripts/horad/elastic/failed_resizes.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

constexpr std::int64_t now = 100'000;
constexpr Seconds cooldown(60);

Resized resized(Ending ending, const char* returned_for = "") {
    Resized made;
    made.entry.resize.job = 7;
    made.entry.returned_for = returned_for;
    made.ending = ending;
    return made;
}

TEST(FailedResizes, WhatDoesNotDependOnOthersIsNotTriedAgainSoon) {
    FailedResizes failures;
    for (const Resized& failed :
         {resized(Ending::no_checkpoint), resized(Ending::refused), resized(Ending::changed),
          resized(Ending::other_size), resized(Ending::other_size, "BadConstraints"),
          resized(Ending::held, "Resources")}) {
        EXPECT_EQ(failures.rest_after(failed, now, cooldown), 600) << name_of(failed.ending);
    }
    EXPECT_EQ(failures.rest_after(resized(Ending::refused), now, Seconds(200)), 1000);
    EXPECT_EQ(FailedResizes::longest_rest(Seconds(200)), 1000);
}

TEST(FailedResizes, WhatOthersTookIsTriedAgainLaterEachTime) {
    FailedResizes failures;
    std::int64_t when = now;
    for (const std::int64_t rest : {120, 240, 480, 600, 600}) {
        EXPECT_EQ(failures.rest_after(resized(Ending::other_size, "Resources"), when, cooldown),
                  rest);
        when += rest + 10;
    }
    Resized other = resized(Ending::other_size, "Priority");
    other.entry.resize.job = 8;
    EXPECT_EQ(failures.rest_after(other, when, cooldown), 120) << "each job by itself";
    EXPECT_EQ(FailedResizes().rest_after(other, when, Seconds(0)), 0);
}

TEST(FailedResizes, LongAgoIsNoRow) {
    const Resized lost = resized(Ending::other_size, "Resources");
    for (const std::int64_t later : {now + 1201, now - 1}) {
        FailedResizes failures;
        EXPECT_EQ(failures.rest_after(lost, now, cooldown), 120);
        EXPECT_EQ(failures.rest_after(lost, now, cooldown), 240);
        EXPECT_EQ(failures.rest_after(lost, later, cooldown), 120) << later;
    }
}

TEST(FailedResizes, KnowTheStartThatWroteNoCheckpoint) {
    FailedResizes failures;
    Resized failed = resized(Ending::no_checkpoint);
    failed.entry.resize.restarts = 2;
    EXPECT_FALSE(failures.is_unanswered(7, 2));
    failures.rest_after(failed, now, cooldown);
    EXPECT_TRUE(failures.is_unanswered(7, 2));
    EXPECT_FALSE(failures.is_unanswered(7, 3)) << "the next one may";
    EXPECT_FALSE(failures.is_unanswered(8, 2));
    failures.forget_gone(Observation());
    EXPECT_FALSE(failures.is_unanswered(7, 2));
    failed.ending = Ending::held;
    failures.rest_after(failed, now, cooldown);
    EXPECT_FALSE(failures.is_unanswered(7, 2));
}

TEST(FailedResizes, OfAJobThatIsGoneAreForgotten) {
    FailedResizes failures;
    const Resized lost = resized(Ending::other_size, "Resources");
    failures.rest_after(lost, now, cooldown);
    Observation seen;
    seen.jobs.emplace_back();
    seen.jobs.back().id = 7;
    failures.forget_gone(seen);
    EXPECT_EQ(failures.rest_after(lost, now, cooldown), 240);
    failures.forget_gone(Observation());
    EXPECT_EQ(failures.rest_after(lost, now, cooldown), 120);
}

}  // namespace
}  // namespace hora::horad
