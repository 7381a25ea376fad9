#include "scripts/horad/journal/raised_priority.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hora::horad {
namespace {

TEST(RaisedPriority, is_one_word_of_a_comment_and_leaves_the_others) {
    struct Case {
        const char* name;
        const char* before;
        const char* raised;
        const char* after;
    };
    const Case cases[] = {
        {"an empty comment", "", "hora-priority=7:9", ""},
        {"a plan", "hora=1-2,act,none", "hora=1-2,act,none hora-priority=7:9", "hora=1-2,act,none"},
        {"words of others", "a b", "a b hora-priority=7:9", "a b"},
        {"an older one", "a hora-priority=1:2 b", "a b hora-priority=7:9", "a b"},
        {"a torn one", "hora-priority=1: a", "a hora-priority=7:9", "a"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const RaisedPriority priority{.own = 7, .raised = 9};
        const std::string raised = with_raised(each.before, priority);
        EXPECT_EQ(raised, each.raised);
        EXPECT_EQ(find_raised(raised), priority);
        EXPECT_EQ(without_raised(raised), each.after);
        EXPECT_EQ(find_raised(each.after), std::nullopt);
    }
}

TEST(RaisedPriority, has_the_nice_value_of_the_job_if_there_is_one) {
    for (const std::int64_t nice : {0, 1000, -5}) {
        const RaisedPriority priority{.own = 0, .raised = 9, .nice = nice};
        EXPECT_EQ(find_raised(with_raised("a", priority)), priority);
    }
    EXPECT_EQ(with_raised("", {.own = 0, .raised = 9, .nice = -5}), "hora-priority=0:9:-5");
}

TEST(RaisedPriority, is_not_read_from_what_horad_never_wrote) {
    for (const char* comment :
         {"", "hora-priority", "hora-priority=", "hora-priority=1", "hora-priority=1:",
          "hora-priority=:2", "hora-priority=1:2x", "hora-priority=-1:2", "xhora-priority=1:2",
          "hora-priority=1:99999999999", "hora-priority=1:2:", "hora-priority=1:2:3:4",
          "hora-priority=1:2:9999999999", "hora-priority=1:2:-9223372036854775808"}) {
        EXPECT_EQ(find_raised(comment), std::nullopt) << comment;
    }
}

TEST(RaisedPriority, is_given_back_only_where_the_job_still_has_it) {
    slurm::Job job;
    job.admin_comment = "a hora-priority=7:9";
    job.priority = 9;
    EXPECT_EQ(give_back(job, {.own = 7, .raised = 9}).priority, 7U);
    EXPECT_EQ(give_back(job, {.own = 7, .raised = 9}).admin_comment, "a");
    EXPECT_TRUE(give_back(job, {.own = 0, .raised = 9}).forgets_priority);
    EXPECT_EQ(give_back(job, {.own = 0, .raised = 9}).nice, std::nullopt);
    EXPECT_EQ(give_back(job, {.own = 0, .raised = 9, .nice = -5}).nice, -5);
    EXPECT_EQ(give_back(job, {.own = 7, .raised = 9, .nice = -5}).nice, std::nullopt)
        << "slurmctld takes none beside a number, which holds it already";
    job.priority = 42;
    EXPECT_EQ(give_back(job, {.own = 0, .raised = 9, .nice = -5}).nice, std::nullopt);
    EXPECT_EQ(give_back(job, {.own = 7, .raised = 9}).priority, std::nullopt);
    EXPECT_FALSE(give_back(job, {.own = 0, .raised = 9}).forgets_priority);
    EXPECT_EQ(give_back(job, {.own = 0, .raised = 9}).admin_comment, "a");
}

// slurmctld takes a nice value for a job whose priority it computes, and for no other.
TEST(RaisedPriority, is_known_as_an_operators_by_a_nice_value_that_slurmctld_ignores) {
    constexpr std::int64_t most = 0x7fffffff - 2;
    struct Case {
        const char* name;
        std::int64_t nice;
        bool is_set;
    };
    const Case cases[] = {
        {"an operator's", 0, true},
        {"an operator's, submitted with a nice value", 5, true},
        {"computed", 0, false},
        {"computed, nice", 300, false},
        {"computed, the least nice but none", -1, false},
        {"computed, the nicest", most, false},
        {"computed, the least nice", -most, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        slurm::Job job;
        job.uid = 1000;
        job.priority = 777;
        job.nice = each.nice;
        job.admin_comment = "a";
        const slurm::JobChange question = ask_whose(job);
        EXPECT_EQ(question.kept_from, 1000U) << "its owner could answer";
        EXPECT_NE(question.nice, each.nice);
        EXPECT_NE(question.nice, 0) << "what an operator's priority leaves";
        EXPECT_LE(std::abs(*question.nice), most);
        job.admin_comment = *question.admin_comment;
        job.nice = each.is_set ? each.nice : *question.nice;
        const auto asked = find_raised(job.admin_comment);
        ASSERT_TRUE(asked);
        const RaisedPriority own = own_of(job, *asked);
        EXPECT_EQ(own.own, each.is_set ? 777U : 0U);
        EXPECT_EQ(own.nice, each.nice);
        const slurm::JobChange back = give_back(job, *asked);
        EXPECT_EQ(back.admin_comment, "a");
        EXPECT_EQ(back.nice, each.is_set ? std::nullopt : std::optional(each.nice));
        EXPECT_EQ(back.priority, std::nullopt);
        EXPECT_FALSE(back.forgets_priority);
    }
}

TEST(RaisedPriority, is_what_an_operator_gave_the_job_after_the_question) {
    slurm::Job job;
    job.priority = 4000;
    job.nice = 300;
    job.admin_comment = *ask_whose(job).admin_comment;
    job.priority = 777;
    job.nice = 0;  // slurmctld has forgotten it
    const auto asked = find_raised(job.admin_comment);
    ASSERT_TRUE(asked);
    EXPECT_EQ(own_of(job, *asked).own, 777U);
    job.priority = 4000;
    job.nice = 50;
    EXPECT_EQ(own_of(job, *asked), (RaisedPriority{.own = 0, .raised = 0, .nice = 50}));
    EXPECT_EQ(give_back(job, *asked).nice, std::nullopt);
}

TEST(RaisedPriority, counts_what_waits_in_the_same_partitions) {
    const auto other = [](std::uint32_t id, const char* partition, std::uint32_t priority,
                          slurm::JobState state = slurm::JobState::pending) {
        slurm::Job job;
        job.id = id;
        job.partition = partition;
        job.priority = priority;
        job.state = state;
        return job;
    };
    slurm::Job job;
    job.id = 1;
    job.partition = "a,b";
    EXPECT_EQ(highest_waiting({}, job), 0U);
    EXPECT_EQ(highest_waiting({other(1, "a", 50)}, job), 0U) << "itself";
    EXPECT_EQ(highest_waiting({other(2, "c", 50)}, job), 0U) << "another partition";
    EXPECT_EQ(highest_waiting({other(2, "a", 50, slurm::JobState::running)}, job), 0U);
    EXPECT_EQ(highest_waiting({other(2, "c,b", 50), other(3, "a", 20), other(4, "a", 0)}, job),
              50U);
}

}  // namespace
}  // namespace hora::horad
