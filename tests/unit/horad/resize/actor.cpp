#include "scripts/horad/resize/actor.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>

#include "plugins/slurm/jobs/batch_word.hpp"
#include "plugins/slurm/jobs/rest_of_limit.hpp"
#include "scripts/horad/elastic/found_limits.hpp"
#include "scripts/horad/journal/raised_priority.hpp"
#include "scripts/horad/recovery/priority_sweep.hpp"
#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

constexpr double tick = 0.1;

// A world with one job of 2 GPUs and a daemon that can be killed and started again.
class Play {
  public:
    Play() { start(); }

    void start() {
        const auto note = [this](const std::string& line) { log += line + "\n"; };
        pending = std::make_unique<PendingChanges>(slurm, of_pending, history, note);
        sweep = std::make_unique<PrioritySweep>(slurm, note);
        actor = std::make_unique<Actor>(slurm, journal, *pending, history, limits, note);
        EXPECT_TRUE(actor->recover(moment()));
    }

    Moment moment() const {
        return {.wall = slurm.now + clock_is_off, .steady = Seconds(slurm.now)};
    }

    // Of the controller's host, by so many seconds. Back and then ahead again within two minutes
    // would bring on what nobody can see to: a second that has been already, and is to come.
    void set_clocks(double seconds) {
        if (slurm.clock_is_off == 0) {
            clock_is_off = slurm.clock_is_off = seconds;
        }
    }

    Expected<void> ask(std::uint32_t to) {
        return actor->request({.job = 7,
                               .restarts = slurm.job().restarts,
                               .from = 2,
                               .to = to,
                               .min = 1,
                               .sizes = {},
                               .why = "a test",
                               .limit = limit_rule,
                               .batch = batch},
                              shaper, moment());
    }

    void live(double seconds) {
        for (double until = slurm.now + seconds; slurm.now < until;) {
            listener.clock_is_off = clock_is_off;
            const bool is_killed = is_killed_in([&] {
                actor->step(listener, shaper, moment());
                sweep->step(seen(), actor->under_way(), moment());
            });
            if (is_killed) {
                start();
            }
            slurm.advance(tick);
        }
    }

    Observation seen() const {
        return {.now = 0, .jobs = {listed(slurm.job())}, .cluster = nullptr};
    }

    FakeSlurm slurm;
    FakeListener listener{slurm};
    FakeJournal<ResizeEntry> journal{slurm};
    FakeJournal<PendingChange> of_pending{slurm};
    FakeHistory history;
    FakeShaper shaper;
    ResizeLimits limits;
    LimitRule limit_rule{.is_lowered = true};
    std::uint64_t batch = 0;
    double clock_is_off = 0;
    std::string log;
    std::unique_ptr<PendingChanges> pending;
    std::unique_ptr<Actor> actor;
    std::unique_ptr<PrioritySweep> sweep;
};

// What is learnt from the one resize that has ended.
std::optional<std::uint32_t> found_limit(const Play& play) {
    FoundLimits limits;
    for (const Resized& resized : play.history.list) {
        limits.learn(resized, 0);
    }
    return limits.most(7);
}

bool has_our_priority(const Play& play) {
    const slurm::Job& job = play.slurm.job();
    return job.priority == play.slurm.highest + 1 || find_raised(job.admin_comment);
}

// Nothing of ours is left: no entry, no priority, no hold, and no start in the second of an end.
void expect_clean(const Play& play) {
    const slurm::Job& job = play.slurm.job();
    EXPECT_TRUE(play.journal.entries.empty()) << play.log;
    EXPECT_FALSE(play.slurm.is_too_early);
    if (job.state != slurm::JobState::ended) {
        EXPECT_FALSE(has_our_priority(play)) << play.log;
    }
    EXPECT_FALSE(play.slurm.reserved()) << play.log;
    EXPECT_FALSE(job.is_in_restart_reservation && job.state != slurm::JobState::ended) << play.log;
    EXPECT_LE(play.slurm.signals, 1);
    EXPECT_EQ(job.is_held(), play.slurm.has_been_held && job.state == slurm::JobState::pending);
}

// Ten minutes, of which it has run 100 seconds when it is asked.
void limit(Play& play) {
    play.slurm.job().time_limit = Seconds(600);
    play.slurm.job().began = play.slurm.clock() - 100;
}

TEST(Actor, goes_on_where_slurmctld_took_the_end_of_a_requeued_start_for_the_jobs) {
    struct Case {
        const char* name;
        bool has_checkpointed;
        bool is_restarted;
        bool has_failed;
        bool goes_on;
        bool is_heard_late = false;
    };
    const Case cases[] = {
        {"slurmctld was killed before it saved the requeue", true, true, true, true},
        {"it was killed before horad looked", true, true, true, true, true},
        {"slurmctld was not restarted", true, false, true, false},
        {"no checkpoint stands", false, true, true, false},
        {"its owner cancelled it", true, true, false, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Play play;
        play.slurm.ignores_signals = true;
        ASSERT_TRUE(play.ask(4));
        play.live(3);
        play.listener.has_checkpointed = each.has_checkpointed && !each.is_heard_late;
        play.live(1);
        if (each.is_restarted) {
            play.slurm.restart();
        }
        play.listener.has_checkpointed = each.has_checkpointed;
        play.slurm.user_cancels();
        play.slurm.job().has_failed = each.has_failed;
        play.live(60);
        EXPECT_EQ(play.slurm.job().state == slurm::JobState::running, each.goes_on) << play.log;
        EXPECT_EQ(play.slurm.job().restarts, each.goes_on ? 1U : 0U);
        expect_clean(play);
    }
}

TEST(Actor, requeues_a_job_at_its_checkpoint_where_slurmctld_forgot_that_it_was) {
    for (const bool is_restarted : {true, false}) {
        SCOPED_TRACE(is_restarted);
        Play play;
        play.slurm.ignores_signals = true;
        ASSERT_TRUE(play.ask(4));
        play.live(3);
        play.listener.has_checkpointed = true;
        play.live(1);
        if (is_restarted) {
            play.slurm.restart();
        }
        play.live(200);
        EXPECT_EQ(play.slurm.job().restarts, is_restarted ? 1U : 0U) << play.log;
        EXPECT_EQ(play.slurm.job().gpus, is_restarted ? 4U : 2U);
        expect_clean(play);
    }
}

// Killed as a requeued job was being cleaned up, slurmctld starts it again, and counts no restart.
TEST(Actor, requeues_no_start_that_it_has_not_asked_for_a_checkpoint) {
    Play play;
    play.slurm.ignores_signals = true;
    play.slurm.job().began = play.slurm.clock() - 100;
    ASSERT_TRUE(play.ask(4));
    play.live(3);
    play.listener.has_checkpointed = true;
    play.live(1);
    play.slurm.restart();
    play.slurm.job().began = play.slurm.job().started = play.slurm.clock();
    play.live(200);
    EXPECT_EQ(play.slurm.job().restarts, 0U) << play.log;
    ASSERT_EQ(play.history.list.size(), 1U);
    EXPECT_EQ(play.history.list.front().ending, Ending::other_size);
    expect_clean(play);
}

// slurmctld, killed before it saved a requeue, takes the job for running again. What became of the
// requeue is looked after by what was noted of it (forgotten_starts.hpp), from the entries between
// two rounds.
TEST(Actor, shows_a_requeue_between_two_rounds_before_it_ends_as_forgotten) {
    constexpr int most_calls = 12;  // of a round
    int forgotten = 0;
    for (int call = 0; call < most_calls; ++call) {
        SCOPED_TRACE(call);
        Play play;
        const auto began = play.slurm.job().began = play.slurm.clock() - 100;
        ASSERT_TRUE(play.ask(4));
        play.live(2 * tick);
        play.slurm.checkpoint_of = play.slurm.job().restarts;
        play.slurm.requeue();
        play.slurm.meanwhile_at = play.slurm.calls + call;
        play.slurm.meanwhile = [&] {
            play.slurm.restart();
            slurm::Job& job = play.slurm.job();
            job.state = slurm::JobState::running;
            job.is_completing = false;
            job.restarts = 0;
            job.began = began;
        };
        bool is_shown = false;
        for (int round = 0; round < 100 && play.history.list.empty(); ++round) {
            play.actor->step(play.listener, play.shaper, play.moment());
            play.slurm.advance(tick);
            for (const ResizeEntry& entry : play.actor->under_way()) {
                is_shown = is_shown || is_requeued(entry);
            }
        }
        // Forgotten before any look at it, it is no requeue for horad.
        if (!play.history.list.empty() && is_requeued(play.history.list.front().entry)) {
            ++forgotten;
            EXPECT_TRUE(is_shown) << play.log;
        }
    }
    EXPECT_GT(forgotten, most_calls / 3);
}

TEST(Actor, gives_a_restarted_job_what_is_left_of_its_time_limit) {
    Play play;
    limit(play);
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().time_limit, Seconds(540)) << "499 s, in Slurm's whole minutes";
    EXPECT_EQ(play.slurm.limits, 1);
}

