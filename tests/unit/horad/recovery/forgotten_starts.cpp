#include "scripts/horad/recovery/forgotten_starts.hpp"

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

// A job of number 7 that horad has restarted once, and a daemon that can be killed.
class Site {
  public:
    Site() {
        slurm.job().restarts = 1;
        slurm.job().priority = FakeSlurm::own_priority;
        start();
    }

    void start() {
        journal = std::make_unique<JournalFile>(folder.path());
        restarts = std::make_unique<OwnRestarts>(*journal);
        EXPECT_TRUE(restarts->load());
        forgotten = std::make_unique<ForgottenStarts>(
            slurm, *restarts, history, [this](const std::string& line) { log += line + "\n"; });
    }

    Observation seen() const {
        ObservedJob job = listed(slurm.job());
        return {.now = 0, .jobs = {job}, .cluster = nullptr, .refused_starts = refused_starts};
    }

    // A node that takes it for running refuses it and is drained; slurmctld holds it.
    void is_refused() {
        slurm.holds_by_launch();
        refused_starts.push_back(slurm.job().submitted);
    }

    // As a resize that waits for its start.
    ResizeEntry entry() const {
        ResizeEntry entry;
        entry.resize.job = 7;
        entry.uid = slurm.job().uid;
        entry.state = ResizeState::waiting_to_start;
        entry.restarts = slurm.job().restarts;
        entry.priority = FakeSlurm::own_priority;
        return entry;
    }

    void look(const std::vector<ResizeEntry>& under_way = {}) {
        const bool is_killed = is_killed_in([&] {
            forgotten->step(seen(), under_way, {.wall = slurm.now, .steady = Seconds(slurm.now)});
        });
        if (is_killed) {
            start();
        }
    }

    // It was restarted by a resize, and ran.
    void run() {
        look({entry()});
        look();
    }

    // It was restarted by a later resize.
    void run_again() {
        ++slurm.job().restarts;
        run();
    }

    void kill_controller() {
        slurm.now += 5;
        slurm.restart();
    }

    tests::ScratchFolder folder;
    FakeSlurm slurm;
    std::vector<std::int64_t> refused_starts;
    FakeHistory history;
    std::string log;
    std::unique_ptr<JournalFile> journal;
    std::unique_ptr<OwnRestarts> restarts;
    std::unique_ptr<ForgottenStarts> forgotten;
};

TEST(ForgottenStarts, KnowsARestartFromTheEntryOfAnEarlierDaemon) {
    Site site;
    ResizeEntry entry = site.entry();
    entry.restarts = 2;
    site.forgotten->note({entry});
    site.start();
    ASSERT_TRUE(site.restarts->find(7));
    EXPECT_EQ(site.restarts->find(7)->restarts, 2U);
    EXPECT_EQ(site.restarts->find(7)->priority, FakeSlurm::own_priority);
    site.look();
    EXPECT_TRUE(site.restarts->find(7)) << "slurmctld has forgotten it: it counts one restart";
}

