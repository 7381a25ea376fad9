// Is slurmctld known to have settled, whatever is done to its clock?
#include "scripts/horad/observe/controller_age.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

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
        {"it does not say", 0, 1000, false},
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

TEST(ControllerAge, is_unknown_where_a_later_answer_lacks_the_start) {
    ControllerAge age;
    EXPECT_TRUE(age.has_settled(1000, 2000, Seconds(1)));
    EXPECT_FALSE(age.has_settled(0, 2000, Seconds(2)));
    EXPECT_TRUE(age.has_settled(1000, 2000, Seconds(3))) << "it is no other start either";
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

// Pings of the first controller get lost, one by one or all of them.
TEST(ActingSince, is_the_same_for_each_answer_of_one_slurmctld) {
    constexpr std::int64_t born = 1000;
    struct Case {
        const char* name;
        std::vector<slurm::ControllerStart> answers;
        std::vector<std::int64_t> since;
    };
    const Case cases[] = {
        {"the first controller", {{500, false}, {500, false}}, {500, 500}},
        {"a ping is lost", {{500, false}, {500, true}, {500, true}}, {500, 500, 500}},
        {"the first ping is lost", {{500, true}, {500, false}, {500, true}}, {0, 500, 500}},
        {"one that stood by", {{500, true}, {500, true}, {500, true}}, {0, born, born}},
        {"the first one is back, and stands by",
         {{500, true}, {500, true}, {500, false}},
         {0, born, born}},
        {"it does not answer once", {{500, false}, {0, false}, {500, true}}, {500, 0, 500}},
        {"it was started since", {{500, false}, {2000, true}, {2000, false}}, {500, 2000, 2000}},
        {"another takes over", {{500, false}, {600, true}, {600, true}}, {500, 0, born}},
    };
    for (const Case& each : cases) {
        ActingSince acting(born);
        for (std::size_t i = 0; i < each.answers.size(); ++i) {
            EXPECT_EQ(acting.see(each.answers[i]), each.since[i]) << each.name << ", answer " << i;
        }
    }
}

}  // namespace
}  // namespace hora::horad