TEST(Actor, leaves_time_limits_alone) {
    struct Case {
        const char* name;
        void (*prepare)(Play& play);
        void (*meanwhile)(Play& play);
        std::optional<Seconds> wanted;
    };
    const auto nothing = [](Play&) {};
    const Case cases[] = {
        {"it is requeued at it", [](Play& play) { play.limit_rule.is_lowered = false; }, nothing,
         Seconds(600)},
        {"it has none", [](Play& play) { play.slurm.job().time_limit.reset(); }, nothing,
         std::nullopt},
        {"somebody has raised it", nothing,
         [](Play& play) {
             play.slurm.advance(0.5);
             play.slurm.job().time_limit = Seconds(6000);
         },
         Seconds(6000)},
        {"somebody has lowered it", nothing,
         [](Play& play) {
             play.slurm.advance(0.5);
             play.slurm.job().time_limit = Seconds(300);
         },
         Seconds(300)},
        {"somebody has restarted it", nothing,
         [](Play& play) {
             play.slurm.advance(0.5);
             ++play.slurm.job().restarts;
         },
         Seconds(600)},
        {"it began before it was submitted, since a clock was set",
         [](Play& play) { play.slurm.job().began = play.slurm.job().submitted - 1; }, nothing,
         Seconds(600)},
        {"it has run for less than a minute of whole ones",
         [](Play& play) { play.slurm.job().began = play.slurm.clock() - 50; }, nothing,
         Seconds(600)},
        {"it is as short as a start",
         [](Play& play) { play.slurm.job().time_limit = Seconds(120); }, nothing, Seconds(120)},
        {"Slurm does not have it", [](Play& play) { play.slurm.refuses_limits = true; }, nothing,
         Seconds(600)},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Play play;
        limit(play);
        each.prepare(play);
        ASSERT_TRUE(play.ask(4));
        play.live(0.2);
        each.meanwhile(play);
        play.live(20);
        EXPECT_TRUE(play.journal.entries.empty()) << play.log;
        EXPECT_EQ(play.slurm.job().time_limit, each.wanted);
        EXPECT_EQ(play.slurm.job().gpus, 4U) << play.log;
    }
}

// Ten minutes of two GPUs, of which 100 s have passed.
TEST(Actor, gives_a_restarted_job_what_is_left_in_gpu_time) {
    struct Case {
        const char* name;
        std::uint32_t to;
        void (*prepare)(Play& play);
        std::uint32_t gpus;
        double limit;
        std::string comment;
    };
    const auto nothing = [](Play&) {};
    const Case cases[] = {
        {"on more than its request it is what is left", 4, nothing, 4, 540, "hora-limit=500:540"},
        {"on half of it twice that", 1, nothing, 1, 1020, "hora-limit=500:1020"},
        {"at most what the partition allows, and more is its own", 1,
         [](Play& play) { play.limit_rule.longest = Seconds(900); }, 1, 900, "hora-limit=500:900"},
        {"a limit that would stay becomes a minute shorter", 1,
         [](Play& play) { play.limit_rule.longest = Seconds(600); }, 1, 540, "hora-limit=500:540"},
        {"what was its own before counts", 4,
         [](Play& play) { play.slurm.job().admin_comment = "hora-limit=1000:600"; }, 4, 900,
         "hora-limit=900:900"},
        {"unless somebody has set another limit since", 4,
         [](Play& play) { play.slurm.job().admin_comment = "hora-limit=1000:660"; }, 4, 540,
         "hora-limit=500:540"},
        {"where Slurm has none that is longer it keeps its size", 1,
         [](Play& play) { play.slurm.refuses_limits_above = Seconds(600); }, 2, 540,
         "hora-limit=500:540"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Play play;
        limit(play);
        play.limit_rule.stated_for = 2;
        each.prepare(play);
        ASSERT_TRUE(play.ask(each.to));
        play.live(20);
        expect_clean(play);
        EXPECT_EQ(play.slurm.job().gpus, each.gpus) << play.log;
        EXPECT_EQ(play.slurm.job().time_limit, Seconds(each.limit));
        EXPECT_EQ(play.slurm.job().admin_comment, each.comment);
    }
}

TEST(Actor, sets_the_limit_anew_where_a_job_goes_back_to_its_old_size) {
    Play play;
    limit(play);
    play.limit_rule.stated_for = 2;
    play.slurm.refuses_to_start = "Resources";
    ASSERT_TRUE(play.ask(1));
    play.live(20);
    EXPECT_EQ(play.slurm.job().time_limit, Seconds(1020)) << play.log;
    play.live(60);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 2U) << play.log;
    EXPECT_EQ(play.slurm.job().time_limit, Seconds(540));
}

TEST(Actor, sets_a_limit_in_gpu_time_over_that_of_the_program_beside_the_job) {
    Play play;
    limit(play);
    play.limit_rule.stated_for = 2;
    ASSERT_TRUE(play.ask(1));
    // horad is away while it requeues the job and lowers its limit.
    for (int i = 0; i < 100 && play.slurm.job().state == slurm::JobState::running; ++i) {
        play.live(0.05);
    }
    play.slurm.job().time_limit = Seconds(480);
    play.live(20);
    EXPECT_EQ(play.slurm.job().time_limit, Seconds(1020)) << play.log;
}

TEST(Actor, sets_a_limit_in_gpu_time_once_wherever_horad_is_killed) {
    for (int call = 0; call < 60; ++call) {
        SCOPED_TRACE(call);
        Play play;
        limit(play);
        play.limit_rule.stated_for = 2;
        ASSERT_TRUE(play.ask(1));
        play.slurm.killed_at = play.slurm.calls + call;
        play.live(300);
        expect_clean(play);
        // Killed before the job was asked for a checkpoint, it has not restarted.
        const bool is_smaller = play.slurm.job().gpus == 1;
        EXPECT_EQ(play.slurm.job().time_limit, Seconds(is_smaller ? 1020 : 600)) << play.log;
        EXPECT_EQ(is_smaller, play.slurm.job().restarts == 1);
    }
}