TEST(ForgottenStarts, ReleasesWhatSlurmctldHeldByMistakeAndNothingElse) {
    struct Case {
        const char* name;
        std::function<void(Site&)> happens;
        bool is_released;
    };
    const Case cases[] = {
        {"a start that it forgot",
         [](Site& site) {
             site.run();
             site.kill_controller();
             site.slurm.holds_by_launch();
         },
         true},
        {"a start that it forgot to count",
         [](Site& site) {
             site.run();
             site.kill_controller();
             site.slurm.holds_by_launch();
             --site.slurm.job().restarts;
         },
         true},
        {"a start that it forgot before it was noted",
         [](Site& site) {
             ResizeEntry entry = site.entry();
             entry.controller = site.slurm.started();
             site.kill_controller();
             site.look({entry});
             site.slurm.holds_by_launch();
         },
         true},
        {"a launch that failed by itself",
         [](Site& site) {
             site.run();
             site.slurm.holds_by_launch();
         },
         false},
        {"a launch that failed by itself, before slurmctld was restarted",
         [](Site& site) {
             site.run();
             site.slurm.holds_by_launch();
             site.look();
             site.slurm.now += 60;
             site.kill_controller();
         },
         false},
        {"a start that it forgot, held before horad knew that another slurmctld took over",
         [](Site& site) {
             site.run();
             site.slurm.now += 60;
             site.slurm.holds_by_launch();
             site.kill_controller();
         },
         true},
        {"a start that a node refused, for slurmctld forgot an earlier one on it",
         [](Site& site) {
             site.run();
             site.kill_controller();
             site.run_again();
             site.is_refused();
         },
         true},
        {"a start that a node refused, whose slurmd was killed as it was told of the last end",
         [](Site& site) {
             site.run();
             site.is_refused();
         },
         true},
        {"a start that a node refused, which an administrator has resumed since",
         [](Site& site) {
             site.run();
             site.refused_starts.push_back(static_cast<std::int64_t>(site.slurm.now));
             site.look();
             site.refused_starts.clear();
             site.slurm.holds_by_launch();
             site.look();
         },
         true},
        {"a refused start, and minutes until the node has ended the one before",
         [](Site& site) {
             site.run();
             site.is_refused();
             site.slurm.job().submitted += 300;
         },
         true},
        {"a launch that failed by itself, hours after a node refused another job",
         [](Site& site) {
             site.run();
             site.is_refused();
             site.slurm.job().submitted += 7200;
         },
         false},
        {"a launch that failed by itself, before a node refused another job",
         [](Site& site) {
             site.run();
             site.is_refused();
             site.refused_starts.back() += 60;
         },
         false},
        {"a launch that failed after slurmctld was killed and the job ran again",
         [](Site& site) {
             site.run();
             site.kill_controller();
             site.run_again();
             site.slurm.holds_by_launch();
         },
         false},
        {"a start that a node refused, after slurmctld itself had requeued that of horad's",
         [](Site& site) {
             site.run();
             site.kill_controller();
             ++site.slurm.job().restarts;
             site.look();
             site.is_refused();
         },
         true},
        {"a launch that failed by itself, after somebody has restarted the job",
         [](Site& site) {
             site.run();
             ++site.slurm.job().restarts;
             site.look();
             site.kill_controller();
             site.slurm.holds_by_launch();
         },
         false},
        {"a start after that of horad's",
         [](Site& site) {
             site.run();
             site.kill_controller();
             ++site.slurm.job().restarts;
             site.slurm.holds_by_launch();
         },
         false},
        {"a job that horad has not restarted",
         [](Site& site) {
             site.kill_controller();
             site.slurm.holds_by_launch();
         },
         false},
        {"its owner's hold",
         [](Site& site) {
             site.run();
             site.kill_controller();
             site.slurm.holds_by_launch();
             site.slurm.user_holds();
         },
         false},
        {"an administrator's hold",
         [](Site& site) {
             site.run();
             site.kill_controller();
             site.slurm.holds_by_launch();
             site.slurm.job().hold = slurm::Hold::administrator;
         },
         false},
        {"a start after an end that slurmctld forgot",
         [](Site& site) {
             site.run();
             site.slurm.job().state = slurm::JobState::ended;
             site.look();
             site.kill_controller();
             site.slurm.job().state = slurm::JobState::running;
             site.look();
             site.slurm.now += 200;
             ++site.slurm.job().restarts;  // by slurmctld, for its node knows of no such job
             site.slurm.job().state = slurm::JobState::pending;
             site.look();
             site.kill_controller();
             site.is_refused();
         },
         true},
        {"a job that was held while it ran",
         [](Site& site) {
             site.run();
             site.slurm.job().priority = 0;
             site.slurm.job().hold = slurm::Hold::administrator;
             site.look();
             site.kill_controller();
             site.slurm.holds_by_launch();
         },
         false},
        {"another user's job of the same number",
         [](Site& site) {
             site.run();
             site.kill_controller();
             ++site.slurm.job().uid;
             site.slurm.holds_by_launch();
         },
         false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Site site;
        each.happens(site);
        site.start();
        site.look();
        site.look();
        EXPECT_EQ(site.slurm.job().priority, each.is_released ? FakeSlurm::own_priority : 0)
            << site.log;
        ASSERT_EQ(site.history.list.size(), each.is_released ? 1U : 0U);
        if (each.is_released) {
            EXPECT_EQ(site.history.list.front().ending, Ending::released);
        }
    }
}

TEST(ForgottenStarts, ReleasesOnceForEachStartOfSlurmctld) {
    Site site;
    site.run();
    for (int i = 1; i <= 3; ++i) {
        site.kill_controller();
        site.slurm.holds_by_launch();
        site.look();
        EXPECT_FALSE(site.slurm.job().is_held()) << i;
        EXPECT_EQ(site.history.list.size(), i);
    }
    site.slurm.holds_by_launch();
    site.look();
    EXPECT_TRUE(site.slurm.job().is_held()) << "slurmctld has forgotten nothing since";
    EXPECT_EQ(site.history.list.size(), 3U);
}

TEST(ForgottenStarts, LeavesALaunchThatFailedAfterItsReleaseHoweverOftenSlurmctldIsRestarted) {
    Site site;
    site.run();
    site.kill_controller();
    site.slurm.holds_by_launch();
    site.look();
    ASSERT_FALSE(site.slurm.job().is_held());
    site.slurm.job().state = slurm::JobState::running;
    site.look();
    site.slurm.holds_by_launch();
    for (int i = 1; i <= 3; ++i) {
        site.look();
        EXPECT_TRUE(site.slurm.job().is_held()) << i;
        site.slurm.now += 60;
        site.kill_controller();
    }
    EXPECT_EQ(site.history.list.size(), 1U);
}

TEST(ForgottenStarts, ReleasesOnceForEachNodeThatRefused) {
    Site site;
    site.run();
    for (int i = 1; i <= 3; ++i) {
        site.slurm.now += 20;
        site.is_refused();
        site.start();
        site.look();
        EXPECT_FALSE(site.slurm.job().is_held()) << i << site.log;
        EXPECT_EQ(site.history.list.size(), i);
    }
    site.start();
    site.slurm.now += 20;
    site.slurm.holds_by_launch();
    site.look();
    EXPECT_TRUE(site.slurm.job().is_held()) << "no other node was drained for it";
    EXPECT_EQ(site.history.list.size(), 3U);
}

TEST(ForgottenStarts, ReleasesAgainWhatSlurmctldForgotThatItReleased) {
    Site site;
    site.run();
    site.kill_controller();
    site.slurm.holds_by_launch();
    const slurm::Job held = site.slurm.job();
    site.look();
    site.kill_controller();
    site.slurm.job() = held;
    site.look();
    EXPECT_EQ(site.slurm.job().priority, FakeSlurm::own_priority);
}

TEST(ForgottenStarts, GivesNoPriorityAboveTheJobsOwn) {
    Site site;
    site.slurm.computes = true;
    site.run();
    site.kill_controller();
    site.slurm.holds_by_launch();
    site.slurm.job().admin_comment = "a word hora-priority=0:5001:7";
    site.look();
    EXPECT_EQ(site.slurm.job().priority, FakeSlurm::own_priority + 1) << "as slurmctld computes it";
    EXPECT_EQ(site.slurm.job().admin_comment, "a word");
    site.look();
    EXPECT_EQ(site.slurm.job().priority, FakeSlurm::own_priority + 1);
}

TEST(ForgottenStarts, GivesBackWhatAnOperatorHasGivenItSince) {
    Site site;
    site.run();
    site.slurm.job().priority = 777;
    site.look();
    site.is_refused();
    site.look();
    EXPECT_EQ(site.slurm.job().priority, 777U) << site.log;
}

TEST(ForgottenStarts, KilledAnywhereItReleasesAndGivesBackThePriority) {
    for (int calls = 0; calls < 12; ++calls) {
        SCOPED_TRACE(calls);
        Site site;
        site.run();
        site.kill_controller();
        site.slurm.holds_by_launch();
        site.slurm.killed_at = site.slurm.calls + calls;
        for (int i = 0; i < 4; ++i) {
            site.look();
        }
        EXPECT_EQ(site.slurm.job().priority, FakeSlurm::own_priority) << site.log;
    }
}

TEST(ForgottenStarts, LeavesAJobInTheActorsHands) {
    Site site;
    const ResizeEntry entry = site.entry();
    site.run();
    site.kill_controller();
    site.slurm.holds_by_launch();
    site.look({entry});
    EXPECT_TRUE(site.slurm.job().is_held());
    site.look();
    EXPECT_FALSE(site.slurm.job().is_held());
}

TEST(ForgottenStarts, LetsAJobRestThatRan) {
    struct Case {
        const char* name;
        bool is_killed;
        std::int64_t begins;  // after slurmctld's clock, in seconds
        std::int64_t wanted;
    };
    const Case cases[] = {
        {"it would start at once", true, -1, 10},
        {"its owner lets it begin later", true, 5000, 5000},
        {"slurmctld has forgotten nothing", false, -1, -1},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Site site;
        site.run();
        if (each.is_killed) {
            site.kill_controller();
        }
        site.slurm.job().state = slurm::JobState::pending;
        const std::int64_t clock = site.slurm.clock();
        site.slurm.job().eligible = clock + each.begins;
        site.look();
        EXPECT_EQ(site.slurm.job().eligible, clock + each.wanted) << site.log;
        site.slurm.job().eligible = clock;
        site.look();
        EXPECT_EQ(site.slurm.job().eligible, clock) << "once, and then it is left to slurmctld";
    }
}

// Each round finds the time that it has been given too early by then.
TEST(ForgottenStarts, LetsAJobRestOnceOnAFullDisk) {
    Site site;
    site.run();
    site.kill_controller();
    site.slurm.job().state = slurm::JobState::pending;
    site.slurm.job().eligible = site.slurm.clock();
    {
        const FullJournal full(site.folder);
        for (int second = 0; second < 5; ++second) {
            site.look();
            site.slurm.now += 1;
        }
        EXPECT_EQ(site.slurm.begins, 1) << site.log;
        EXPECT_NE(site.log.find("no space left"), std::string::npos) << site.log;
    }
    site.look();
    site.start();
    EXPECT_FALSE(site.restarts->find(7)->has_run) << "written down once there is room";
    site.look();
    EXPECT_EQ(site.slurm.begins, 1) << site.log;
}

// A resize of what waits changes neither its begin nor its priority.
TEST(ForgottenStarts, LetsAJobRestThatGetsAnotherSizeMeanwhile) {
    for (const bool was_pending : {true, false}) {
        SCOPED_TRACE(was_pending);
        Site site;
        site.run();
        site.kill_controller();
        site.slurm.job().state = slurm::JobState::pending;
        const std::int64_t clock = site.slurm.clock();
        site.slurm.job().eligible = clock;
        ResizeEntry entry = site.entry();
        entry.state = ResizeState::updating_request;
        entry.was_pending = was_pending;
        site.look({entry});
        EXPECT_EQ(site.slurm.job().eligible, clock + (was_pending ? 10 : 0)) << site.log;
    }
}

// The actor looks at single jobs, and sees some of them run that no list of all jobs has shown so.
TEST(ForgottenStarts, LetsAJobRestThatWasSeenToRunByItsResizeAlone) {
    for (const bool has_begun : {true, false}) {
        SCOPED_TRACE(has_begun);
        Site site;
        site.slurm.job().state = slurm::JobState::pending;
        ResizeEntry entry = site.entry();
        site.look({entry});
        if (has_begun) {
            entry.state = ResizeState::verifying;
            site.look({entry});
        }
        site.kill_controller();
        site.start();
        const std::int64_t clock = site.slurm.clock();
        site.slurm.job().eligible = clock;
        site.look();
        EXPECT_EQ(site.slurm.job().eligible, clock + (has_begun ? 10 : 0)) << site.log;
    }
}

// It fails to say since when it runs, and answers all else.
TEST(ForgottenStarts, WaitsWhereSlurmctldDoesNotSayItsStart) {
    Site site;
    site.run();
    site.slurm.holds_by_launch();
    site.slurm.says_no_start = true;
    site.look();
    EXPECT_TRUE(site.slurm.job().is_held()) << "a launch that failed by itself";
    site.refused_starts.push_back(site.slurm.job().submitted);
    site.look();
    EXPECT_TRUE(site.slurm.job().is_held()) << "it would be noted for no start of slurmctld";
    site.slurm.says_no_start = false;
    site.look();
    EXPECT_FALSE(site.slurm.job().is_held()) << site.log;
    EXPECT_EQ(site.restarts->find(7)->controller, site.slurm.started());
}

TEST(ForgottenStarts, AsksForTheStartOfSlurmctldOnceAStepAndOnlyWhereAJobWaits) {
    struct Case {
        const char* sentence;
        std::uint32_t pending;
        int asked;
    };
    const Case cases[] = {{"none waits", 0, 0}, {"one does", 1, 1}, {"three do", 3, 1}};
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        Site site;
        Observation seen{.now = 0, .jobs = {}, .cluster = nullptr};
        for (std::uint32_t id = 7; id < 10; ++id) {
            ObservedJob job = listed(site.slurm.job());
            job.id = id;
            job.state = id < 7 + row.pending ? slurm::JobState::pending : slurm::JobState::running;
            seen.jobs.push_back(job);
            ASSERT_TRUE(site.restarts->keep({.job = id, .uid = job.uid, .restarts = 1}));
        }
        site.slurm.starts_asked = 0;
        site.forgotten->step(seen, {}, {.wall = 0, .steady = Seconds(0)});
        EXPECT_EQ(site.slurm.starts_asked, row.asked);
    }
}

TEST(ForgottenStarts, NotesNoRestartOfASlurmctldThatDoesNotSayItsStart) {
    Site site;
    site.slurm.says_no_start = true;
    site.forgotten->note({site.entry()});
    EXPECT_FALSE(site.restarts->find(7));
    site.slurm.says_no_start = false;
    site.forgotten->note({site.entry()});
    ASSERT_TRUE(site.restarts->find(7));
    EXPECT_EQ(site.restarts->find(7)->controller, site.slurm.started());
}

}  // namespace
}  // namespace hora::horad
