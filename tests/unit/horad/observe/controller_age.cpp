// Is slurmctld known to have settled, whatever is done to its clock?
#include "scripts/horad/observe/controller_age.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

TEST(ControllerAge, is_by_its_own_clock_where_nobody_saw_it_start) {
    struct Case {
        const char* name;
        std::int64_t started;
        std::int64_t clock;
        bool has_settled;
    };
    const Case cases[] = {
        {"just now", 1000, 1000, false},
        {"ten seconds ago", 1000, 1010, false},
        {"a little longer ago", 1000, 1011, true},
        {"its clock was set back since", 1000, 900, true},
        {"it does not say", 0, 1000, true},
    };
    for (const Case& each : cases) {
        ControllerAge age;
        EXPECT_EQ(age.has_settled(each.started, each.clock, Seconds(5)), each.has_settled)
            << each.name;
    }
}

TEST(ControllerAge, is_by_a_steady_clock_as_well_where_it_was_seen_to_start_anew) {
    ControllerAge age;
    age.see(1000, Seconds(100));
    EXPECT_TRUE(age.has_settled(1000, 2000, Seconds(101)));
    EXPECT_FALSE(age.has_settled(500, 2000, Seconds(102))) << "its clock was set back at the start";
    EXPECT_FALSE(age.has_settled(500, 2000, Seconds(112)));
    EXPECT_TRUE(age.has_settled(500, 2000, Seconds(112.1)));
    age.see(0, Seconds(200));
    EXPECT_TRUE(age.has_settled(500, 2000, Seconds(200))) << "no answer is no start";
}

TEST(ControllerAge, takes_the_first_start_that_it_sees_for_no_new_one) {
    ControllerAge age;
    age.see(0, Seconds(1));
    age.see(1000, Seconds(2));
    EXPECT_TRUE(age.has_settled(1000, 2000, Seconds(2)));
}

TEST(ControllerAge, knows_two_starts_apart_where_both_are_known) {
    struct Case {
        const char* name;
        std::int64_t one;
        std::int64_t other;
        bool is_another;
    };
    const Case cases[] = {
        {"the same", 1000, 1000, false},
        {"a later one", 1000, 2000, true},
        {"an earlier one: its clock was set back", 2000, 1000, true},
        {"the second is unknown", 1000, 0, false},
        {"the first is unknown", 0, 1000, false},
        {"both are unknown", 0, 0, false},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(is_another_start(each.one, each.other), each.is_another) << each.name;
    }
}

}  // namespace
}  // namespace hora::horad