TEST(Actor, takes_what_it_has_run_off_the_time_limit_that_it_had_at_last) {
    Play play;
    limit(play);
    ASSERT_TRUE(play.ask(4));
    play.live(0.1);
    play.slurm.job().time_limit = Seconds(1200);
    play.live(20);
    EXPECT_EQ(play.slurm.job().time_limit, Seconds(1140)) << play.log;
}

TEST(Actor, leaves_a_time_limit_that_is_changed_while_it_writes_its_journal) {
    Play play;
    limit(play);
    ASSERT_TRUE(play.ask(4));
    play.journal.meanwhile = [&](const ResizeEntry& entry) {
        if (entry.state == ResizeState::updating_request && entry.tries == 1) {
            play.slurm.job().time_limit = Seconds(720);
        }
    };
    play.live(20);
    EXPECT_EQ(play.slurm.job().time_limit, Seconds(720));
    EXPECT_EQ(play.slurm.job().gpus, 4U);
}

TEST(Actor, leaves_a_time_limit_that_is_changed_between_its_look_and_its_change) {
    Play play;
    limit(play);
    play.slurm.sets_limit_meanwhile = Seconds(720);
    ASSERT_TRUE(play.ask(4));
    play.live(30);
    expect_clean(play);
    EXPECT_EQ(play.slurm.sets_limit_meanwhile, std::nullopt);
    EXPECT_EQ(play.slurm.job().time_limit, Seconds(720));
}

TEST(Actor, leaves_a_begin_that_is_set_while_it_writes_its_journal_or_right_before_its_change) {
    for (const bool is_while_writing : {true, false}) {
        Play play;
        const std::int64_t begins = play.slurm.clock() + 5000;
        if (is_while_writing) {
            play.journal.meanwhile = [&](const ResizeEntry& entry) {
                if (entry.begins != 0 && entry.state == ResizeState::waiting_to_start) {
                    play.slurm.job().eligible = begins;
                }
            };
        } else {
            play.slurm.sets_begin_meanwhile = begins;
        }
        ASSERT_TRUE(play.ask(4));
        play.live(30);
        EXPECT_EQ(play.slurm.sets_begin_meanwhile, std::nullopt);
        EXPECT_EQ(play.slurm.job().eligible, begins) << play.log;
        EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
        ASSERT_EQ(play.history.list.size(), 1U) << play.log;
        EXPECT_EQ(play.history.list.front().ending, Ending::changed);
    }
}

TEST(Actor, leaves_a_start_enough_to_write_a_checkpoint) {
    Play play;
    limit(play);
    play.slurm.job().began = play.slurm.clock() - 595;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    EXPECT_EQ(play.slurm.job().time_limit, slurm::least_limit);
}

TEST(Actor, finds_a_time_limit_lowered_by_the_program_beside_the_job) {
    Play play;
    limit(play);
    ASSERT_TRUE(play.ask(4));
    while (play.slurm.job().state == slurm::JobState::running) {
        play.live(tick);
    }
    play.start();
    play.slurm.job().time_limit = Seconds(480);
    play.live(20);
    EXPECT_EQ(play.slurm.job().time_limit, Seconds(480));
}

TEST(Actor, killed_anywhere_it_lowers_a_time_limit_once_a_start) {
    for (int call = 0; call < 200; ++call) {
        Play play;
        limit(play);
        ASSERT_TRUE(play.ask(4));
        play.slurm.killed_at = play.slurm.calls + call;
        play.live(200);
        // A signal that was lost is not sent again: then the job has simply run on.
        const Seconds wanted(play.slurm.job().restarts == 0 ? 600 : 540);
        EXPECT_EQ(play.slurm.job().time_limit, wanted) << call << "\n" << play.log;
        EXPECT_LE(play.slurm.job().restarts, 1U);
    }
}

TEST(Actor, grows_a_running_job) {
    Play play;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 4U);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
    ASSERT_EQ(play.history.list.size(), 1U);
    const Resized& resized = play.history.list.front();
    EXPECT_EQ(resized.ending, Ending::done);
    EXPECT_LT(resized.entry.asked, resized.entry.ready);
    EXPECT_LT(resized.entry.ready, resized.entry.runs);
    EXPECT_LT(resized.entry.runs, resized.first_step);
    EXPECT_LT(resized.first_step - resized.entry.ready, 3.0);
}

TEST(Actor, grows_a_running_job_with_another_batch) {
    Play play;
    play.slurm.job().admin_comment = "mine";
    play.batch = 512;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 4U);
    EXPECT_EQ(play.slurm.job().admin_comment, "mine hora-batch=512");
    EXPECT_EQ(play.history.list.front().ending, Ending::done);
}

TEST(Actor, restarts_a_job_for_another_batch_alone) {
    Play play;
    play.batch = 512;
    ASSERT_TRUE(play.ask(2));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().restarts, 1U);
    EXPECT_EQ(play.slurm.job().gpus, 2U);
    EXPECT_EQ(play.slurm.job().admin_comment, "hora-batch=512");
    EXPECT_EQ(play.history.list.front().ending, Ending::done);
    EXPECT_FALSE(play.ask(2)) << "it has that";
}

TEST(Actor, takes_a_batch_back_that_does_not_start) {
    Play play;
    play.batch = 512;
    play.slurm.job().admin_comment = "hora-batch=64";
    ASSERT_TRUE(play.ask(4));
    play.slurm.free_gpus = 1;
    play.live(50);
    EXPECT_EQ(play.slurm.job().asked_gpus, 2U);
    EXPECT_EQ(slurm::batch_word(play.slurm.job().admin_comment), 64U) << play.log;
    play.live(30);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 1U);
    EXPECT_EQ(play.slurm.job().admin_comment, "") << play.log;
}

TEST(Actor, killed_anywhere_it_starts_no_size_with_a_batch_of_another) {
    for (int call = 0; call < 200; ++call) {
        Play play;
        play.batch = 512;
        ASSERT_TRUE(play.ask(4));
        play.slurm.killed_at = play.slurm.calls + call;
        play.live(200);
        const bool has_grown = play.slurm.job().gpus == 4;
        EXPECT_EQ(play.slurm.job().admin_comment, has_grown ? "hora-batch=512" : "") << call << "\n"
                                                                                     << play.log;
    }
}

TEST(Actor, suspends_a_job_which_comes_back_by_itself) {
    Play play;
    limit(play);
    play.limit_rule.stated_for = 2;
    ASSERT_TRUE(play.ask(0));
    play.live(20);
    EXPECT_EQ(play.slurm.job().state, slurm::JobState::pending);
    EXPECT_FALSE(has_our_priority(play));
    EXPECT_EQ(play.journal.entries.size(), 1U) << "horad does not let it begin sooner";
    EXPECT_FALSE(play.actor->is_busy());
    EXPECT_EQ(play.slurm.job().shape, shape_with(2));
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
    EXPECT_EQ(play.slurm.job().time_limit, Seconds(540)) << "499 s, in Slurm's whole minutes";
    play.live(130);
    expect_clean(play);
    ASSERT_EQ(play.history.list.size(), 1U);
    EXPECT_EQ(play.history.list.front().ending, Ending::suspended) << play.log;
    EXPECT_GT(play.history.list.front().entry.ready, 0);
    EXPECT_EQ(play.slurm.job().state, slurm::JobState::running);
    EXPECT_EQ(play.slurm.job().gpus, 2U);
}

