// Is what is next for a resize what was written down and what is seen say?
#include "scripts/horad/resize/resize_step.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include "tests/unit/horad/resize/one_step.hpp"

namespace hora::horad {
namespace {

TEST(ResizeStep, ends_where_the_job_is_over_or_another_one) {
    struct Case {
        const char* name;
        void (*change)(OneStep& look);
    };
    const Case cases[] = {
        {"it has ended", [](OneStep& look) { look.slurm.user_cancels(); }},
        {"slurmctld knows none", [](OneStep& look) { look.slurm.is_gone = true; }},
        {"of another user", [](OneStep& look) { look.slurm.job().uid = 1001; }},
        {"submitted at another time", [](OneStep& look) { look.slurm.job().submitted = 101; }},
        {"of fewer restarts", [](OneStep& look) { look.entry.resize.restarts = 1; }},
    };
    for (const Case& each : cases) {
        for (const ResizeState state :
             {ResizeState::queued, ResizeState::checkpoint_requested, ResizeState::verifying}) {
            OneStep look;
            look.enter(state);
            each.change(look);
            const ResizeStep next = look.step();
            EXPECT_EQ(next.ending, Ending::ended) << each.name;
            EXPECT_EQ(next.act, Act::none) << each.name;
        }
    }
}

TEST(ResizeStep, asks_for_a_checkpoint_once_the_job_has_progressed) {
    OneStep look;
    look.slurm.job().time_limit = Seconds(900);  // set since it was written down
    const ResizeStep next = look.step();
    EXPECT_EQ(next.act, Act::signal);
    EXPECT_EQ(next.entry.state, ResizeState::checkpoint_requested);
    EXPECT_EQ(next.entry.limit, Seconds(900));
    EXPECT_EQ(next.entry.latest, look.slurm.clock());
    EXPECT_FALSE(next.ending);
}

TEST(ResizeStep, keeps_the_nodes_of_a_job_from_then_on) {
    struct Case {
        const char* name;
        std::function<void(OneStep&)> prepare;
        bool keeps;
    };
    const Case cases[] = {
        {"they are known", [](OneStep&) {}, true},
        {"the site does not want it", [](OneStep& look) { look.limits.reserves_nodes = false; },
         false},
        {"its entry is of an earlier horad", [](OneStep& look) { look.entry.where.clear(); },
         false},
        {"it has a reservation", [](OneStep& look) { look.slurm.job().reservation = "course"; },
         false},
        {"it is suspended", [](OneStep& look) { look.entry.resize.to = 0; }, false},
        {"it did not answer before", [](OneStep& look) { look.entry.resize.is_unanswered = true; },
         false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        OneStep look;
        each.prepare(look);
        EXPECT_EQ(look.step().entry.reserves_nodes, each.keeps);
    }
}

// Others would wait for elastic.ready_timeout at each attempt.
TEST(ResizeStep, keeps_the_nodes_of_a_job_that_did_not_answer_once_it_has) {
    for (const bool is_seen_before_requeue : {false, true}) {
        OneStep look;
        look.entry.resize.is_unanswered = true;
        look.entry = look.step().entry;
        ASSERT_EQ(look.entry.state, ResizeState::checkpoint_requested);
        look.waiting.since = look.moment().steady;
        look.entry = look.step().entry;
        EXPECT_FALSE(look.entry.reserves_nodes);
        look.slurm.checkpoint_of = 0;
        if (!is_seen_before_requeue) {
            look.slurm.requeue();
        }
        EXPECT_TRUE(look.step().entry.reserves_nodes) << is_seen_before_requeue;
    }
}

TEST(ResizeStep, waits_for_progress_and_for_slurmctld_to_settle_but_not_for_ever) {
    OneStep look;
    look.listener.is_silent = true;
    look.enter(ResizeState::queued);
    look.slurm.now += look.limits.ready.count();
    EXPECT_FALSE(look.step().ending) << "at the limit";
    look.slurm.now += 0.5;
    EXPECT_EQ(look.step().ending, Ending::no_checkpoint) << "beyond it";

    OneStep unsettled;
    unsettled.enter(ResizeState::queued);
    unsettled.slurm.restart();
    EXPECT_EQ(unsettled.step().act, Act::none);
    unsettled.slurm.now += 11;
    EXPECT_EQ(unsettled.step().act, Act::signal);
}

TEST(ResizeStep, leaves_a_job_that_has_restarted_or_started_meanwhile) {
    OneStep restarted;
    restarted.slurm.job().restarts = 1;
    EXPECT_EQ(restarted.step().ending, Ending::refused);

    OneStep pending;
    pending.slurm.waits();
    pending.entry.was_pending = true;
    const ResizeStep next = pending.step();
    EXPECT_EQ(next.then, ResizeState::updating_request);
    EXPECT_FALSE(next.ending);
    pending.slurm.job().state = slurm::JobState::running;
    EXPECT_EQ(pending.step().ending, Ending::refused);
    pending.slurm.waits();
    pending.slurm.job().restarts = 1;
    EXPECT_EQ(pending.step().ending, Ending::refused);
}

// Its nodes are another job's as soon as it has left them.
TEST(ResizeStep, leaves_a_job_that_is_preempted) {
    struct Case {
        const char* name;
        void (*prepare)(OneStep& look);
    };
    const Case cases[] = {
        {"not asked yet", [](OneStep&) {}},
        {"asked", [](OneStep& look) { look.enter(ResizeState::checkpoint_requested); }},
        {"its checkpoint stands",
         [](OneStep& look) {
             look.enter(ResizeState::checkpoint_requested);
             look.entry.ready = look.slurm.now;
         }},
        {"requeued",
         [](OneStep& look) {
             look.enter(ResizeState::checkpoint_requested);
             look.slurm.requeue();
         }},
        {"requeued at its checkpoint",
         [](OneStep& look) {
             look.enter(ResizeState::checkpoint_requested);
             look.entry.ready = look.slurm.now;
             look.slurm.requeue();
         }},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        OneStep look;
        each.prepare(look);
        look.slurm.job().is_preempted = true;
        const ResizeStep next = look.step();
        EXPECT_EQ(next.ending, Ending::preempted);
        EXPECT_EQ(next.act, Act::none);
    }
}

// Whatever has requeued it, perhaps for another job and within a second: it has the priority of its own.
TEST(ResizeStep, leaves_a_job_that_was_requeued_without_a_checkpoint) {
    struct Case {
        const char* name;
        void (*change)(OneStep& look);
        bool goes_on;
    };
    const Case cases[] = {
        {"no checkpoint was heard", [](OneStep&) {}, false},
        {"it was heard before", [](OneStep& look) { look.entry.ready = look.slurm.now; }, true},
        {"it is heard late", [](OneStep& look) { look.slurm.checkpoint_of = 0; }, true},
        {"an earlier horad has asked, and may have heard it",
         [](OneStep& look) { look.waiting = Waiting(); }, true},
        {"horad itself has requeued it", [](OneStep& look) { look.entry.tries = 1; }, true},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        OneStep look;
        look.entry = look.step().entry;
        ASSERT_EQ(look.entry.state, ResizeState::checkpoint_requested);
        look.slurm.requeue();
        each.change(look);
        const ResizeStep first = look.step();
        EXPECT_EQ(first.entry.state == ResizeState::updating_request, each.goes_on);
        EXPECT_FALSE(first.ending) << "a report may come later than slurmctld's word";
        look.slurm.advance(11);
        const ResizeStep next = look.step();
        EXPECT_EQ(next.ending.has_value(), !each.goes_on);
        EXPECT_EQ(next.act, Act::none);
    }
}

TEST(ResizeStep, notes_when_the_checkpoint_stood_and_keeps_that) {
    OneStep look;
    look.enter(ResizeState::checkpoint_requested);
    EXPECT_EQ(look.step().entry.ready, 0);
    look.listener.has_checkpointed = true;
    const ResizeStep noted = look.step();
    EXPECT_EQ(noted.entry.ready, look.slurm.now);
    EXPECT_EQ(noted.act, Act::none);
    look.entry = noted.entry;
    look.slurm.now += 5;
    EXPECT_EQ(look.step().entry.ready, noted.entry.ready);
    look.slurm.requeue();
    EXPECT_EQ(look.step().entry.ready, noted.entry.ready);
}

TEST(ResizeStep, gives_up_where_no_checkpoint_comes_in_time) {
    OneStep look;
    look.enter(ResizeState::checkpoint_requested);
    look.slurm.now += look.limits.ready.count();
    EXPECT_FALSE(look.step().ending) << "at the limit";
    look.slurm.now += 0.5;
    EXPECT_EQ(look.step().ending, Ending::no_checkpoint) << "beyond it";
}

// slurmctld was killed before it saved the requeue of a job whose checkpoint stands.
TEST(ResizeStep, requeues_anew_what_slurmctld_forgot_and_only_a_few_times) {
    struct Case {
        const char* name;
        void (*change)(OneStep& look);
        bool is_requeued;
    };
    const Case cases[] = {
        {"it was killed", [](OneStep&) {}, true},
        {"it was not", [](OneStep& look) { look.entry.controller = look.slurm.started(); }, false},
        {"no checkpoint stands", [](OneStep& look) { look.entry.ready = 0; }, false},
        {"it was tried often", [](OneStep& look) { look.entry.tries = 3; }, false},
        {"tried not so often", [](OneStep& look) { look.entry.tries = 2; }, true},
    };
    for (const Case& each : cases) {
        for (const bool has_ended : {false, true}) {
            OneStep look;
            look.enter(ResizeState::checkpoint_requested);
            look.entry.ready = look.slurm.now;
            look.entry.controller = 77;
            look.slurm.now += look.limits.ready.count() + 1;
            if (has_ended) {
                look.slurm.user_cancels();
                look.slurm.job().has_failed = true;
            }
            each.change(look);
            const ResizeStep next = look.step();
            EXPECT_EQ(next.act == Act::requeue, each.is_requeued) << each.name << has_ended;
            EXPECT_EQ(next.entry.tries, look.entry.tries + (each.is_requeued ? 1 : 0)) << each.name;
            EXPECT_EQ(next.ending.has_value(), !each.is_requeued) << each.name;
        }
    }
}

// Both daemons were killed as the job went back to the queue: nobody has heard that its checkpoint
// stands.
TEST(ResizeStep, requeues_anew_what_is_silent_since_slurmctld_was_killed) {
    struct Case {
        const char* name;
        void (*change)(OneStep& look);
        bool is_requeued;
    };
    const Case cases[] = {
        {"it is silent", [](OneStep&) {}, true},
        {"it is heard", [](OneStep& look) { look.listener.is_silent = false; }, false},
        {"slurmctld was not killed",
         [](OneStep& look) { look.entry.controller = look.slurm.started(); }, false},
        {"it was tried often", [](OneStep& look) { look.entry.tries = 3; }, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        OneStep look;
        look.enter(ResizeState::checkpoint_requested);
        look.entry.controller = 77;
        look.listener.is_silent = true;
        each.change(look);
        look.slurm.now += look.limits.ready.count() + 1;
        EXPECT_EQ(look.step().ending.has_value(), !each.is_requeued);
        EXPECT_EQ(look.step().act, Act::none) << "it may report seldom";
        look.slurm.now += 2 * look.limits.ready.count();
        EXPECT_EQ(look.step().act == Act::requeue, each.is_requeued);
    }
}

TEST(ResizeStep, counts_the_silence_before_a_daemon_started_anew) {
    struct Case {
        const char* name;
        double age;  // of the request, in times of what a checkpoint may take
        bool is_silent;
        bool is_requeued;
    };
    const Case cases[] = {
        {"asked long ago", 4, true, true},
        {"not so long ago", 2, true, false},
        {"heard since this daemon started", 4, false, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        OneStep look;
        look.entry.controller = 77;
        look.entry.asked = look.slurm.now - each.age * look.limits.ready.count();
        look.enter(ResizeState::checkpoint_requested);
        look.listener.is_silent = each.is_silent;
        look.slurm.now += look.limits.ready.count();
        EXPECT_EQ(look.step().act, Act::none) << "it has not listened for long enough";
        look.slurm.now += 1;
        EXPECT_EQ(look.step().act == Act::requeue, each.is_requeued);
    }
}

TEST(ResizeStep, waits_where_slurmctld_does_not_say_whether_it_was_killed) {
    for (const bool has_ended : {false, true}) {
        for (const bool was_killed : {false, true}) {
            SCOPED_TRACE(has_ended);
            SCOPED_TRACE(was_killed);
            OneStep look;
            look.enter(ResizeState::checkpoint_requested);
            look.entry.ready = look.slurm.now;
            look.entry.controller = was_killed ? 77 : look.slurm.started();
            look.slurm.now += look.limits.ready.count() + 1;
            if (has_ended) {
                look.slurm.user_cancels();
                look.slurm.job().has_failed = true;
            }
            look.slurm.says_no_start = true;
            const ResizeStep next = look.step();
            EXPECT_EQ(next.act, Act::none);
            EXPECT_FALSE(next.ending);
            look.slurm.says_no_start = false;
            EXPECT_EQ(look.step().act == Act::requeue, was_killed);
        }
    }
}

TEST(ResizeStep, waits_until_what_it_requeues_anew_is_cleaned_up) {
    OneStep look;
    look.enter(ResizeState::checkpoint_requested);
    look.entry.ready = look.slurm.now;
    look.entry.controller = 77;
    look.slurm.user_cancels();
    look.slurm.job().has_failed = true;
    look.slurm.job().is_completing = true;
    const ResizeStep next = look.step();
    EXPECT_EQ(next.act, Act::none);
    EXPECT_FALSE(next.ending);
    EXPECT_EQ(next.entry.tries, 0U);
}

// Another daemon, or this one later, has not heard it.
TEST(ResizeStep, writes_down_the_checkpoint_of_a_start_whose_end_was_taken_for_the_jobs) {
    OneStep look;
    look.enter(ResizeState::checkpoint_requested);
    look.entry.controller = 77;
    look.listener.has_checkpointed = true;
    look.slurm.user_cancels();
    look.slurm.job().has_failed = true;
    look.slurm.job().is_completing = true;
    EXPECT_EQ(look.step().entry.ready, look.slurm.now);
}

TEST(ResizeStep, writes_down_the_request_of_a_requeued_job_before_it_changes_it) {
    OneStep look;
    look.enter(ResizeState::checkpoint_requested);
    look.slurm.requeue();
    look.slurm.job().max_nodes = 3;
    const ResizeStep next = look.step();
    EXPECT_EQ(next.act, Act::none);
    EXPECT_EQ(next.entry.state, ResizeState::updating_request);
    EXPECT_EQ(next.entry.restarts, 1U);
    EXPECT_EQ(next.entry.priority, FakeSlurm::own_priority);
    EXPECT_EQ(next.entry.max_nodes, 3U);
    EXPECT_EQ(next.entry.rest_of_request, "as it was");
    EXPECT_EQ(next.entry.ready, look.slurm.now);
}

TEST(ResizeStep, leaves_a_requeued_job_that_is_held_or_runs_already) {
    OneStep look;
    look.enter(ResizeState::checkpoint_requested);
    look.slurm.requeue();
    look.slurm.user_holds();
    EXPECT_EQ(look.step().ending, Ending::held);
    look.slurm.job().state = slurm::JobState::running;
    EXPECT_EQ(look.step().ending, Ending::other_size);
}

// Killed as the job was being cleaned up, slurmctld starts it again and counts no restart.
TEST(ResizeStep, leaves_a_start_that_slurmctld_does_not_count) {
    OneStep look;
    look.entry.began = 50'000;
    look.slurm.job().began = look.slurm.job().started = 50'000;
    look.enter(ResizeState::checkpoint_requested);
    EXPECT_FALSE(look.step().ending) << "the start that was looked at";
    look.slurm.job().began = 50'100;
    EXPECT_FALSE(look.step().ending) << "it was suspended for 100 seconds, and resumed";
    look.slurm.job().began = look.slurm.job().started = 50'001;
    EXPECT_EQ(look.step().ending, Ending::other_size);
    look.entry.began = 0;
    EXPECT_FALSE(look.step().ending) << "when that began is not known";
}

TEST(ResizeStep, ends_where_slurmctld_has_forgotten_the_requeue) {
    for (const ResizeState state :
         {ResizeState::updating_request, ResizeState::waiting_to_start, ResizeState::verifying}) {
        OneStep look;
        look.enter(state);
        look.entry.restarts = 1;
        EXPECT_EQ(look.step().ending, Ending::other_size);
    }
}

// slurmctld has lost the number that slurmdbd gave the job, too, and changes nothing of it.
TEST(ResizeStep, ends_as_forgotten_also_where_the_priority_cannot_be_given_back) {
    OneStep look;
    look.resize();
    look.slurm.job().restarts = 0;
    look.slurm.job().submitted = look.entry.submitted;
    look.slurm.job().state = slurm::JobState::running;
    const ResizeStep first = look.step();
    EXPECT_EQ(first.ending, Ending::other_size);
    EXPECT_EQ(first.act, Act::change);
    look.waiting.refusal = "Job update not available right now";
    const ResizeStep second = look.step();
    EXPECT_EQ(second.ending, Ending::other_size);
    EXPECT_EQ(second.act, Act::none);
}

TEST(ResizeStep, requeues_a_job_whose_program_the_request_has_ended) {
    using domain::CheckpointSignal;
    struct Case {
        const char* name;
        CheckpointSignal signal;
        int failed_by;
        void (*change)(OneStep& look);
        bool is_requeued;
    };
    const auto nothing = [](OneStep&) {};
    const Case cases[] = {
        {"as it was leaving", CheckpointSignal::usr1, SIGUSR1, nothing, true},
        {"likewise", CheckpointSignal::usr2, SIGUSR2, nothing, true},
        {"handed on", CheckpointSignal::term, SIGTERM, nothing, true},
        {"what Slurm sends", CheckpointSignal::term, SIGUSR1, nothing, true},
        {"by itself", CheckpointSignal::usr1, 0, nothing, false},
        {"out of memory", CheckpointSignal::usr1, SIGKILL, nothing, false},
        {"no request of ours", CheckpointSignal::usr1, SIGTERM, nothing, false},
        {"no request yet", CheckpointSignal::usr1, SIGUSR1,
         [](OneStep& look) { look.enter(ResizeState::queued); }, false},
        {"of a later start", CheckpointSignal::usr1, SIGUSR1,
         [](OneStep& look) { ++look.slurm.job().restarts; }, false},
        {"another user's job", CheckpointSignal::usr1, SIGUSR1,
         [](OneStep& look) { ++look.slurm.job().uid; }, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        OneStep look;
        look.enter(ResizeState::checkpoint_requested);
        look.entry.resize.signal = each.signal;
        look.slurm.user_cancels();
        look.slurm.job().failed_by = each.failed_by;
        each.change(look);
        const ResizeStep next = look.step();
        EXPECT_EQ(next.act == Act::requeue, each.is_requeued);
        EXPECT_EQ(next.ending, each.is_requeued ? Ending::no_checkpoint : Ending::ended);
    }
}

TEST(ResizeStep, waits_until_what_the_request_has_ended_is_cleaned_up) {
    OneStep look;
    look.enter(ResizeState::checkpoint_requested);
    look.slurm.user_cancels();
    look.slurm.job().failed_by = SIGUSR1;
    look.slurm.job().is_completing = true;
    EXPECT_EQ(look.step().act, Act::none);
    EXPECT_FALSE(look.step().ending);
}

TEST(ResizeStep, gives_the_own_priority_back_before_it_looks_at_the_size) {
    OneStep look;
    look.run();
    const ResizeStep next = look.step();
    EXPECT_EQ(next.act, Act::change);
    EXPECT_EQ(next.change.priority, FakeSlurm::own_priority);
    EXPECT_EQ(next.entry.tries, 1U);
    EXPECT_FALSE(next.ending);
    look.entry.tries = 12;
    look.slurm.now += 1;
    EXPECT_EQ(look.step().ending, Ending::done) << "Slurm does not take it";
}

TEST(ResizeStep, takes_a_job_that_runs_out_of_the_reservation) {
    OneStep look;
    look.run();
    look.slurm.job().priority = FakeSlurm::own_priority;
    look.slurm.job().is_in_restart_reservation = true;
    const ResizeStep next = look.step();
    slurm::JobChange wanted;
    wanted.reservation = "";
    EXPECT_EQ(next.act, Act::change);
    EXPECT_EQ(next.change, wanted);
}

TEST(ResizeStep, waits_for_the_first_step_of_the_new_start_but_not_for_ever) {
    OneStep look;
    look.run();
    look.slurm.job().priority = FakeSlurm::own_priority;
    EXPECT_FALSE(look.step().ending);
    look.slurm.now += 0.5;
    EXPECT_EQ(look.step().ending, Ending::done);
    look.listener.is_silent = true;
    EXPECT_FALSE(look.step().ending);
    look.slurm.now += look.limits.first_step.count() - 0.5;
    EXPECT_EQ(look.step().ending, Ending::done) << "at the limit";
}

TEST(ResizeStep, says_at_which_size_the_job_runs) {
    OneStep look;
    look.run();
    look.slurm.job().priority = FakeSlurm::own_priority;
    look.slurm.job().gpus = 2;
    look.slurm.now += 1;
    EXPECT_EQ(look.step().ending, Ending::other_size);
    EXPECT_EQ(look.step().remark, "it got 2 GPUs");
    look.entry.returned_for = "Licenses";
    EXPECT_EQ(look.step().remark, "reverted to 2 GPUs: with 4 it cannot be scheduled (Licenses)");
    look.slurm.job().state = slurm::JobState::pending;
    EXPECT_EQ(look.step().ending, Ending::other_size);
    EXPECT_EQ(look.step().remark, "slurmctld was killed and has forgotten that it ran");
    look.slurm.job().restarts = 2;
    EXPECT_EQ(look.step().remark, "the job was requeued once more");
}

// What was done already is seen: a step that is asked for anew after a kill is the same.
TEST(ResizeStep, is_the_same_for_a_daemon_that_starts_anew) {
    const auto states = {ResizeState::queued, ResizeState::checkpoint_requested,
                         ResizeState::updating_request, ResizeState::waiting_to_start,
                         ResizeState::verifying};
    for (const ResizeState state : states) {
        OneStep look;
        if (state >= ResizeState::updating_request) {
            look.requeue();
        }
        look.enter(state);
        const ResizeStep once = look.step();
        look.controller = {};
        look.enter(state);
        const ResizeStep again = look.step();
        EXPECT_EQ(again.entry, once.entry);
        EXPECT_EQ(again.act, once.act);
        EXPECT_EQ(again.change, once.change);
        EXPECT_EQ(again.then, once.then);
        EXPECT_EQ(again.ending, once.ending);
    }
}

}  // namespace
}  // namespace hora::horad
