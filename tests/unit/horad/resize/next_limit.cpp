// Is what a start has run taken off the job's time limit, and off nothing else?
#include "scripts/horad/resize/next_limit.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

// A start of ten minutes' limit, whose job was requeued after 100 seconds.
struct Restart {
    ResizeEntry entry;
    slurm::Job job;

    Restart() {
        entry.resize.lowers_limit = true;
        entry.submitted = 1000;
        entry.began = 2000;
        entry.limit = Seconds(600);
        job.restarts = 1;
        job.submitted = 2100;
        job.updated = 2150;
        job.time_limit = Seconds(600);
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
        {"it is to have it anew", [](Restart& one) { one.entry.resize.lowers_limit = false; }, 0},
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
        EXPECT_EQ(next_limit(one.entry, one.job), Seconds(each.limit)) << each.name;
    }
}

TEST(NextLimit, is_due_once_and_where_nobody_else_has_set_one) {
    struct Case {
        const char* name;
        void (*change)(Restart& one);
        bool is_due;
    };
    const Case cases[] = {
        {"as it was", [](Restart&) {}, true},
        {"nothing is to be lowered", [](Restart& one) { one.entry.next_limit = Seconds(0); },
         false},
        {"lowered already", [](Restart& one) { one.job.time_limit = Seconds(540); }, false},
        {"raised", [](Restart& one) { one.job.time_limit = Seconds(6000); }, false},
        {"taken off", [](Restart& one) { one.job.time_limit.reset(); }, false},
        {"of the start before", [](Restart& one) { one.job.restarts = 0; }, false},
        {"of a start after", [](Restart& one) { one.job.restarts = 2; }, false},
    };
    for (const Case& each : cases) {
        Restart one;
        one.entry.next_limit = Seconds(540);
        each.change(one);
        EXPECT_EQ(is_limit_due(one.entry, one.job), each.is_due) << each.name;
    }
}

}  // namespace
}  // namespace hora::horad
