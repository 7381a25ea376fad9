// Is that expected of exchanges between nodes which other applications have shown?
#include "libplanner/elastic/speed/slow_down.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace hora::elastic {
namespace {

const SlowDown slow{2, 0.3};

TEST(SlowDown, IsTheUsualUntilSomethingIsShown) {
    EXPECT_EQ(SlowDowns().expected("bert"), SlowDown());
}

TEST(SlowDown, FollowsWhatWasShown) {
    SlowDowns shown;
    shown.add("resnet", slow);
    const SlowDown once = shown.expected("bert");
    EXPECT_GT(once.log, SlowDown().log);
    EXPECT_LT(once.log, slow.log);
    EXPECT_LT(once.deviation, SlowDown().deviation);
    shown.add("vgg", slow);
    const SlowDown twice = shown.expected("bert");
    EXPECT_GT(twice.log, once.log);
    EXPECT_LT(twice.deviation, once.deviation);
    EXPECT_GT(twice.deviation, SlowDownConstants().between_applications);
}

TEST(SlowDown, ForgetsWhatIsRemoved) {
    SlowDowns shown;
    shown.add("resnet", slow);
    const SlowDown before = shown.expected("bert");
    for (const char* const application : {"resnet", "vgg"}) {
        shown.add(application, {0, 1});
        EXPECT_LT(shown.expected("bert").log, before.log);
        shown.remove(application, {0, 1});
        EXPECT_NEAR(shown.expected("bert").log, before.log, 1e-9);
        EXPECT_NEAR(shown.expected("bert").deviation, before.deviation, 1e-9);
    }
}

TEST(SlowDown, CountsAnApplicationOnce) {
    SlowDowns one;
    SlowDowns many;
    one.add("resnet", slow);
    for (int job = 0; job < 100; ++job) {
        many.add("resnet", slow);
    }
    EXPECT_NEAR(many.expected("bert").log, one.expected("bert").log, 1e-9);
    EXPECT_NEAR(many.expected("bert").deviation, one.expected("bert").deviation, 1e-9);
}

TEST(SlowDown, BelievesTheSurerJobMore) {
    SlowDowns shown;
    shown.add("resnet", {2, 0.1});
    shown.add("resnet", {0, 1});
    EXPECT_GT(shown.expected("bert").log, 1);
}

RC_GTEST_PROP(SlowDown, OfAJobIsWhatItWouldBeWithoutIt, ()) {
    SlowDowns with;
    SlowDowns without;
    for (int left = *rc::gen::inRange(0, 6); left > 0; --left) {
        const auto name = *rc::gen::element("bert", "resnet", "vgg");
        const SlowDown shown{*rc::gen::inRange(-10, 30) / 10.0, *rc::gen::inRange(2, 15) / 10.0};
        with.add(name, shown);
        without.add(name, shown);
    }
    const SlowDown own{*rc::gen::inRange(-10, 30) / 10.0, *rc::gen::inRange(2, 15) / 10.0};
    with.add("bert", own);
    const SlowDown expected = with.expected("bert", own);
    RC_ASSERT(std::abs(expected.log - without.expected("bert").log) < 1e-9);
    RC_ASSERT(std::abs(expected.deviation - without.expected("bert").deviation) < 1e-9);
}

TEST(SlowDown, IsAnotherOneOnlyWhereThatMatters) {
    EXPECT_FALSE(is_other(slow, slow));
    EXPECT_FALSE(is_other(slow, {2.05, 0.31}));
    EXPECT_TRUE(is_other(slow, {2.2, 0.3}));
    EXPECT_TRUE(is_other(slow, {2, 0.2}));
}

}  // namespace
}  // namespace hora::elastic
