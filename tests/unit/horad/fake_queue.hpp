// A daemon that sees to one waiting job, in a fake Slurm.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>

#include "scripts/horad/pending/pending_changes.hpp"
#include "scripts/horad/resize/actor.hpp"
#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {

// A world with one job of 2 GPUs that waits, since none is free, and a daemon that can be killed.
class Queue {
  public:
    Queue() {
        slurm.waits();
        slurm.free_gpus = 0;
        start();
    }

    void start() {
        const auto note = [this](const std::string& line) { log += line + "\n"; };
        pending = std::make_unique<PendingChanges>(slurm, of_pending, history, note);
        EXPECT_TRUE(pending->load());
        actor = std::make_unique<Actor>(slurm, journal, *pending, history, ResizeLimits{}, note);
        EXPECT_TRUE(actor->recover(moment()));
    }

    Moment moment() const { return {.wall = slurm.now, .steady = Seconds(slurm.now)}; }

    Observation seen() const {
        return {.now = 0, .jobs = {listed(slurm.job())}, .cluster = nullptr};
    }

    Expected<void> ask(std::uint32_t to, bool is_manual = true) {
        return actor->request({.job = 7,
                               .restarts = 0,
                               .from = 2,
                               .to = to,
                               .min = 1,
                               .sizes = {},
                               .why = "manual resize",
                               .limit = {.is_lowered = true, .stated_for = limit_requested},
                               .is_manual = is_manual,
                               .batch = batch},
                              shaper, moment());
    }

    // A size that nothing can ever give, as slurmctld finds right after it has taken it.
    void give_impossible() {
        slurm.finds_sizes_impossible = true;
        EXPECT_TRUE(ask(4));
        live(0.1);
    }

    // One after the other, each of them taken by slurmctld.
    void give(std::initializer_list<std::uint32_t> sizes) {
        for (const std::uint32_t size : sizes) {
            EXPECT_TRUE(ask(size));
            live(1);
            EXPECT_EQ(gpus(), size);
        }
    }

    void live(double seconds) {
        constexpr double tick = 0.1;
        for (const double until = slurm.now + seconds; slurm.now < until; slurm.advance(tick)) {
            const bool is_killed = is_killed_in([&] {
                actor->step(listener, shaper, moment());
                pending->step(seen(), actor->under_way(), moment());
            });
            if (is_killed) {
                start();
            }
        }
    }

    std::uint32_t gpus() const { return slurm.job().shape.tasks; }

    std::uint32_t limit_requested = 0;  // 0: its limit goes by the clock
    std::uint64_t batch = 0;            // that comes with a size; 0: it stays
    FakeSlurm slurm;
    FakeListener listener{slurm};
    FakeJournal<ResizeEntry> journal{slurm};
    FakeJournal<PendingChange> of_pending{slurm};
    FakeHistory history;
    FakeShaper shaper;
    std::string log;
    std::unique_ptr<PendingChanges> pending;
    std::unique_ptr<Actor> actor;
};

inline void expect_as_before(const Queue& queue) {
    EXPECT_EQ(queue.slurm.job().shape, shape_with(2)) << queue.log;
    EXPECT_EQ(queue.slurm.job().priority, FakeSlurm::own_priority) << queue.log;
    EXPECT_FALSE(queue.slurm.job().is_impossible());
    EXPECT_TRUE(queue.journal.entries.empty());
}

}  // namespace hora::horad
