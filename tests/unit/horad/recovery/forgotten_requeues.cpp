#include "scripts/horad/recovery/forgotten_requeues.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/horad/fake_slurm.hpp"
#include "tests/unit/horad/full_journal.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

// A job of number 7 that horad has requeued, as its restart 2, and a daemon that can be killed.
class Site {
  public:
    Site() {
        slurm.job().restarts = 1;
        slurm.ignores_signals = true;
        start();
        EXPECT_TRUE(restarts->keep({.job = 7,
                                    .uid = slurm.job().uid,
                                    .restarts = 2,
                                    .priority = FakeSlurm::own_priority,
                                    .controller = slurm.started(),
                                    .has_run = true}));
    }

    void start() {
        journal = std::make_unique<JournalFile>(folder.path());
        restarts = std::make_unique<OwnRestarts>(*journal);
        EXPECT_TRUE(restarts->load());
        forgotten = std::make_unique<ForgottenRequeues>(
            slurm, *restarts, history, [this](const std::string& line) { log += line + "\n"; });
        forgotten->set_patience(Seconds(20));
    }

    Observation seen() const {
        return {.now = 0, .jobs = {listed(slurm.job())}, .cluster = nullptr};
    }

    // Each second, for so many of them.
    void look(int seconds, const std::vector<ResizeEntry>& under_way = {}) {
        for (int i = 0; i < seconds; ++i) {
            const bool is_killed = is_killed_in([&] {
                EXPECT_TRUE(restarts->see(seen()) || is_full);
                forgotten->step(seen(), reports, under_way,
                                {.wall = slurm.now, .steady = Seconds(slurm.now)});
            });
            if (is_killed) {
                start();
            }
            slurm.now += 1;
        }
    }

    void kill_controller() {
        slurm.now += 5;
        slurm.restart();
    }

    void fails() {
        slurm.job().state = slurm::JobState::ended;
        slurm.job().has_failed = true;
    }

    void hears_of_the_next_start() {
        slurm::Report report;
        report.job = 7;
        report.restarts = 2;
        reports.note_later(report, slurm.now);
    }

    bool is_back() const {
        return slurm.job().state == slurm::JobState::pending && slurm.job().restarts == 2;
    }

    tests::ScratchFolder folder;
    bool is_full = false;  // its disk
    FakeSlurm slurm;
    FakeHistory history;
    Reports reports;
    std::string log;
    std::unique_ptr<JournalFile> journal;
    std::unique_ptr<OwnRestarts> restarts;
    std::unique_ptr<ForgottenRequeues> forgotten;
};

