// Is what a start has run taken off the job's time limit, by the clock and in GPU-time, and does
// what others set stay?
#include "scripts/horad/resize/next_limit.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "scripts/horad/journal/granted_limit.hpp"
#include "tests/unit/any_number.hpp"

namespace hora::horad {
namespace {

// A start of ten minutes' limit on two GPUs, whose job was requeued after 100 seconds.
struct Restart {
    ResizeEntry entry;
    slurm::Job job;

    Restart() {
        entry.resize.limit.is_lowered = true;
        entry.resize.from = 2;
        entry.resize.to = 1;
        entry.submitted = 1000;
        entry.began = 2000;
        job.time_limit = Seconds(600);
        note_limit(entry, job);
        job.restarts = 1;
        job.submitted = 2100;
        job.updated = 2150;
    }

    void requeue() {
        take_off_run(entry, job);
        aim_limit(entry, job, entry.resize.to);
    }
};

TEST(NextLimit, is_what_is_left_in_whole_minutes) {
    struct Case {
        const char* name;
        void (*change)(Restart& one);
        double limit;  // 0: it stays
    };
    const Case cases[] = {
        {"100 seconds of ten minutes", [](Restart&) {}, 540},
        {"a minute sharp", [](Restart& one) { one.job.submitted = 2060; }, 540},
        {"a second more", [](Restart& one) { one.job.submitted = 2061; }, 540},
        {"nearly two minutes", [](Restart& one) { one.job.submitted = 2121; }, 480},
        {"less than one", [](Restart& one) { one.job.submitted = 2059; }, 0},
        {"all of it: enough for a checkpoint", [](Restart& one) { one.job.submitted = 9000; }, 120},
        {"by the time of the look, while it is cleaned up",
         [](Restart& one) { one.job.submitted = 1000; }, 480},
        {"it is to have it anew", [](Restart& one) { one.entry.resize.limit.is_lowered = false; },
         0},
        {"it has none", [](Restart& one) { one.entry.limit = Seconds(0); }, 0},
        {"it did not run", [](Restart& one) { one.entry.began = 0; }, 0},
        {"a clock was set", [](Restart& one) { one.entry.began = 999; }, 0},
        {"a clock was set back", [](Restart& one) { one.job.submitted = 1500; }, 0},
        {"not restarted", [](Restart& one) { one.job.restarts = 0; }, 0},
        {"restarted twice", [](Restart& one) { one.job.restarts = 2; }, 0},
    };
    for (const Case& each : cases) {
        Restart one;
        each.change(one);
        one.requeue();
        EXPECT_EQ(one.entry.next_limit, Seconds(each.limit)) << each.name;
    }
}

TEST(NextLimit, in_gpu_time_is_longer_on_fewer_gpus_than_the_request) {
    struct Case {
        const char* name;
        std::uint32_t requested;
        std::uint32_t from;
        std::uint32_t to;
        double longest;  // 0: any
        double limit;
    };
    const Case cases[] = {
        {"to half of its request", 2, 2, 1, 0, 1020},        // 500 s · 2, in minutes
        {"to its request", 2, 1, 2, 0, 300},                 // 300 s of it at first, 50 s used
        {"beyond its request", 2, 2, 8, 0, 540},             // 500 s
        {"from beyond its request to it", 2, 8, 2, 0, 540},  // the clock counted there
        {"from one quarter to one half", 4, 1, 2, 0, 300},   // 150 s at first, 25 used: 125 · 2
        {"no longer than Slurm takes", 2, 2, 1, 899, 840},
        {"shorter than that is not touched", 2, 2, 1, 1020, 1020},
        {"one that is the same a minute less", 2, 2, 1, 600, 540},
        {"never less than a start takes", 2, 2, 1, 30, 120},
    };
    for (const Case& each : cases) {
        Restart one;
        one.entry.resize.limit.stated_for = each.requested;
        one.entry.resize.limit.longest = Seconds(each.longest);
        one.entry.resize.from = each.from;
        one.entry.resize.to = each.to;
        note_limit(one.entry, one.job);
        one.requeue();
        EXPECT_EQ(one.entry.next_limit, Seconds(each.limit)) << each.name;
    }
}

TEST(NextLimit, stays_where_in_gpu_time_nobody_knows_how_long_it_ran) {
    Restart one;
    one.entry.resize.limit.stated_for = 2;
    note_limit(one.entry, one.job);
    one.job.restarts = 2;
    one.requeue();
    EXPECT_EQ(one.entry.next_limit, Seconds(0));
    EXPECT_FALSE(is_limit_due(one.entry, one.job));
}

TEST(NextLimit, is_due_once_and_where_nobody_else_has_set_one) {
    struct Case {
        const char* name;
        void (*change)(Restart& one);
        bool is_due;
        bool is_due_in_gpu_time;
    };
    const Case cases[] = {
        {"as it was", [](Restart&) {}, true, true},
        {"nothing is to be set", [](Restart& one) { one.entry.next_limit = Seconds(0); }, false,
         false},
        {"set already", [](Restart& one) { one.job.time_limit = one.entry.next_limit; }, false,
         false},
        {"set by the program beside the job",
         [](Restart& one) { one.job.time_limit = Seconds(480); }, false, true},
        {"lowered by somebody", [](Restart& one) { one.job.time_limit = Seconds(300); }, false,
         false},
        {"raised", [](Restart& one) { one.job.time_limit = Seconds(6000); }, false, false},
        {"taken off", [](Restart& one) { one.job.time_limit.reset(); }, false, false},
        {"of the start before", [](Restart& one) { one.job.restarts = 0; }, false, false},
        {"of a start after", [](Restart& one) { one.job.restarts = 2; }, false, false},
    };
    for (const Case& each : cases) {
        for (const std::uint32_t requested : {0U, 2U}) {
            Restart one;
            one.entry.resize.limit.stated_for = requested;
            note_limit(one.entry, one.job);
            one.requeue();
            each.change(one);
            EXPECT_EQ(is_limit_due(one.entry, one.job),
                      requested == 0 ? each.is_due : each.is_due_in_gpu_time)
                << each.name << " " << requested;
        }
    }
}

TEST(NextLimit, follows_the_size_as_long_as_nobody_else_sets_one) {
    Restart one;
    one.entry.resize.limit.stated_for = 2;
    note_limit(one.entry, one.job);
    one.requeue();
    ASSERT_EQ(one.entry.next_limit, Seconds(1020));
    one.job.time_limit = Seconds(1020);
    aim_limit(one.entry, one.job, 2);
    EXPECT_EQ(one.entry.next_limit, Seconds(540));
    EXPECT_TRUE(is_limit_due(one.entry, one.job));
    one.job.time_limit = Seconds(540);
    aim_limit(one.entry, one.job, 2);
    EXPECT_EQ(one.entry.next_limit, Seconds(540)) << "set already";
    EXPECT_FALSE(is_limit_due(one.entry, one.job));
    one.job.time_limit = Seconds(720);
    aim_limit(one.entry, one.job, 1);
    EXPECT_FALSE(is_limit_due(one.entry, one.job)) << "its owner's";
}

TEST(NextLimit, of_a_job_that_has_not_started_is_its_own) {
    Restart one;
    one.entry.was_pending = true;
    one.entry.resize.limit.stated_for = 4;
    one.entry.resize.from = 4;
    one.job.restarts = 0;
    note_limit(one.entry, one.job);
    aim_limit(one.entry, one.job, 1);
    EXPECT_EQ(one.entry.next_limit, Seconds(2400));
    EXPECT_TRUE(is_limit_due(one.entry, one.job));
}

// Whatever sizes it has one after another, and for how many minutes each, a job has its limit on
// its own request in all, but for the seconds that are cut off and a last minute that is rounded
// up.
RC_GTEST_PROP(NextLimit, adds_up_to_the_limit_of_the_request, ()) {
    const auto requested = testing::any_number(1U, 9U);
    const double whole = 60.0 * testing::any_number(10, 1000);
    slurm::Job job;
    job.time_limit = Seconds(whole);
    double left = whole;
    std::uint32_t gpus = requested;
    for (int starts = testing::any_number(1, 12); starts > 0; --starts) {
        ResizeEntry entry;
        entry.resize.limit = {.is_lowered = true, .stated_for = requested};
        entry.resize.restarts = job.restarts;
        entry.resize.from = gpus;
        entry.resize.to = testing::any_number(1U, 17U);
        entry.submitted = 1000;
        entry.began = 2000;
        note_limit(entry, job);
        const auto longest = static_cast<std::int64_t>(job.time_limit->count()) / 2;
        const auto ran = testing::any_number<std::int64_t>(60, longest + 61);
        left -= static_cast<double>(ran) * std::min(1.0, double(gpus) / requested);
        if (left < 180) {
            return;  // less than a start takes
        }
        ++job.restarts;
        job.submitted = 2000 + ran;
        take_off_run(entry, job);
        aim_limit(entry, job, entry.resize.to);
        slurm::JobChange change;
        RC_ASSERT(is_limit_due(entry, job));
        put_limit(change, entry, job, entry.next_limit);
        job.time_limit = change.time_limit;
        job.admin_comment = *change.admin_comment;
        gpus = entry.resize.to;
        const double stretch = std::max(1.0, double(requested) / gpus);
        RC_ASSERT(std::abs(own_limit(job, gpus, requested).count() - left) <= 13);
        RC_ASSERT(std::abs(job.time_limit->count() - left * stretch) <= 60 + 13 * stretch);
    }
}

}  // namespace
}  // namespace hora::horad
