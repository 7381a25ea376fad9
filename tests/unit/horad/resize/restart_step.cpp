// Does a requeued job get its size, its place in the queue and its begin, and nobody else's?
#include "scripts/horad/resize/restart_step.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "plugins/slurm/jobs/batch_word.hpp"
#include "tests/unit/horad/resize/one_step.hpp"

namespace hora::horad {
namespace {

TEST(RestartStep, gives_size_and_priority_by_one_change) {
    OneStep look;
    look.requeue();
    const ResizeStep next = look.step();
    EXPECT_EQ(next.act, Act::change);
    EXPECT_EQ(next.change.shape, shape_with(4));
    EXPECT_EQ(next.change.priority, look.slurm.highest + 1);
    EXPECT_EQ(next.change.kept_from, look.slurm.job().uid);
    EXPECT_EQ(find_raised(next.change.admin_comment.value_or("")),
              (RaisedPriority{.own = FakeSlurm::own_priority, .raised = look.slurm.highest + 1}));
    EXPECT_FALSE(next.change.time_limit);
    EXPECT_EQ(next.entry.raised, look.slurm.highest + 1);
    EXPECT_EQ(next.entry.tries, 1U);
    EXPECT_EQ(next.then, ResizeState::waiting_to_start);
}

TEST(RestartStep, puts_the_job_where_its_nodes_are_kept_unless_slurm_refused_a_change) {
    struct Case {
        const char* name;
        bool are_kept;
        const char* refusal;
        std::uint32_t tries;
        bool goes;
    };
    for (const Case& each : {Case{"kept", true, "", 0, true},
                             {"not kept", false, "", 0, false},
                             {"refused", true, "Requested reservation is invalid", 1, false},
                             {"it waits as it is", true, "", 6, false}}) {
        SCOPED_TRACE(each.name);
        OneStep look;
        look.requeue();
        look.slurm.highest = 0;  // its priority stays
        look.entry.reserves_nodes = true;
        look.entry.tries = each.tries;
        look.are_nodes_reserved = each.are_kept;
        look.waiting.refusal = each.refusal;
        const ResizeStep next = look.step();
        EXPECT_EQ(next.change.reservation == "hora-restarts", each.goes);
        EXPECT_EQ(next.change.kept_from.has_value(), each.goes);
        EXPECT_EQ(next.entry.reserves_nodes, each.goes);
    }
}

TEST(RestartStep, keeps_a_priority_that_is_above_the_others) {
    OneStep look;
    look.requeue();
    look.slurm.job().priority = look.slurm.highest + 1;
    EXPECT_EQ(look.step().change.priority, std::nullopt);
    EXPECT_EQ(look.step().entry.raised, 0U);
    look.slurm.highest = slurm::top_priority;
    EXPECT_EQ(look.step().change.priority, slurm::top_priority) << "no overflow";
}

TEST(RestartStep, asks_whose_the_priority_is_where_slurmctld_computes_them) {
    OneStep look;
    look.requeue();
    look.slurm.computes = true;
    const ResizeStep asking = look.step();
    EXPECT_EQ(asking.act, Act::change);
    EXPECT_EQ(asking.change, ask_whose(look.slurm.job()));
    EXPECT_EQ(asking.then, std::nullopt);
    EXPECT_EQ(asking.entry.tries, 1U);
    look.entry.tries = 2;
    EXPECT_EQ(look.step().change.shape, shape_with(4)) << "asked often enough";
}

TEST(RestartStep, tries_a_size_and_then_a_priority_a_few_times_only) {
    for (std::uint32_t tries = 0; tries < 8; ++tries) {
        OneStep look;
        look.requeue();
        look.entry.tries = tries;
        const ResizeStep next = look.step();
        EXPECT_EQ(next.change.shape.has_value(), tries < 3) << tries;
        EXPECT_EQ(next.change.priority.has_value(), tries < 6) << tries;
        EXPECT_EQ(next.then, ResizeState::waiting_to_start) << tries;
        EXPECT_EQ(next.entry.tries, tries < 6 ? tries + 1 : tries);
        EXPECT_EQ(next.entry.wanted, tries < 3 || tries >= 6 ? shape_with(4) : shape_with(2))
            << "what it asks for then";
    }
}

TEST(RestartStep, lowers_a_limit_once_and_drops_that_before_the_size) {
    const auto limit_at = [](std::uint32_t tries, Seconds now) {
        OneStep look;
        look.entry.limit = Seconds(600);
        look.requeue();
        look.entry.next_limit = Seconds(300);
        look.slurm.job().time_limit = now;
        look.entry.tries = tries;
        return look.step().change.time_limit;
    };
    EXPECT_EQ(limit_at(0, Seconds(600)), Seconds(300));
    EXPECT_EQ(limit_at(1, Seconds(600)), Seconds(300));
    EXPECT_EQ(limit_at(2, Seconds(600)), std::nullopt);
    EXPECT_EQ(limit_at(0, Seconds(540)), std::nullopt) << "set by somebody else";
}

// A byte that is no UTF-8 comes back from the journal as another one.
TEST(RestartStep, knows_a_request_of_any_bytes_again) {
    for (const char* const kept : {"a\xff", "a\xef\xbf\xbd"}) {
        OneStep look;
        look.resize();
        look.entry.rest_of_request = kept;
        look.slurm.job().rest_of_request = "a\xff";
        EXPECT_FALSE(look.step().ending);
        look.slurm.job().rest_of_request = "b\xff";
        EXPECT_EQ(look.step().ending, Ending::changed);
    }
}

TEST(RestartStep, leaves_a_job_that_others_have_changed) {
    struct Case {
        const char* name;
        void (*change)(OneStep& look);
        Ending ending;
    };
    const Case cases[] = {
        {"held", [](OneStep& look) { look.slurm.user_holds(); }, Ending::held},
        {"of another size", [](OneStep& look) { look.slurm.user_changes(); }, Ending::changed},
        {"made to depend", [](OneStep& look) { look.slurm.user_makes_it_depend(); },
         Ending::changed},
        {"restarted", [](OneStep& look) { look.slurm.user_cancels_and_requeues(); },
         Ending::changed},
        {"on other nodes", [](OneStep& look) { look.slurm.job().max_nodes = 9; }, Ending::changed},
    };
    for (const Case& each : cases) {
        for (const bool is_sized : {false, true}) {
            OneStep look;
            if (is_sized) {
                look.resize();
            } else {
                look.requeue();
            }
            each.change(look);
            const ResizeStep next = look.step();
            EXPECT_EQ(next.ending, each.ending) << each.name << is_sized;
            EXPECT_EQ(next.change.shape, std::nullopt) << each.name;
            // A hold has taken its place.
            const bool has_ours = is_sized && each.ending != Ending::held;
            EXPECT_EQ(next.act, has_ours ? Act::change : Act::none) << each.name;
            EXPECT_EQ(next.change.priority,
                      has_ours ? std::optional(FakeSlurm::own_priority) : std::nullopt)
                << each.name;
        }
    }
}

TEST(RestartStep, sees_that_the_job_runs) {
    for (const bool is_sized : {false, true}) {
        OneStep look;
        if (is_sized) {
            look.resize();
        } else {
            look.requeue();
        }
        look.slurm.job().state = slurm::JobState::running;
        const ResizeStep next = look.step();
        EXPECT_EQ(next.then, ResizeState::verifying);
        EXPECT_EQ(next.entry.runs, look.slurm.now);
        EXPECT_EQ(next.act, Act::none);
    }
}

TEST(RestartStep, takes_a_size_back_that_slurmctld_finds_impossible) {
    OneStep look;
    look.resize();
    look.slurm.job().priority = 0;
    look.slurm.job().hold = slurm::Hold::impossible;
    for (const std::uint32_t tries : {0U, 2U}) {
        look.entry.tries = tries;
        const ResizeStep next = look.step();
        EXPECT_EQ(next.act, Act::change);
        EXPECT_TRUE(next.change.is_of_impossible);
        EXPECT_EQ(next.change.shape, shape_with(2));
        EXPECT_EQ(next.entry.wanted, shape_with(2));
        EXPECT_EQ(next.entry.wanted_before, shape_with(4));
        EXPECT_EQ(next.entry.tries, tries + 1);
    }
    look.entry.tries = 3;
    EXPECT_EQ(look.step().ending, Ending::refused);
}

TEST(RestartStep, puts_a_hold_back_that_its_change_took_off) {
    for (const auto hold : {slurm::Hold::user, slurm::Hold::administrator}) {
        OneStep look;
        look.resize();
        look.waiting.has_raised = true;
        look.slurm.job().former_hold = hold;
        const ResizeStep next = look.step();
        EXPECT_EQ(next.act, Act::hold);
        EXPECT_EQ(next.holds_by_user, hold == slurm::Hold::user);
        EXPECT_EQ(next.ending, Ending::held);
        EXPECT_NE(look.step().act, Act::hold) << "a hold of before is none of this change's";
    }
}

TEST(RestartStep, touches_nothing_while_the_last_run_is_cleaned_up) {
    OneStep look;
    look.resize();
    look.slurm.job().is_completing = true;
    const ResizeStep next = look.step();
    EXPECT_EQ(next.act, Act::none);
    EXPECT_FALSE(next.ending);
}

TEST(RestartStep, does_not_keep_a_job_at_the_head_of_the_queue_for_ever) {
    OneStep look;
    look.resize();
    look.slurm.now += 3600;
    EXPECT_FALSE(look.step().ending);
    look.slurm.now += 1;
    const ResizeStep next = look.step();
    EXPECT_EQ(next.ending, Ending::other_size);
    EXPECT_EQ(next.change.priority, FakeSlurm::own_priority);
    look.enter(ResizeState::waiting_to_start);  // another daemon
    look.waiting.ready = Seconds(look.entry.ready);
    EXPECT_FALSE(look.step().ending);
    look.slurm.now += 3600;
    EXPECT_EQ(look.step().ending, Ending::other_size) << "two hours";
}

TEST(RestartStep, lets_the_job_begin_in_the_second_after_its_end) {
    OneStep look;
    look.resize();
    const std::int64_t clock = look.slurm.clock();
    const ResizeStep next = look.step();
    EXPECT_EQ(next.act, Act::change);
    EXPECT_EQ(next.change.begins, clock + 1);
    EXPECT_EQ(next.entry.begins, clock + 1);
    EXPECT_EQ(next.entry.waits_until, look.slurm.job().eligible);
    EXPECT_EQ(next.entry.tries, 1U);
    look.is_away_meanwhile = true;
    EXPECT_EQ(look.step().act, Act::none) << "nobody says when its slurmd was started";
}

TEST(RestartStep, changes_no_begin_but_slurms_and_its_own) {
    struct Case {
        const char* name;
        std::int64_t begins;       // what it was given, from now on; 0: nothing
        std::int64_t waits_until;  // what it had before
        std::int64_t eligible;
        std::uint32_t tries;
        std::optional<Ending> ending;
        Act act;
    };
    const Case cases[] = {
        {"Slurm's", 0, 0, 121, 0, std::nullopt, Act::change},
        {"Slurm's longest", 0, 0, 599, 0, std::nullopt, Act::change},
        {"its owner's", 0, 0, 600, 0, Ending::changed, Act::change},
        {"Slurm has not taken ours", 1, 121, 121, 1, std::nullopt, Act::change},
        {"ours, a second away", 1, 121, 1, 1, std::nullopt, Act::none},
        {"ours, as far away as nodes remember", 121, 300, 121, 1, std::nullopt, Act::none},
        {"ours, far away since a clock was set back", 122, 300, 122, 1, std::nullopt, Act::change},
        {"its owner's in the place of ours", 1, 121, 60, 1, Ending::changed, Act::change},
        {"tried often", 0, 0, 121, 3, Ending::changed, Act::change},
        {"tried less often", 0, 0, 121, 2, std::nullopt, Act::change},
    };
    for (const Case& each : cases) {
        OneStep look;
        look.resize();
        const std::int64_t now = look.slurm.clock();
        look.slurm.job().submitted = now - 1000;
        look.entry.begins = each.begins == 0 ? 0 : now + each.begins;
        look.entry.waits_until = now + each.waits_until;
        look.entry.tries = each.tries;
        look.slurm.job().eligible = now + each.eligible;
        const ResizeStep next = look.step();
        EXPECT_EQ(next.ending, each.ending) << each.name;
        EXPECT_EQ(next.act, each.act) << each.name;
        EXPECT_EQ(next.change.begins.has_value(), !each.ending && each.act == Act::change)
            << each.name;
    }
}

// Resized, and since then it may begin.
struct Eligible : OneStep {
    Eligible() {
        resize();
        slurm.job().eligible = slurm.clock();
        slurm.job().reason = "Resources";
    }
    Act after(double seconds) {
        slurm.now += seconds;
        const ResizeStep next = step();
        entry = next.entry;
        return next.act;
    }
};

TEST(RestartStep, wakes_the_scheduler_often_at_first_and_then_less_often) {
    Eligible look;
    const ResizeStep next = look.step();
    EXPECT_EQ(next.act, Act::change);
    EXPECT_EQ(next.change, slurm::JobChange());
    EXPECT_EQ(look.after(0.5), Act::none);
    EXPECT_EQ(look.after(0.5), Act::change);
    EXPECT_EQ(look.after(9), Act::change) << "ten seconds";
    EXPECT_EQ(look.after(4), Act::none);
    EXPECT_EQ(look.after(1), Act::change);
}

// slurmctld may have started it and, killed, have forgotten that.
TEST(RestartStep, lets_a_job_begin_later_that_may_have_begun_before_slurmctld_was_killed) {
    struct Case {
        const char* name;
        double killed_after;  // seconds since it may begin
        double seen_after;    // seconds since slurmctld has started again
        std::uint32_t tries;
        bool rests;
    };
    for (const Case& each : {Case{"at once", 1, 0.5, 1, true},
                             {"in the second of its begin", 0, 0.5, 1, true},
                             {"after a while", 300, 9, 1, true},
                             {"slurmctld knows its nodes again", 1, 11, 1, false},
                             {"it was not to begin yet", -1, 2, 1, false},
                             {"tried often", 1, 0.5, 3, false}}) {
        SCOPED_TRACE(each.name);
        Eligible look;
        look.entry.tries = each.tries;
        look.slurm.now += each.killed_after;
        look.slurm.restart();
        look.slurm.now += each.seen_after;
        const ResizeStep next = look.step();
        const std::int64_t begins = look.slurm.clock() + slurm::settling_time;
        EXPECT_EQ(next.change.begins, each.rests ? std::optional(begins) : std::nullopt);
        EXPECT_EQ(next.entry.waits_until == look.slurm.job().eligible, each.rests);
        EXPECT_EQ(next.entry.tries, each.rests ? each.tries + 1 : each.tries);
        look.entry = next.entry;
        look.slurm.job().eligible = each.rests ? begins : look.slurm.job().eligible;
        EXPECT_EQ(look.step().change.begins, std::nullopt) << "once";
    }
}

// Slurm has ended the reservation, or somebody has taken the job out of it.
TEST(RestartStep, joins_the_reservation_again_or_does_without) {
    struct Case {
        const char* name;
        bool is_reserved;
        std::uint32_t tries;
        bool joins;
    };
    for (const Case& each : {Case{"it stands", true, 0, true},
                             {"it does not stand", false, 0, false},
                             {"it was tried", true, 1, false}}) {
        SCOPED_TRACE(each.name);
        Eligible look;
        look.entry.reserves_nodes = true;
        look.entry.tries = each.tries;
        look.are_nodes_reserved = each.is_reserved;
        const ResizeStep next = look.step();
        EXPECT_EQ(next.change.reservation == "hora-restarts", each.joins);
        EXPECT_EQ(next.act, each.joins ? Act::change : Act::none);
        EXPECT_EQ(next.entry.reserves_nodes, each.joins);
    }
}

// A limit that is longer than before may have been refused, or the reservation, which goes first.
TEST(RestartStep, does_without_a_reservation_before_it_goes_back_to_the_old_size) {
    OneStep look;
    look.requeue();
    look.are_nodes_reserved = true;
    look.entry.reserves_nodes = true;
    look.entry.limit = Seconds(600);
    look.entry.next_limit = Seconds(1200);
    look.waiting.refusal = "Requested reservation is invalid";
    const ResizeStep without = look.step();
    EXPECT_EQ(without.change.shape, shape_with(4));
    EXPECT_EQ(without.change.reservation, std::nullopt);
    look.entry = without.entry;
    const ResizeStep back = look.step();
    EXPECT_EQ(back.entry.wanted, shape_with(2));
    EXPECT_EQ(back.entry.returned_for, "Requested reservation is invalid");
}

TEST(RestartStep, goes_back_to_the_old_size_and_then_to_a_smaller_one) {
    Eligible look;
    look.entry.reserves_nodes = look.slurm.job().is_in_restart_reservation = true;
    look.after(0);
    look.slurm.job().reason = "None";  // until Slurm looks again
    look.after(look.limits.fallback.count());
    EXPECT_EQ(look.entry.returned_for, "") << "at the limit";
    look.slurm.now += 0.5;
    const ResizeStep back = look.step();
    EXPECT_EQ(back.change.shape, shape_with(2));
    EXPECT_EQ(back.entry.returned_for, "Resources");
    EXPECT_EQ(back.entry.wanted_before, shape_with(4));
    EXPECT_EQ(back.change.reservation, std::nullopt);
    EXPECT_TRUE(back.entry.reserves_nodes);
    EXPECT_FALSE(back.entry.has_fallen_back);

    look.entry = back.entry;
    look.slurm.job().shape = shape_with(2);
    look.after(0);
    look.after(look.limits.fallback.count());
    EXPECT_FALSE(look.entry.has_fallen_back) << "its time begins anew";
    look.slurm.now += 0.5;
    const ResizeStep smaller = look.step();
    EXPECT_TRUE(smaller.entry.has_fallen_back);
    EXPECT_EQ(smaller.change.shape, shape_with(1));
    EXPECT_EQ(smaller.entry.wanted_before, shape_with(2));
    EXPECT_FALSE(smaller.entry.reserves_nodes) << "it may wait for long";

    look.entry = smaller.entry;
    look.slurm.job().shape = shape_with(1);
    const ResizeStep leaving = look.step();
    EXPECT_EQ(leaving.change.reservation, "");
    EXPECT_EQ(leaving.change.kept_from, look.slurm.job().uid) << "as long as its priority is ours";
    look.slurm.job().is_in_restart_reservation = false;
    look.slurm.now += 1000;
    const ResizeStep last = look.step();
    EXPECT_EQ(last.change, slurm::JobChange()) << "it waits as it is";
    EXPECT_FALSE(last.ending);
}

TEST(RestartStep, gives_a_batch_with_size_and_priority) {
    OneStep look;
    look.entry.resize.batch = look.entry.next_batch = 512;
    look.requeue();
    look.slurm.job().admin_comment = "a hora-batch=64 b";
    const ResizeStep next = look.step();
    EXPECT_EQ(next.change.shape, shape_with(4));
    const std::string comment = next.change.admin_comment.value_or("");
    EXPECT_EQ(slurm::batch_word(comment), 512U) << comment;
    EXPECT_TRUE(find_raised(comment)) << comment;
    EXPECT_TRUE(comment.starts_with("a b ")) << comment;
    EXPECT_FALSE(next.change.is_comment_first) << "a larger batch comes after its GPUs";
    look.entry.batch_was = 64;
    look.entry.tries = 3;
    EXPECT_EQ(look.step().entry.next_batch, 64U) << "Slurm does not take its size";
    look.entry.tries = 0;
    look.entry.resize.batch = 0;
    EXPECT_EQ(slurm::batch_word(look.step().change.admin_comment.value_or("")), 64U)
        << "a resize that leaves it";
}

TEST(RestartStep, takes_the_batch_back_with_the_size) {
    Eligible look;
    look.entry.resize.batch = look.entry.next_batch = 512;
    look.entry.batch_was = 128;
    look.slurm.job().admin_comment = "hora-batch=512";
    look.after(0);
    look.slurm.now += look.limits.fallback.count() + 0.5;
    const ResizeStep back = look.step();
    EXPECT_EQ(back.change.shape, shape_with(2));
    EXPECT_EQ(back.change.admin_comment, "hora-batch=128");
    EXPECT_TRUE(back.change.is_comment_first) << "it may start at once at its old size";
    EXPECT_EQ(back.entry.next_batch, 128U);

    look.entry = back.entry;
    look.slurm.job().shape = shape_with(2);
    look.slurm.job().admin_comment = "hora-batch=128";
    look.after(0);
    look.slurm.now += look.limits.fallback.count() + 0.5;
    const ResizeStep smaller = look.step();
    EXPECT_EQ(smaller.change.shape, shape_with(1));
    EXPECT_TRUE(smaller.change.is_comment_first);
    EXPECT_EQ(smaller.change.admin_comment, "") << "the smallest fits wherever it may run";
}

TEST(RestartStep, leaves_a_batch_that_was_not_to_change_until_it_falls_back) {
    Eligible look;
    look.slurm.job().admin_comment = "hora-batch=128";
    look.entry.batch_was = look.entry.next_batch = 64;  // somebody has written another one since
    look.after(0);
    look.slurm.now += look.limits.fallback.count() + 0.5;
    const ResizeStep back = look.step();
    EXPECT_EQ(back.change.shape, shape_with(2));
    EXPECT_EQ(back.change.admin_comment, std::nullopt);
    look.entry = back.entry;
    look.slurm.job().shape = shape_with(2);
    look.after(0);
    look.slurm.now += look.limits.fallback.count() + 0.5;
    EXPECT_EQ(look.step().change.admin_comment, "");
}

TEST(RestartStep, does_not_fall_back_to_the_size_that_it_has) {
    Eligible look;
    look.entry.returned_for = "Resources";
    look.entry.wanted = look.entry.was;
    look.entry.resize.min = 2;
    look.slurm.job().shape = shape_with(2);
    look.after(0);
    look.slurm.now += look.limits.fallback.count() + 1;
    const ResizeStep next = look.step();
    EXPECT_TRUE(next.entry.has_fallen_back);
    EXPECT_EQ(next.act, Act::none);
    EXPECT_EQ(next.entry.wanted, shape_with(2));
}

}  // namespace
}  // namespace hora::horad