TEST(ForgottenRequeues, BringsBackWhatSlurmctldForgotAndNothingElse) {
    struct Case {
        const char* name;
        std::function<void(Site&)> happens;
        bool comes_back;
    };
    const Case cases[] = {
        {"the end of the start before is taken for the job's",
         [](Site& site) {
             site.kill_controller();
             site.fails();
         },
         true},
        {"the start before is taken for running", [](Site& site) { site.kill_controller(); }, true},
        {"its owner has cancelled it",
         [](Site& site) {
             site.kill_controller();
             site.slurm.user_cancels();
         },
         false},
        {"the job has failed in the start that slurmctld knows of",
         [](Site& site) {
             site.kill_controller();
             ++site.slurm.job().restarts;
             site.fails();
         },
         false},
        {"another user's job of the same number",
         [](Site& site) {
             site.kill_controller();
             ++site.slurm.job().uid;
             site.fails();
         },
         false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Site site;
        each.happens(site);
        site.start();
        site.look(60);
        EXPECT_EQ(site.is_back(), each.comes_back) << site.log;
        EXPECT_EQ(site.history.list.size(), each.comes_back ? 1U : 0U);
        if (each.comes_back) {
            ASSERT_TRUE(site.restarts->find(7));
            EXPECT_TRUE(site.restarts->find(7)->is_released) << "it begins as after a checkpoint";
        }
    }
}

// slurmctld has forgotten the start before the requeue as well, and begins that start anew.
TEST(ForgottenRequeues, LeavesAStartAloneThatSlurmctldBeganItself) {
    for (const bool is_seen_waiting : {true, false}) {
        SCOPED_TRACE(is_seen_waiting);
        Site site;
        site.kill_controller();
        const std::int64_t killed = site.slurm.started();
        site.slurm.waits();
        if (is_seen_waiting) {
            site.look(1);
            ASSERT_TRUE(site.restarts->find(7));
            EXPECT_EQ(site.restarts->find(7)->restarts, 1U);
            EXPECT_TRUE(site.restarts->find(7)->has_run) << "its node may run what was forgotten";
            EXPECT_NE(site.restarts->find(7)->controller, killed);
        }
        site.slurm.now += 2;
        site.slurm.job().state = slurm::JobState::running;
        site.slurm.job().began = site.slurm.job().started = site.slurm.clock();
        site.start();
        site.look(60);
        EXPECT_EQ(site.slurm.signals, 0) << site.log;
        EXPECT_EQ(site.slurm.job().state, slurm::JobState::running);
        EXPECT_EQ(site.slurm.job().restarts, 1U);
        EXPECT_TRUE(site.history.list.empty());
        EXPECT_EQ(site.restarts->find(7)->restarts, 1U);
    }
}

TEST(ForgottenRequeues, AsksForACheckpointBeforeItEndsWhatMayTrain) {
    Site site;
    site.kill_controller();
    site.look(12);
    EXPECT_EQ(site.slurm.signals, 1);
    EXPECT_FALSE(site.is_back());
    site.look(15);
    EXPECT_EQ(site.slurm.signals, 1) << "once";
    EXPECT_FALSE(site.is_back()) << "a checkpoint takes its time";
    site.look(10);
    EXPECT_TRUE(site.is_back());
}

TEST(ForgottenRequeues, AsksForACheckpointOnceOnAFullDisk) {
    Site site;
    site.kill_controller();
    const FullJournal full(site.folder);
    site.is_full = true;
    site.look(25);
    EXPECT_EQ(site.slurm.signals, 1) << site.log;
    EXPECT_FALSE(site.is_back()) << "a checkpoint takes its time";
    site.look(10);
    EXPECT_TRUE(site.is_back()) << site.log;
    EXPECT_NE(site.log.find("no space left"), std::string::npos) << site.log;
}

TEST(ForgottenRequeues, CountsOnWhereHoradIsKilledAgainAndAgain) {
    Site site;
    site.kill_controller();
    site.look(12);
    for (int i = 0; i < 3; ++i) {
        site.start();
        site.look(7);
    }
    EXPECT_TRUE(site.is_back()) << site.log;
    EXPECT_EQ(site.log.find("asked for a checkpoint"), site.log.rfind("asked for a checkpoint"));
}

TEST(ForgottenRequeues, LeavesAJobAloneThatGivesNoCheckpointAndIsHeard) {
    Site site;
    site.kill_controller();
    for (int i = 0; i < 20; ++i) {
        site.look(5);
        site.hears_of_the_next_start();
    }
    EXPECT_FALSE(site.is_back());
    EXPECT_NE(site.log.find("runs on"), std::string::npos) << site.log;
}

// The start that the request led to was heard, and forgotten with its requeue.
TEST(ForgottenRequeues, AsksAnewWhereSlurmctldIsKilledOnceMore) {
    Site site;
    site.kill_controller();
    site.look(12);
    EXPECT_EQ(site.slurm.signals, 1);
    site.hears_of_the_next_start();
    site.kill_controller();
    site.look(12);
    EXPECT_EQ(site.slurm.signals, 2);
    site.look(25);
    EXPECT_TRUE(site.is_back()) << site.log;
    EXPECT_EQ(site.log.find("runs on"), std::string::npos) << site.log;
}

TEST(ForgottenRequeues, BringsBackWhatWasHeardAndIsNoMore) {
    Site site;
    site.kill_controller();
    site.look(12);
    site.hears_of_the_next_start();
    site.look(50);
    EXPECT_FALSE(site.is_back()) << "it may report seldom";
    site.look(30);
    EXPECT_TRUE(site.is_back()) << site.log;
}

TEST(ForgottenRequeues, WaitsUntilNodesHaveToldWhatRuns) {
    Site site;
    site.kill_controller();
    site.fails();
    site.look(5);
    EXPECT_FALSE(site.is_back());
}

TEST(ForgottenRequeues, LeavesAJobAloneThatAResizeRestarts) {
    struct Case {
        const char* name;
        ResizeState state;
        bool comes_back;
    };
    const Case cases[] = {
        {"one that was begun since, which nothing answers", ResizeState::checkpoint_requested,
         true},
        {"one that sizes it", ResizeState::updating_request, false},
        {"one that lets it begin", ResizeState::waiting_to_start, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Site site;
        site.kill_controller();
        ResizeEntry entry;
        entry.resize.job = 7;
        entry.state = each.state;
        site.look(60, {entry});
        EXPECT_EQ(site.is_back(), each.comes_back) << site.log;
    }
}

TEST(ForgottenRequeues, KilledAnywhereItBringsTheJobBackOnce) {
    for (int calls = 0; calls < 30; ++calls) {
        SCOPED_TRACE(calls);
        Site site;
        site.kill_controller();
        site.fails();
        site.slurm.killed_at = site.slurm.calls + calls;
        site.look(60);
        EXPECT_TRUE(site.is_back()) << site.log;
    }
}

TEST(ForgottenRequeues, AsksNothingAnewWhereSlurmctldDoesNotSayItsStart) {
    Site site;
    site.kill_controller();
    site.slurm.says_no_start = true;
    site.look(12);
    EXPECT_EQ(site.slurm.signals, 0);
    site.slurm.says_no_start = false;
    site.look(12);
    ASSERT_EQ(site.slurm.signals, 1);
    EXPECT_EQ(site.restarts->find(7)->asked_of, site.slurm.started());
    site.slurm.says_no_start = true;
    site.look(1);
    site.slurm.says_no_start = false;
    site.look(1);
    EXPECT_EQ(site.slurm.signals, 1);
}

}  // namespace
}  // namespace hora::horad
