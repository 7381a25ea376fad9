// Does a job get its own priority back that no resize accounts for, and no other?
#include "scripts/horad/recovery/priority_sweep.hpp"

#include <gtest/gtest.h>

#include "scripts/horad/journal/raised_priority.hpp"
#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

constexpr std::uint32_t raised = 5001;

// A job whose priority Hora has raised, and of whose resize nothing is left.
struct Forgotten {
    FakeSlurm slurm;
    std::string log;
    PrioritySweep sweep{slurm, [this](const std::string& line) { log += line + "\n"; }};

    Forgotten() {
        slurm.waits();
        slurm.job().priority = raised;
        slurm.job().admin_comment =
            with_raised("ticket=12", {.own = FakeSlurm::own_priority, .raised = raised, .nice = 0});
    }
    void step(const std::vector<ResizeEntry>& under_way = {}) {
        sweep.step({.now = 0, .jobs = {listed(slurm.job())}, .cluster = nullptr}, under_way,
                   {.wall = slurm.now, .steady = Seconds(slurm.now)});
    }
    std::uint32_t priority() const { return slurm.job().priority; }
};

TEST(PrioritySweep, gives_a_job_its_own_priority_back_and_says_so_once) {
    Forgotten one;
    one.step();
    EXPECT_EQ(one.priority(), FakeSlurm::own_priority);
    EXPECT_EQ(one.slurm.job().admin_comment, "ticket=12");
    EXPECT_NE(one.log.find("job 7: has its own priority back"), std::string::npos) << one.log;
    const int calls = one.slurm.calls;
    one.step();
    EXPECT_EQ(one.slurm.calls, calls) << "slurmctld is asked about such jobs alone";
}

TEST(PrioritySweep, leaves_what_others_gave_and_takes_only_the_word_off) {
    struct Case {
        const char* name;
        std::uint32_t priority;
    };
    for (const Case& each : {Case{"an operator's", 777}, Case{"held", 0}}) {
        Forgotten one;
        one.slurm.job().priority = each.priority;
        one.step();
        EXPECT_EQ(one.priority(), each.priority) << each.name;
        EXPECT_EQ(one.slurm.job().admin_comment, "ticket=12") << each.name;
        EXPECT_EQ(one.log, "") << each.name;
    }
}

TEST(PrioritySweep, takes_a_job_out_of_the_reservation_of_restarts) {
    for (const bool is_raised : {false, true}) {
        Forgotten one;
        one.slurm.job().is_in_restart_reservation = true;
        one.slurm.job().nice = 1;
        if (!is_raised) {
            one.slurm.job().priority = 777;
            one.slurm.job().admin_comment = "ticket=12";
        }
        one.step();
        EXPECT_FALSE(one.slurm.job().is_in_restart_reservation);
        EXPECT_EQ(one.priority(), is_raised ? FakeSlurm::own_priority : 777);
        EXPECT_EQ(one.slurm.job().admin_comment, "ticket=12");
        EXPECT_EQ(one.slurm.job().nice, is_raised ? 0 : 1);
        EXPECT_EQ(one.log, is_raised
                               ? "job 7: has its own priority back; no resize accounts for the "
                                 "5001 that Hora gave it\n"
                               : "job 7: taken out of reservation hora-restarts; no resize "
                                 "accounts for it\n");
    }
}

TEST(PrioritySweep, leaves_jobs_alone_that_it_has_nothing_to_do_with) {
    Forgotten resized;
    ResizeEntry entry;
    entry.resize.job = 7;
    resized.step({entry});
    EXPECT_EQ(resized.priority(), raised) << "a resize is under way";
    entry.resize.job = 8;
    resized.step({entry});
    EXPECT_EQ(resized.priority(), FakeSlurm::own_priority) << "of another job";

    Forgotten ended;
    ended.slurm.user_cancels();
    ended.step();
    EXPECT_EQ(ended.slurm.calls, 0);

    Forgotten without;
    without.slurm.job().admin_comment = "ticket=12";
    without.step();
    EXPECT_EQ(without.slurm.calls, 0);
}

// Between the list of jobs and the look at this one.
TEST(PrioritySweep, goes_by_what_slurmctld_says_now) {
    Forgotten one;
    const Observation seen{.now = 0, .jobs = {listed(one.slurm.job())}, .cluster = nullptr};
    one.slurm.job().admin_comment = "ticket=12";
    one.sweep.step(seen, {}, {});
    EXPECT_EQ(one.priority(), raised) << "its word is gone";
    Forgotten ended;
    ended.slurm.user_cancels();
    ended.sweep.step(seen, {}, {});
    EXPECT_EQ(ended.log, "");
    Forgotten gone;
    gone.slurm.is_gone = true;
    gone.sweep.step(seen, {}, {});
    EXPECT_EQ(gone.log, "");
}

TEST(PrioritySweep, tries_again_and_complains_once) {
    Forgotten one;
    one.slurm.is_away = true;
    one.step();
    EXPECT_EQ(one.log, "") << "slurmctld is away";
    one.slurm.is_away = false;
    one.slurm.job().hold = slurm::Hold::impossible;
    one.step();
    one.step();
    EXPECT_EQ(one.log,
              "job 7: its own priority cannot be given back: Job is in held state, pending "
              "scheduler release\n");
    one.slurm.job().hold = slurm::Hold::none;
    one.slurm.now += 59;
    one.step();
    EXPECT_EQ(one.priority(), raised) << "a refusal may take seconds";
    one.slurm.now += 1;
    one.step();
    EXPECT_EQ(one.priority(), FakeSlurm::own_priority);
}

TEST(PrioritySweep, killed_anywhere_it_is_done_by_the_next) {
    for (int call = 0; call < 3; ++call) {
        Forgotten one;
        one.slurm.killed_at = call;
        EXPECT_TRUE(is_killed_in([&] { one.step(); })) << call;
        one.step();
        EXPECT_EQ(one.priority(), FakeSlurm::own_priority) << call;
        EXPECT_EQ(one.slurm.job().admin_comment, "ticket=12") << call;
    }
}

}  // namespace
}  // namespace hora::horad