TEST(Actor, suspends_no_job_that_its_owner_or_its_program_keeps) {
    struct Case {
        const char* name;
        void (*happen)(Play& play);
        Ending ending;
    };
    const Case cases[] = {
        {"it does not answer", [](Play& play) { play.slurm.ignores_signals = true; },
         Ending::no_checkpoint},
        {"its owner holds it",
         [](Play& play) {
             play.live(0.5);
             play.slurm.user_holds();
         },
         Ending::held},
        {"its owner cancels it", [](Play& play) { play.slurm.user_cancels(); }, Ending::ended},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Play play;
        ASSERT_TRUE(play.ask(0));
        each.happen(play);
        play.live(200);
        expect_clean(play);
        ASSERT_EQ(play.history.list.size(), 1U);
        EXPECT_EQ(play.history.list.front().ending, each.ending) << play.log;
    }
}

TEST(Actor, moves_a_job_to_fewer_nodes) {
    Play play;
    play.slurm.spread();
    ASSERT_TRUE(play.ask(2));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().restarts, 1U);
    EXPECT_EQ(play.slurm.job().shape, shape_with(2)) << "on one node";
    ASSERT_EQ(play.history.list.size(), 1U);
    EXPECT_EQ(play.history.list.front().ending, Ending::done);
}

TEST(Actor, restarts_no_job_on_as_many_nodes) {
    Play play;
    const auto refused = play.ask(2);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "job 7 cannot be moved: no fewer nodes give its GPUs now");
    EXPECT_TRUE(play.journal.entries.empty());
}

TEST(Actor, goes_back_to_its_nodes_when_it_does_not_start_on_fewer) {
    Play play;
    play.slurm.spread();
    play.slurm.refuses_to_start = "Licenses";
    ASSERT_TRUE(play.ask(2));
    play.live(60);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().shape.nodes, 2U);
    ASSERT_EQ(play.history.list.size(), 1U);
    EXPECT_EQ(play.history.list.front().ending, Ending::other_size);
    EXPECT_EQ(play.history.list.front().remark,
              "restarted as it was: on fewer nodes it cannot be scheduled (Licenses)");
    EXPECT_FALSE(found_limit(play)) << "its size is possible";
}

TEST(Actor, keeps_the_gpus_of_a_job_that_restarts_from_what_waits) {
    struct Case {
        const char* name;
        std::function<void(Play&)> prepare;
        bool is_kept;
    };
    const Case cases[] = {
        {"by a reservation", [](Play&) {}, true},
        {"which the site does not want",
         [](Play& play) { play.actor->set_limits({.reserves_nodes = false}); }, false},
        {"which Slurm refuses", [](Play& play) { play.slurm.refuses_reservations = true; }, false},
        {"in one of its owner's", [](Play& play) { play.slurm.job().reservation = "course"; },
         false},
    };
    for (const Case& each : cases) {
        for (const std::uint32_t to : {1U, 4U}) {
            SCOPED_TRACE(fmt::format("{}, to {} GPUs", each.name, to));
            Play play;
            play.slurm.others_wait = true;
            each.prepare(play);
            ASSERT_TRUE(play.ask(to));
            play.live(20);
            EXPECT_EQ(play.slurm.job().state == slurm::JobState::running, each.is_kept);
            EXPECT_EQ(play.slurm.reservations, each.is_kept ? 1 : 0);
            play.live(300);
            EXPECT_EQ(play.slurm.job().gpus, each.is_kept ? to : 1);
            expect_clean(play);
        }
    }
}

TEST(Actor, reserves_nothing_for_a_job_that_is_suspended_or_has_not_started) {
    Play suspended;
    ASSERT_TRUE(suspended.ask(0));
    suspended.live(300);
    EXPECT_EQ(suspended.slurm.reservations, 0);
    Play waits;
    waits.slurm.waits();
    ASSERT_TRUE(waits.ask(4));
    waits.live(20);
    EXPECT_EQ(waits.slurm.reservations, 0);
}

TEST(Actor, says_once_that_slurm_reserves_no_nodes) {
    Play play;
    play.slurm.refuses_reservations = true;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    const std::string line = "no nodes are reserved for jobs that restart: Access/permission";
    const auto found = play.log.find(line);
    ASSERT_NE(found, std::string::npos) << play.log;
    EXPECT_EQ(play.log.find(line, found + 1), std::string::npos) << play.log;
    EXPECT_EQ(play.slurm.job().gpus, 4U);
}

// And takes the job out of it, of which it has no entry.
TEST(Actor, ends_a_reservation_that_an_earlier_daemon_left) {
    Play play;
    play.slurm.reserve({.nodes = "n1", .users = {1000}, .until = play.slurm.clock() + 1000});
    play.slurm.job().is_in_restart_reservation = true;
    play.live(10);
    expect_clean(play);
}

TEST(Actor, signals_only_after_the_first_progress) {
    Play play;
    play.listener.is_silent = true;
    ASSERT_TRUE(play.ask(4));
    play.live(30);
    EXPECT_EQ(play.slurm.signals, 0);
    play.listener.is_silent = false;
    play.live(20);
    EXPECT_EQ(play.slurm.job().gpus, 4U);
    expect_clean(play);
}

TEST(Actor, lets_a_job_run_on_that_does_not_answer) {
    for (const bool is_silent : {true, false}) {
        Play play;
        play.listener.is_silent = is_silent;
        play.slurm.ignores_signals = true;
        ASSERT_TRUE(play.ask(4));
        play.live(300);
        expect_clean(play);
        EXPECT_EQ(play.slurm.job().gpus, 2U);
        ASSERT_EQ(play.history.list.size(), 1U);
        EXPECT_EQ(play.history.list.front().ending, Ending::no_checkpoint);
    }
}

TEST(Actor, resizes_a_job_that_waits_in_one_change) {
    Play play;
    play.slurm.free_gpus = 0;
    play.slurm.waits();
    ASSERT_TRUE(play.ask(1));
    play.live(2);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().shape, shape_with(1));
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
    EXPECT_EQ(play.slurm.signals, 0);
}

TEST(Actor, knows_the_size_of_a_job_that_starts_when_a_part_is_taken) {
    struct Case {
        const char* name;
        std::uint32_t free;
        Ending ending;
    };
    const Case cases[] = {{"it starts at its new size", 1, Ending::pending},
                          {"it starts at its old size before", 2, Ending::refused}};
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        Play play;
        play.slurm.free_gpus = one.free;
        play.slurm.refuses_cpus_of = 1;
        play.slurm.waits();
        ASSERT_TRUE(play.ask(1));
        if (one.free == 2) {
            play.slurm.advance(0.1);
        }
        play.live(2);
        EXPECT_TRUE(play.journal.entries.empty());
        EXPECT_EQ(play.slurm.job().gpus, one.free);
        ASSERT_EQ(play.history.list.size(), 1U);
        EXPECT_EQ(play.history.list.front().ending, one.ending);
    }
}

