// Which settings hold when the file is missing, wrong or changed, and where do decisions go?
#include "plugins/job_submit/site.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "libplanner/report/jobs/decision_token.hpp"
#include "libplanner/report/plan/snapshot.hpp"
#include "plugins/slurm/store/plan_spool.hpp"
#include "tests/bench/submissions.hpp"
#include "tests/unit/comes_true.hpp"
#include "tests/unit/job_submit/daemon_log.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::submit {
namespace {

using tests::comes_true;

class SiteTest : public testing::Test {
  protected:
    SiteTest() { take_log(); }

    // Whole at once, as an editor puts it there.
    void write(const std::string& text) const {
        folder_.write("new", text);
        std::filesystem::rename(folder_.file("new"), path());
    }
    std::string path() const { return folder_.file("hora.toml"); }
    std::unique_ptr<Site> site() const { return std::make_unique<Site>(path()); }

    bool is_logged(const std::string& words) {
        for (std::string& line : take_log()) {
            log_.push_back(std::move(line));
        }
        return times_logged(words) > 0;
    }
    std::size_t times_logged(const std::string& words) const {
        std::size_t times = 0;
        for (const std::string& line : log_) {
            times += line.find(words) != std::string::npos ? 1 : 0;
        }
        return times;
    }

    const tests::ScratchFolder folder_;
    std::vector<std::string> log_;
};

std::string policy_of(const Site& site) {
    const auto settings = site.settings();
    return settings ? settings->get<std::string>("elastic.policy") : "no settings";
}

TEST_F(SiteTest, WithoutAFileTheDefaultsHold) {
    const auto site = this->site();
    EXPECT_EQ(policy_of(*site), "hora");
    EXPECT_EQ(site->snapshot(), nullptr);
    EXPECT_TRUE(is_logged("configuration loaded: defaults, without a file"));
}

TEST_F(SiteTest, AChangedFileIsLoaded) {
    write("[elastic]\npolicy = \"afs\"\n");
    const auto site = this->site();
    EXPECT_EQ(policy_of(*site), "afs");
    write("[elastic]\npolicy = \"fcfs\"\n");
    EXPECT_TRUE(comes_true([&] { return policy_of(*site) == "fcfs"; }));
    std::filesystem::remove(path());
    EXPECT_TRUE(comes_true([&] { return policy_of(*site) == "hora"; }));
}

TEST_F(SiteTest, AWrongFileChangesNothing) {
    write("[elastic]\npolicy = \"afs\"\n");
    const auto site = this->site();
    write("[elastic]\npolicy = 1\n");
    EXPECT_TRUE(comes_true([&] { return is_logged("; the configuration loaded before stays"); }));
    EXPECT_EQ(policy_of(*site), "afs");
}

TEST_F(SiteTest, WithAWrongFileFromTheStartThereAreNoSettingsUntilItIsMended) {
    write("[elastic]\npolicy = 1\n");
    const auto site = this->site();
    EXPECT_EQ(site->settings(), nullptr);
    EXPECT_TRUE(is_logged("; no job gets a plan (submit.without_plan)"));
    write("[elastic]\npolicy = \"afs\"\n");
    EXPECT_TRUE(comes_true([&] { return policy_of(*site) == "afs"; }));
}

TEST_F(SiteTest, AFileThatOthersMayWriteIsNotTaken) {
    write("[elastic]\npolicy = \"afs\"\n");
    ::chmod(path().c_str(), 0666);
    EXPECT_EQ(site()->settings(), nullptr);
    EXPECT_TRUE(is_logged(path()));
}

TEST_F(SiteTest, AFileWhoseModeIsMendedIsTaken) {
    write("[elastic]\npolicy = \"afs\"\n");
    ::chmod(path().c_str(), 0664);
    const auto site = this->site();
    EXPECT_EQ(site->settings(), nullptr);
    ::chmod(path().c_str(), 0644);
    EXPECT_TRUE(comes_true([&] { return policy_of(*site) == "afs"; }));
}

TEST_F(SiteTest, ASnapshotIsThatOfTheSettings) {
    folder_.write("snapshot.json", report::to_json(bench::snapshot_of(2)));
    const auto lines = [&](const char* name) {
        return "[snapshot]\nmax_age = \"10000 s\"\npath = \"" + folder_.file(name) + "\"\n";
    };
    write(lines("other.json"));
    const auto site = this->site();
    EXPECT_EQ(site->snapshot(), nullptr);
    write(lines("snapshot.json"));
    EXPECT_TRUE(comes_true([&] { return site->snapshot() != nullptr; }));
    EXPECT_EQ(site->snapshot()->cluster.nodes.size(), 2U);
    const auto before = site->snapshot();
    write(lines("snapshot.json") + "[elastic]\npolicy = \"afs\"\n");
    EXPECT_TRUE(comes_true([&] { return policy_of(*site) == "afs"; }));
    EXPECT_EQ(site->snapshot(), before) << "it is not read anew for another setting";
}

domain::Decision some_decision() {
    domain::Decision decision;
    decision.has_plan = true;
    decision.gpus = 4;
    return decision;
}

TEST_F(SiteTest, DecisionsAreLeftWithHoradWhereItTakesThem) {
    write("[horad]\nstate = \"" + folder_.path() + "\"\n");
    const auto site = this->site();
    const std::string whole = report::to_token(some_decision());
    EXPECT_EQ(site->keep(some_decision(), 1000), whole) << "horad has made no folder";
    EXPECT_EQ(site->keep(some_decision(), 1000), whole);
    EXPECT_TRUE(is_logged("plans stay whole in AdminComment: "));
    EXPECT_EQ(times_logged("plans stay whole"), 1U);
    const slurm::PlanSpool spool(slurm::plan_folder(folder_.path()));
    std::filesystem::create_directories(spool.folder());
    const std::string word = site->keep(some_decision(), 1000);
    EXPECT_NE(word, whole);
    EXPECT_LT(word.size(), whole.size());
    EXPECT_EQ(spool.keys(10).size(), 1U);
    EXPECT_TRUE(is_logged("plans are left with horad in \"" + spool.folder() + "\""));
}

TEST_F(SiteTest, WithoutSettingsADecisionStaysWhole) {
    write("mode = 1\n");
    EXPECT_EQ(site()->keep(some_decision(), 1000), report::to_token(some_decision()));
}

// slurmctld forks to run its programs; there is no thread of ours in such a child.
TEST_F(SiteTest, EndsInAForkedChildToo) {
    auto site = this->site();
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        site.reset();
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << "it was waited for";
}

}  // namespace
}  // namespace hora::submit
