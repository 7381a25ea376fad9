#include "scripts/horad/resize/restarter.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/unit/horad/fake_slurm.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

// A job of number 7 that trains on n1, and goes back to the queue at a checkpoint.
class Site {
  public:
    Site() {
        slurm.job().target = "7";
        EXPECT_TRUE(restarts.load());
    }

    void checkpoint() {
        slurm::Report report;
        report.job = 7;
        report.kind = slurm::ReportKind::checkpoint;
        reports.put(report, slurm.now);
        slurm.requeue();
    }

    void look() {
        restarter.step({.now = 0, .jobs = {listed(slurm.job())}, .cluster = nullptr}, reports, {},
                       restarts, slurm, 121, Seconds(slurm.now));
    }

    // Looking each half second. Returns how long it waited in the queue.
    double live(double seconds) {
        double waited = 0;
        for (double until = slurm.now + seconds; slurm.now < until;) {
            look();
            waited += slurm.job().state == slurm::JobState::pending ? 0.5 : 0;
            slurm.advance(0.5);
        }
        return waited;
    }

    FakeSlurm slurm;
    Reports reports;
    Restarter restarter;
    tests::ScratchFolder folder;
    JournalFile journal{folder.path()};
    OwnRestarts restarts{journal};
};

TEST(Restarter, BringsForwardWhatWaitsOnlyBecauseItWasRequeued) {
    struct Case {
        const char* name;
        std::function<void(Site&)> happens;  // as it goes back to the queue
        double waits_at_least;
        double waits_at_most;
    };
    const Case cases[] = {
        {"at a checkpoint", [](Site& site) { site.checkpoint(); }, 1, 4},
        {"without one", [](Site& site) { site.slurm.requeue(); }, 118, 124},
        {"its owner lets it begin later",
         [](Site& site) {
             site.checkpoint();
             site.slurm.advance(1);
             site.slurm.user_postpones();
         },
         150, 150},
        {"its owner lets it begin later, right before it is to begin",
         [](Site& site) {
             site.checkpoint();
             site.slurm.sets_begin_meanwhile = site.slurm.clock() + 5000;
         },
         150, 150},
        {"its node's slurmd was started anew, and hears of its end a minute later",
         [](Site& site) {
             site.checkpoint();
             site.slurm.restart_slurmd();
         },
         65, 80},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Site site;
        site.look();
        each.happens(site);
        const double waited = site.live(150);
        EXPECT_GE(waited, each.waits_at_least);
        EXPECT_LE(waited, each.waits_at_most);
        EXPECT_FALSE(site.slurm.job().has_failed);
        EXPECT_FALSE(site.slurm.is_too_early);
    }
}

TEST(Restarter, AsksAboutTheNodesThatAJobRanOnOrAboutAll) {
    for (const bool has_seen_it_run : {true, false}) {
        Site site;
        if (has_seen_it_run) {
            site.look();
        }
        site.checkpoint();
        site.live(10);
        EXPECT_EQ(site.slurm.job().state, slurm::JobState::running);
        EXPECT_EQ(site.slurm.asked_nodes, has_seen_it_run ? "n1" : "");
    }
}

TEST(Restarter, WaitsWhereSlurmctldDoesNotSayItsStart) {
    Site site;
    site.look();
    site.checkpoint();
    site.slurm.says_no_start = true;
    EXPECT_EQ(site.live(20), 20);
    EXPECT_FALSE(site.restarts.find(7));
    site.slurm.says_no_start = false;
    EXPECT_LE(site.live(20), 4);
    ASSERT_TRUE(site.restarts.find(7));
    EXPECT_EQ(site.restarts.find(7)->controller, site.slurm.started());
}

}  // namespace
}  // namespace hora::horad