// Whatever keeps it from starting: it never waits for more than it had.
TEST(Actor, goes_back_to_what_it_had_when_the_new_size_does_not_start) {
    struct Case {
        const char* reason;
        bool is_learnt;  // and not tried again for a while
    };
    const Case cases[] = {
        {"QOSMaxCpuPerUserLimit", true},
        {"QOSGrpNodeLimit", true},
        {"AssocMaxCpuPerJobLimit", true},
        {"AssocGrpGRES", true},
        {"PartitionNodeLimit", true},
        {"PartitionTimeLimit", true},
        {"Reservation", true},
        {"Licenses", true},
        {"Dependency", true},
        {"BadConstraints", true},
        {"ReqNodeNotAvail", true},
        {"another limit, see squeue", true},
        {"Priority", false},
        {"Resources", false},
        {"None", false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.reason);
        Play play;
        play.slurm.refuses_to_start = each.reason;
        ASSERT_TRUE(play.ask(4));
        play.live(20);
        EXPECT_EQ(play.slurm.job().state, slurm::JobState::pending);
        EXPECT_EQ(play.slurm.job().asked_gpus, 4U);
        play.live(40);
        expect_clean(play);
        EXPECT_EQ(play.slurm.job().gpus, 2U);
        EXPECT_EQ(play.slurm.job().restarts, 1U);
        EXPECT_EQ(play.history.list.front().ending, Ending::other_size);
        EXPECT_EQ(
            play.history.list.front().remark,
            fmt::format("reverted to 2 GPUs: with 4 it cannot be scheduled ({})", each.reason));
        EXPECT_EQ(found_limit(play).has_value(), each.is_learnt);
    }
}

TEST(Actor, goes_back_also_where_it_was_to_shrink) {
    Play play;
    play.slurm.refuses_to_start = "Licenses";
    ASSERT_TRUE(play.ask(1));
    play.live(60);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 2U);
}

TEST(Actor, falls_back_to_the_least_when_its_gpus_are_taken) {
    Play play;
    ASSERT_TRUE(play.ask(4));
    play.slurm.free_gpus = 1;
    play.live(20);
    EXPECT_EQ(play.slurm.job().state, slurm::JobState::pending);
    play.live(30);
    EXPECT_EQ(play.slurm.job().asked_gpus, 2U) << "what it had comes first";
    play.live(30);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 1U);
    EXPECT_EQ(play.history.list.front().ending, Ending::other_size);
    EXPECT_EQ(found_limit(play), std::nullopt);
}

TEST(Actor, waits_at_the_head_of_the_queue_as_long_as_it_takes) {
    Play play;
    ASSERT_TRUE(play.ask(4));
    play.slurm.free_gpus = 0;
    play.live(600);
    EXPECT_EQ(play.slurm.job().priority, play.slurm.highest + 1);
    EXPECT_FALSE(play.actor->is_busy());
    play.slurm.free_gpus = 4;
    play.live(20);
    expect_clean(play);
}

TEST(Actor, is_busy_for_a_minute_with_a_job_that_waits_to_start) {
    Play play;
    play.limits.fallback = Seconds(3600);
    play.start();
    ASSERT_TRUE(play.ask(4));
    play.slurm.free_gpus = 0;
    play.live(30);
    ASSERT_EQ(play.actor->under_way().front().state, ResizeState::waiting_to_start);
    EXPECT_TRUE(play.actor->is_busy());
    play.live(60);
    ASSERT_EQ(play.actor->under_way().front().state, ResizeState::waiting_to_start);
    ASSERT_FALSE(play.actor->under_way().front().has_fallen_back);
    EXPECT_FALSE(play.actor->is_busy());
    play.slurm.free_gpus = 4;
    play.live(20);
    expect_clean(play);
}

TEST(Actor, keeps_nothing_at_the_head_of_the_queue_for_ever) {
    Play play;
    ASSERT_TRUE(play.ask(4));
    play.slurm.free_gpus = 0;
    play.live(3700);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().state, slurm::JobState::pending);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
}

TEST(Actor, keeps_nothing_at_the_head_of_the_queue_for_ever_however_often_it_is_started) {
    Play play;
    ASSERT_TRUE(play.ask(4));
    play.slurm.free_gpus = 0;
    for (int hour = 0; hour < 3; ++hour) {
        play.live(1800);
        play.start();
        play.live(1800);
        play.start();
    }
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
}

TEST(Actor, raises_a_priority_above_what_waits_and_no_higher) {
    struct Case {
        const char* name;
        std::uint32_t highest;
        std::uint32_t wanted;
    };
    const Case cases[] = {
        {"nothing waits", 0, FakeSlurm::own_priority},
        {"what waits counts for less", 999, FakeSlurm::own_priority},
        {"another has the same", 1000, 1001},
        {"another counts for more", 7000, 7001},
        {"another has the highest of all", slurm::top_priority, slurm::top_priority},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Play play;
        play.slurm.free_gpus = 0;
        play.slurm.highest = each.highest;
        ASSERT_TRUE(play.ask(4));
        play.live(10);
        EXPECT_EQ(play.slurm.job().priority, each.wanted) << play.log;
        play.slurm.free_gpus = 8;
        play.live(20);
        EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority) << play.log;
        EXPECT_EQ(find_raised(play.slurm.job().admin_comment), std::nullopt);
    }
}

TEST(Actor, raises_no_priority_that_its_owner_could_give_to_another_job) {
    for (const bool computes : {false, true}) {
        SCOPED_TRACE(computes);
        Play play;
        play.slurm.computes = computes;
        play.slurm.owners_swap = true;
        play.slurm.free_gpus = 0;
        ASSERT_TRUE(play.ask(4));
        play.live(10);
        EXPECT_FALSE(has_our_priority(play)) << play.log;
        play.slurm.free_gpus = 8;
        play.live(20);
        expect_clean(play);
        EXPECT_EQ(play.slurm.job().gpus, 4U);
    }
}

// In the window in which it waits with a priority of Hora's.
TEST(Actor, leaves_what_its_owner_changes_and_gives_back_its_priority_first) {
    struct Case {
        const char* name;
        std::function<void(slurm::Job&)> change;
    };
    const Case cases[] = {
        {"GPUs", [](auto& job) { job.shape.tres_per_node = "gres:gpu:3"; }},
        {"tasks", [](auto& job) { job.shape.tasks = 16; }},
        {"nodes", [](auto& job) { job.max_nodes = 4; }},
        {"a dependency and all else", [](auto& job) { job.rest_of_request = "afterany:8"; }},
        {"its begin", [](auto& job) { job.eligible += 5000; }},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Play play;
        play.slurm.free_gpus = 0;
        ASSERT_TRUE(play.ask(4));
        play.live(3);
        ASSERT_TRUE(has_our_priority(play)) << play.log;
        each.change(play.slurm.job());
        const slurm::Job changed = play.slurm.job();
        play.live(1);
        expect_clean(play);
        EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
        EXPECT_EQ(play.slurm.job().shape, changed.shape);
        EXPECT_EQ(play.slurm.job().eligible, changed.eligible);
        ASSERT_EQ(play.history.list.size(), 1U);
        EXPECT_EQ(play.history.list.front().ending, Ending::changed);
    }
}

TEST(Actor, a_job_that_was_cancelled_and_requeued_has_its_own_priority) {
    Play play;
    play.slurm.free_gpus = 0;
    ASSERT_TRUE(play.ask(4));
    play.live(3);
    play.slurm.user_cancels();
    play.live(1);
    EXPECT_TRUE(play.journal.entries.empty());
    EXPECT_TRUE(has_our_priority(play)) << "slurmctld changes none of a job that is over";
    play.slurm.job().state = slurm::JobState::pending;
    play.slurm.user_cancels_and_requeues();
    play.live(0.2);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
}

TEST(Actor, a_lost_journal_costs_no_job_its_own_priority) {
    for (const std::uint32_t now : {5001U, 0U, 42U}) {
        Play play;
        play.slurm.free_gpus = 0;
        ASSERT_TRUE(play.ask(4));
        play.live(3);
        ASSERT_TRUE(has_our_priority(play));
        play.journal.entries.clear();
        play.slurm.job().priority = now;
        play.start();
        play.live(0.2);
        EXPECT_FALSE(has_our_priority(play));
        EXPECT_EQ(play.slurm.job().priority, now == 5001 ? FakeSlurm::own_priority : now)
            << "a hold, and what an operator gives, stay";
    }
}

TEST(Actor, restarts_a_job_at_its_old_size_when_slurm_refuses_the_new_one) {
    Play play;
    play.slurm.refuses_sizes = true;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 2U);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
}

TEST(Actor, goes_back_to_the_old_size_when_slurm_finds_the_new_one_impossible) {
    Play play;
    play.slurm.finds_sizes_impossible = true;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 2U);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
    EXPECT_EQ(found_limit(play), 3U);
}

TEST(Actor, begins_nothing_where_slurmctld_does_not_say_its_start) {
    Play play;
    play.slurm.says_no_start = true;
    const auto asked = play.ask(4);
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().message, "slurmctld does not say since when it runs");
    EXPECT_TRUE(play.journal.entries.empty());
    play.slurm.says_no_start = false;
    EXPECT_TRUE(play.ask(4));
}

TEST(Actor, begins_nothing_without_a_journal) {
    Play play;
    play.journal.is_full = true;
    EXPECT_FALSE(play.ask(4));
    EXPECT_FALSE(play.actor->is_resizing(7));
}

TEST(Actor, goes_on_when_the_disk_of_the_journal_is_free_again) {
    Play play;
    ASSERT_TRUE(play.ask(4));
    play.live(0.2);
    play.journal.is_full = true;
    play.live(20);
    EXPECT_EQ(play.slurm.job().state, slurm::JobState::pending);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
    play.journal.is_full = false;
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 4U);
}

TEST(Actor, gives_a_priority_back_on_a_full_disk) {
    Play play;
    ASSERT_TRUE(play.ask(4));
    for (int i = 0; i < 1000 && play.slurm.job().priority == FakeSlurm::own_priority; ++i) {
        play.live(tick);
    }
    ASSERT_NE(play.slurm.job().priority, FakeSlurm::own_priority);
    play.journal.is_full = true;
    play.live(200);  // Slurm itself starts it two minutes after the requeue
    EXPECT_EQ(play.slurm.job().state, slurm::JobState::running);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority) << play.log;
    play.journal.is_full = false;
    play.live(20);
    expect_clean(play);
}

// It would be asked to go back to its old size, which needs the journal.
TEST(Actor, keeps_nothing_at_the_head_of_the_queue_on_a_full_disk) {
    Play play;
    play.slurm.free_gpus = 0;
    ASSERT_TRUE(play.ask(4));
    play.live(3);
    ASSERT_TRUE(has_our_priority(play)) << play.log;
    play.journal.is_full = true;
    play.live(60);
    EXPECT_EQ(play.slurm.job().state, slurm::JobState::pending);
    EXPECT_FALSE(has_our_priority(play)) << play.log;
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
    EXPECT_EQ(play.slurm.job().admin_comment, "");
    EXPECT_NE(play.log.find("job 7: has its own priority back; the journal cannot be written"),
              std::string::npos)
        << play.log;
    play.journal.is_full = false;
    play.slurm.free_gpus = 2;
    play.live(60);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 2U);
}

// slurmctld lists all jobs in each round of a busy daemon.
TEST(Actor, is_not_busy_with_what_a_full_disk_holds_up) {
    struct Case {
        const char* name;
        std::function<void(Play&)> happens;
    };
    const Case cases[] = {
        {"an end that cannot be written down", [](Play& play) { play.slurm.user_cancels(); }},
        {"a state that cannot be written down", [](Play&) {}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Play play;
        ASSERT_TRUE(play.ask(4));
        play.live(0.2);
        ASSERT_TRUE(play.actor->is_busy());
        play.journal.is_full = true;
        each.happens(play);
        play.live(2);
        EXPECT_FALSE(play.actor->is_busy());
        EXPECT_TRUE(play.actor->is_open());
        play.journal.is_full = false;
        play.live(20);
        expect_clean(play);
        EXPECT_FALSE(play.actor->is_open());
    }
}

TEST(Actor, is_not_busy_with_a_pending_change_that_a_full_disk_holds_up) {
    Play play;
    play.slurm.waits();
    play.slurm.free_gpus = 0;
    ASSERT_TRUE(play.ask(4));
    play.of_pending.is_full = true;
    play.live(2);
    EXPECT_FALSE(play.actor->is_busy());
    play.of_pending.is_full = false;
    play.live(tick);
    EXPECT_EQ(play.slurm.job().asked_gpus, 4U) << play.log;
}

// What a restart took is measured by a clock that nobody sets.
TEST(Actor, is_not_held_up_by_a_clock_that_is_set) {
    for (const double step : {3600.0, -3600.0}) {
        for (const bool is_of_host : {true, false}) {
            Play play;
            ASSERT_TRUE(play.ask(4));
            play.live(0.5);
            ASSERT_NE(play.slurm.job().state, slurm::JobState::running);
            if (is_of_host) {
                play.set_clocks(step);
            } else {
                play.clock_is_off = step;
            }
            // A node refuses until it has forgotten an end that seems to be to come.
            play.live(is_of_host && step < 0 ? 130 : 20);
            expect_clean(play);
            EXPECT_EQ(play.slurm.job().gpus, 4U) << step << play.log;
            ASSERT_EQ(play.history.list.size(), 1U);
            const Resized& resized = play.history.list.front();
            EXPECT_EQ(resized.ending, Ending::done) << play.log;
            EXPECT_GT(resized.first_step - resized.entry.ready, 0.5);
            EXPECT_LT(resized.first_step - resized.entry.ready, 130);
        }
    }
}

// It has waited for seconds, whatever clocks say.
TEST(Actor, gives_up_no_job_for_a_clock_that_is_set_ahead) {
    for (const bool is_restarted : {false, true}) {
        SCOPED_TRACE(is_restarted);
        Play play;
        play.slurm.free_gpus = 0;
        ASSERT_TRUE(play.ask(4));
        play.live(5);
        if (is_restarted) {
            play.start();
        }
        play.set_clocks(10'000);
        play.live(20);
        EXPECT_EQ(play.journal.entries.size(), 1U) << play.log;
        play.slurm.free_gpus = 4;
        play.live(20);
        expect_clean(play);
    }
}

// Its last run may be cleaned up by a clock that nobody sees any more.
TEST(Actor, begins_no_run_in_the_second_of_the_last_though_slurmctld_was_away_since) {
    for (double away = 0.1; away < 3; away += 0.3) {
        for (const double step : {-1.0, -2.0, -5.0, -60.0}) {
            Play play;
            ASSERT_TRUE(play.ask(4));
            play.live(0.3);
            play.slurm.is_away = true;
            play.live(away);
            play.set_clocks(step);
            play.slurm.is_away = false;
            play.live(200);
            expect_clean(play);
            EXPECT_EQ(play.slurm.job().gpus, 4U) << away << ", " << step << play.log;
        }
    }
}

// By the clock of a slurmctld that was just restarted it may have run for an hour.
TEST(Actor, lets_nodes_tell_of_their_gpus_also_where_the_clock_is_set_ahead) {
    for (double when = 0.1; when < 1.5; when += 0.1) {
        Play play;
        ASSERT_TRUE(play.ask(4));
        play.live(when);
        play.slurm.restart();
        play.set_clocks(3600);
        play.live(200);
        expect_clean(play);
        EXPECT_EQ(play.slurm.job().gpus, 4U) << when << play.log;
    }
}

// It runs nothing of the job when it registers, and slurmctld lets the job go; the message that
// ends the run comes when the next one may have begun.
TEST(Actor, lets_a_slurmd_that_was_restarted_hear_of_the_end) {
    for (double when = 0.1; when < 2; when += 0.1) {
        Play play;
        ASSERT_TRUE(play.ask(4));
        play.live(when);
        if (!play.slurm.job().is_completing) {
            continue;  // it is to be told of nothing yet, or of nothing more
        }
        play.slurm.restart_slurmd();
        play.live(100);
        expect_clean(play);
        EXPECT_EQ(play.slurm.job().state, slurm::JobState::running) << when << play.log;
        EXPECT_EQ(play.slurm.job().gpus, 4U) << when << play.log;
        EXPECT_EQ(play.slurm.asked_nodes, "n1");
    }
}

// What it has seen to run is looked after by what was noted of its start (forgotten_starts.hpp).
TEST(Actor, lets_a_node_end_a_start_that_slurmctld_has_forgotten_before_it_was_seen) {
    for (int kills = 1; kills <= 2; ++kills) {
        SCOPED_TRACE(kills);
        Play play;
        ASSERT_TRUE(play.ask(4));
        play.live(3 * tick);
        for (int kill = 0; kill < kills; ++kill) {
            while (play.slurm.job().state != slurm::JobState::running) {
                play.live(tick);
            }
            play.slurm.forget_start();
        }
        play.live(100);
        EXPECT_FALSE(play.slurm.has_been_refused) << play.log;
        EXPECT_EQ(play.slurm.job().gpus, 4U) << play.log;
        expect_clean(play);
    }
}

TEST(Actor, lets_slurm_compute_a_priority_that_it_computed_before) {
    Play play;
    play.slurm.computes = true;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority + 1);
}

// What a job is to have again where slurmctld computes priorities.
struct OwnPriority {
    const char* name;
    bool is_set;  // by an operator
    std::uint32_t priority;
    std::int64_t nice;
};

constexpr OwnPriority own_priorities[] = {
    {"an operator's", true, 777, 0},
    {"the last place, by an operator", true, 1, 0},
    {"computed", false, FakeSlurm::own_priority, 0},
    {"computed, with a nice value", false, FakeSlurm::own_priority, 300},
    {"computed, with a nice value of an operator's", false, FakeSlurm::own_priority, -1},
};

void set_own(Play& play, const OwnPriority& own) {
    play.slurm.computes = true;
    play.slurm.is_set = own.is_set;
    play.slurm.job().priority = own.priority;
    play.slurm.job().nice = own.nice;
}

void expect_own(const Play& play, const OwnPriority& own) {
    const slurm::Job& job = play.slurm.job();
    EXPECT_EQ(play.slurm.is_set, own.is_set) << play.log;
    EXPECT_EQ(job.nice, own.nice) << play.log;
    // The fake one computes another one each time, as age makes it.
    EXPECT_TRUE(job.priority == own.priority || (!own.is_set && job.priority == own.priority + 1))
        << job.priority << "\n"
        << play.log;
    EXPECT_EQ(job.admin_comment, "");
}

TEST(Actor, gives_back_what_an_operator_set_where_slurm_computes_priorities) {
    for (const OwnPriority& own : own_priorities) {
        SCOPED_TRACE(own.name);
        Play play;
        set_own(play, own);
        play.slurm.free_gpus = 0;
        ASSERT_TRUE(play.ask(4));
        play.live(10);
        EXPECT_EQ(play.slurm.job().priority, play.slurm.highest + 1) << play.log;
        play.slurm.free_gpus = 8;
        play.live(20);
        expect_clean(play);
        expect_own(play, own);
        EXPECT_EQ(play.slurm.job().gpus, 4U);
    }
}

TEST(Actor, gives_back_what_an_operator_set_though_slurm_finds_the_size_impossible) {
    for (const OwnPriority& own : own_priorities) {
        SCOPED_TRACE(own.name);
        Play play;
        set_own(play, own);
        play.slurm.finds_sizes_impossible = true;
        ASSERT_TRUE(play.ask(4));
        play.live(20);
        expect_clean(play);
        expect_own(play, own);
    }
}

TEST(Actor, killed_anywhere_it_gives_back_what_an_operator_set) {
    for (const OwnPriority& own : own_priorities) {
        for (int call = 0; call < 120; ++call) {
            SCOPED_TRACE(fmt::format("{}, call {}", own.name, call));
            Play play;
            set_own(play, own);
            ASSERT_TRUE(play.ask(4));
            play.slurm.killed_at = play.slurm.calls + call;
            play.live(200);
            expect_clean(play);
            expect_own(play, own);
        }
    }
}

// Whatever it was doing, also with the journal lost.
TEST(Actor, a_job_that_is_cancelled_at_any_time_has_again_what_an_operator_set) {
    for (const OwnPriority& own : own_priorities) {
        for (const bool is_lost : {false, true}) {
            for (int call = 0; call < 60; ++call) {
                SCOPED_TRACE(fmt::format("{}, call {}", own.name, call));
                Play play;
                set_own(play, own);
                ASSERT_TRUE(play.ask(4));
                play.slurm.free_gpus = 0;
                play.slurm.meanwhile_at = play.slurm.calls + call;
                play.slurm.meanwhile = [&] { play.slurm.user_cancels(); };
                play.live(30);
                if (is_lost) {
                    play.journal.entries.clear();
                    play.start();
                }
                play.slurm.job().state = slurm::JobState::pending;
                play.slurm.user_cancels_and_requeues();
                play.live(10);
                expect_clean(play);
                expect_own(play, own);
            }
        }
    }
}

TEST(Actor, a_disk_that_is_full_at_any_time_costs_no_job_what_an_operator_set) {
    for (const OwnPriority& own : own_priorities) {
        for (int call = 0; call < 60; ++call) {
            SCOPED_TRACE(fmt::format("{}, call {}", own.name, call));
            Play play;
            set_own(play, own);
            ASSERT_TRUE(play.ask(4));
            play.slurm.meanwhile_at = play.slurm.calls + call;
            play.slurm.meanwhile = [&] { play.journal.is_full = true; };
            play.live(200);
            expect_own(play, own);
            play.journal.is_full = false;
            play.live(60);
            expect_clean(play);
            expect_own(play, own);
        }
    }
}

TEST(Actor, lets_slurm_compute_a_priority_that_it_cannot_ask_about) {
    Play play;
    play.slurm.computes = true;
    play.slurm.refuses_nice = true;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().gpus, 4U);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority + 1);
}

TEST(Actor, changes_no_nice_value_where_nothing_waits) {
    Play play;
    set_own(play, own_priorities[3]);
    play.slurm.refuses_nice = true;
    play.slurm.highest = 0;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().nice, 300);
    EXPECT_EQ(play.slurm.job().priority, FakeSlurm::own_priority);
    EXPECT_EQ(play.log.find("nice"), std::string::npos) << play.log;
}

TEST(Actor, gives_back_a_hold_that_it_overrode) {
    Play play;
    play.slurm.holds_meanwhile = true;
    ASSERT_TRUE(play.ask(4));
    play.live(20);
    expect_clean(play);
    EXPECT_EQ(play.slurm.job().hold, slurm::Hold::user);
    EXPECT_EQ(play.slurm.job().state, slurm::JobState::pending);
    EXPECT_EQ(play.history.list.front().ending, Ending::held);
}

TEST(Actor, killed_anywhere_it_gives_back_a_hold_that_it_overrode) {
    for (int call = 0; call < 60; ++call) {
        SCOPED_TRACE(call);
        Play play;
        play.slurm.holds_meanwhile = true;
        ASSERT_TRUE(play.ask(4));
        play.slurm.killed_at = play.slurm.calls + call;
        play.live(200);
        // A signal that was lost is not sent again: then the job has simply run on.
        if (play.slurm.job().restarts > 0) {
            EXPECT_EQ(play.slurm.job().hold, slurm::Hold::user) << play.log;
        }
        expect_clean(play);
    }
}

TEST(Actor, refuses_what_cannot_be_resized) {
    struct Case {
        const char* name;
        std::function<void(slurm::Job&)> change;
    };
    const Case cases[] = {
        {"an array", [](auto& job) { job.is_array = true; }},
        {"a heterogeneous job", [](auto& job) { job.is_het = true; }},
        {"salloc", [](auto& job) { job.is_batch = false; }},
        {"--no-requeue", [](auto& job) { job.may_requeue = false; }},
        {"one that ended", [](auto& job) { job.state = slurm::JobState::ended; }},
        {"one that is suspended", [](auto& job) { job.state = slurm::JobState::suspended; }},
        {"one that ends just now", [](auto& job) { job.is_completing = true; }},
        {"one that is held",
         [](auto& job) {
             job.state = slurm::JobState::pending;
             job.hold = slurm::Hold::user;
         }},
    };
    for (const Case& one : cases) {
        Play play;
        one.change(play.slurm.job());
        EXPECT_FALSE(play.ask(4)) << one.name;
        EXPECT_TRUE(play.journal.entries.empty()) << one.name;
    }
    Play play;
    ASSERT_TRUE(play.ask(4));
    EXPECT_FALSE(play.ask(3)) << "one that is being resized";
}

// What happens beside the daemon, at some moment.
struct Event {
    const char* name;
    std::function<void(Play&)> happen;
};

const Event events[] = {
    {"nothing", [](Play&) {}},
    {"the owner holds it", [](Play& play) { play.slurm.user_holds(); }},
    {"the owner cancels it", [](Play& play) { play.slurm.user_cancels(); }},
    {"the owner changes its size", [](Play& play) { play.slurm.user_changes(); }},
    {"the owner makes it depend on another job",
     [](Play& play) { play.slurm.user_makes_it_depend(); }},
    {"the owner cancels and requeues it",
     [](Play& play) { play.slurm.user_cancels_and_requeues(); }},
    {"the owner postpones it", [](Play& play) { play.slurm.user_postpones(); }},
    {"it is purged",
     [](Play& play) {
         play.slurm.user_cancels();
         play.slurm.is_gone = true;
     }},
    {"slurmctld goes away", [](Play& play) { play.slurm.is_away = true; }},
    {"slurmctld is restarted", [](Play& play) { play.slurm.restart(); }},
    {"slurmctld forgets its start", [](Play& play) { play.slurm.forget_start(); }},
    {"a node fails",
     [](Play& play) {
         if (play.slurm.job().state == slurm::JobState::running) {
             play.slurm.requeue();
         }
     }},
    {"horad's clock steps ahead", [](Play& play) { play.clock_is_off = 3600; }},
    {"horad's clock steps back", [](Play& play) { play.clock_is_off = -3600; }},
    {"the clock steps ahead", [](Play& play) { play.set_clocks(3600); }},
    {"the clock steps back", [](Play& play) { play.set_clocks(-3600); }},
    {"the clock steps back a little", [](Play& play) { play.set_clocks(-5); }},
    {"the GPUs are taken", [](Play& play) { play.slurm.free_gpus = 1; }},
};

void expect_where_its_owner_put_it(const Play& play) {
    const slurm::Job& job = play.slurm.job();
    if (job.state == slurm::JobState::pending) {
        EXPECT_TRUE(play.slurm.has_been_held || play.slurm.is_postponed) << play.log;
    }
    if (job.state == slurm::JobState::running) {
        EXPECT_GE(job.gpus, 1U);
        EXPECT_LE(job.gpus, 4U);
    }
}

// Killed once at any call, before or after its effect, and any event at any tick, the half seconds
// at every other call. With `to` GPUs; 0: it is suspended.
void lose_nothing(std::uint32_t to) {
    const int calls = to > 0 ? 70 : 20;  // a suspension has few of them
    for (const Event& event : events) {
        for (int killed_at = -1; killed_at < calls; ++killed_at) {
            for (double when = killed_at % 2 == 0 ? 0 : 0.5; when < 5; ++when) {
                SCOPED_TRACE(
                    fmt::format("{} after {} s, killed at call {}", event.name, when, killed_at));
                Play play;
                ASSERT_TRUE(play.ask(to));
                play.slurm.calls = 0;
                play.slurm.killed_at = killed_at;
                play.live(when);
                event.happen(play);
                play.live(20);
                play.slurm.is_away = false;
                play.live(300);
                expect_clean(play);
                if (to > 0) {  // else it waits for its turn
                    expect_where_its_owner_put_it(play);
                }
                if (testing::Test::HasFailure()) {
                    return;
                }
            }
        }
    }
}

TEST(Actor, loses_nothing_whenever_it_dies_and_whatever_happens) {
    lose_nothing(4);
}

TEST(Actor, loses_nothing_of_a_suspended_job_either) {
    lose_nothing(0);
}

RC_GTEST_PROP(Actor, survives_any_series_of_kills_and_events, ()) {
    Play play;
    const auto to = *rc::gen::inRange(0U, 5U);
    if (to == 2) {
        play.slurm.spread();
    }
    RC_ASSERT(play.ask(to).has_value());
    const int count = *rc::gen::inRange(1, 6);
    for (int i = 0; i < count; ++i) {
        play.slurm.calls = 0;
        play.slurm.killed_at = *rc::gen::inRange(-1, 30);
        play.live(*rc::gen::inRange(0, 40) * tick);
        const std::size_t event = *rc::gen::inRange<std::size_t>(0, std::size(events));
        events[event].happen(play);
    }
    play.slurm.killed_at = -1;
    play.slurm.is_away = false;
    play.slurm.free_gpus = 8;
    play.live(400);
    RC_ASSERT(play.journal.entries.empty());
    RC_ASSERT(!play.slurm.is_too_early);
    RC_ASSERT(play.slurm.job().state == slurm::JobState::ended || !has_our_priority(play));
    RC_ASSERT(play.slurm.job().state == slurm::JobState::ended ||
              !play.slurm.job().is_in_restart_reservation);
    RC_ASSERT(!play.slurm.reserved());
    RC_ASSERT(play.slurm.signals <= 1);
}

}  // namespace
}  // namespace hora::horad
