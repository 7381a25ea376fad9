// Is the plan of each job known, wherever its record is, and what if it is nowhere?
#include "scripts/horad/observe/plans.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "scripts/hora/jobs/find_plan.hpp"
#include "scripts/horad/observe/spool_folder.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

constexpr std::int64_t now = 1'795'279'238;

domain::Decision decision(std::uint32_t gpus) {
    domain::Decision decision;
    decision.operating = "act";
    decision.options = {{"hora-model", "resnet50"}, {"hora-batch", "64"}};
    decision.has_plan = true;
    decision.gpus = gpus;
    decision.nodes = 1;
    return decision;
}

ObservedJob job_with(const std::string& comment) {
    ObservedJob job;
    job.id = 7;
    job.state = slurm::JobState::running;
    job.admin_comment = comment;
    return job;
}

class PlansTest : public ::testing::Test {
  protected:
    PlansTest()
        : spool_(slurm::plan_folder(folder_.path())),
          database_(
              history::Database::open(folder_.file("history.db"), history::Access::write).value()) {
        std::filesystem::create_directory(spool_.folder());
        begin_anew();
    }

    // As a daemon that was restarted.
    void begin_anew() {
        plans_ = std::make_unique<Plans>(
            spool_, [this] { return has_history_ ? &database_ : nullptr; }, log_,
            [this] { return Plans::Clock::time_point(steady_); });
        plans_->trust(::geteuid());
    }
    std::string spooled(std::uint32_t gpus) const {
        return spool_.keep(decision(gpus), now).value();
    }
    static std::string key_of(const std::string& word) {
        return read::find_plan_word(word).value().key;
    }
    // 0: nothing is known.
    std::uint32_t gpus_of(const std::string& comment) {
        const auto memory = plans_->memory_of(comment);
        return memory ? memory->decision.gpus : 0;
    }

    tests::ScratchFolder folder_;
    slurm::PlanSpool spool_;
    history::Database database_;
    bool has_history_ = true;
    std::chrono::seconds steady_{1000};
    Log log_;
    std::unique_ptr<Plans> plans_;
};

TEST_F(PlansTest, AreFoundWhereverTheyAre) {
    const std::string token = report::to_token(decision(1));
    const std::string waiting = spooled(2);
    const std::string taken = spooled(3);
    ASSERT_TRUE(database_.record(
        std::vector<history::KeptPlan>{{key_of(taken), now, report::to_record(decision(3))}}));
    spool_.remove(key_of(taken));
    EXPECT_EQ(gpus_of("JS1:x " + token), 1U) << "an earlier Hora wrote it whole";
    EXPECT_EQ(gpus_of(waiting + " note"), 2U);
    EXPECT_EQ(gpus_of(taken), 3U);
    EXPECT_EQ(gpus_of(""), 0U);
    EXPECT_EQ(gpus_of("JS1:x"), 0U);
    EXPECT_EQ(plans_->memory_of(waiting)->options.batch, 64U);
}

TEST_F(PlansTest, GoIntoTheHistoryAndOutOfTheFolder) {
    const std::string word = spooled(2);
    plans_->take(now);
    EXPECT_TRUE(spool_.keys(10).empty());
    EXPECT_EQ(*database_.plan(key_of(word)), report::to_record(decision(2)));
    begin_anew();
    EXPECT_EQ(gpus_of(word), 2U);
}

TEST_F(PlansTest, AreTakenOnceThoughTheDaemonDiedInBetween) {
    const std::string word = spooled(2);
    ASSERT_TRUE(database_.record(
        std::vector<history::KeptPlan>{{key_of(word), now, report::to_record(decision(2))}}));
    begin_anew();
    EXPECT_EQ(gpus_of(word), 2U);
    plans_->take(now + 5);
    EXPECT_TRUE(spool_.keys(10).empty());
    EXPECT_EQ(gpus_of(word), 2U);
    EXPECT_EQ(*database_.oldest(), now);
}

TEST_F(PlansTest, WaitWhereTheHistoryCannotBeWritten) {
    has_history_ = false;
    const std::string word = spooled(2);
    plans_->take(now);
    EXPECT_EQ(spool_.keys(10).size(), 1U);
    EXPECT_EQ(gpus_of(word), 2U);
}

TEST_F(PlansTest, ThatAreTornAreDroppedAndTheOthersTaken) {
    folder_.write("plans/1a", report::to_record(decision(2)).substr(0, 60));
    folder_.write("plans/1b", "");
    const std::string word = spooled(3);
    plans_->take(now);
    EXPECT_TRUE(spool_.keys(10).empty());
    EXPECT_EQ(gpus_of(word), 3U);
    EXPECT_EQ(gpus_of("hora=1a,act,none"), 0U);
}

TEST_F(PlansTest, ThatAreLostAreSaidOnceAndLookedForAgain) {
    const std::string word = report::to_word("1a-2b", decision(2));
    const std::vector<ObservedJob> jobs = {job_with(word), job_with("JS1:x"), job_with("")};
    EXPECT_EQ(gpus_of(word), 0U);
    plans_->keep_only(jobs);
    ASSERT_EQ(log_.troubles().count("plans"), 1U);
    EXPECT_NE(log_.troubles().at("plans").find("1 job, job 7"), std::string::npos)
        << log_.troubles().at("plans");
    std::vector<ObservedJob> ended = jobs;
    ended[0].state = slurm::JobState::ended;
    ended[0].is_completing = true;
    plans_->keep_only(ended);
    EXPECT_EQ(log_.troubles().count("plans"), 1U) << "its status may requeue it";
    ended[0].is_completing = false;
    plans_->keep_only(ended);
    EXPECT_EQ(log_.troubles().count("plans"), 0U);
    plans_->keep_only(jobs);
    ASSERT_TRUE(database_.record(
        std::vector<history::KeptPlan>{{"1a-2b", now, report::to_record(decision(2))}}));
    EXPECT_EQ(gpus_of(word), 0U) << "not at each look";
    steady_ += std::chrono::seconds(60);
    EXPECT_EQ(gpus_of(word), 2U);
    plans_->keep_only(jobs);
    EXPECT_EQ(log_.troubles().count("plans"), 0U);
}

// After a lost history there may be a thousand of them, one of which ends every other minute.
TEST_F(PlansTest, ThatAreLostAreSaidAgainOnlyWhereThereAreMore) {
    std::vector<ObservedJob> jobs;
    for (std::uint32_t id = 7; id <= 10; ++id) {
        jobs.push_back(job_with(report::to_word(fmt::format("1a-{}b", id), decision(2))));
        jobs.back().id = id;
        EXPECT_EQ(gpus_of(jobs.back().admin_comment), 0U);
    }
    struct Case {
        const char* sentence;
        std::vector<std::uint32_t> carried;
        const char* trouble;  // what is said of them; "": nothing
        bool is_logged;
    };
    const Case cases[] = {
        {"at first", {7, 8, 9}, "3 jobs, job 7 the first", true},
        {"the same", {7, 8, 9}, "3 jobs, job 7 the first", false},
        {"the first has ended", {8, 9}, "2 jobs, job 8 the first", false},
        {"another one as well", {9}, "1 job, job 9 the first", false},
        {"one more", {9, 10}, "2 jobs, job 9 the first", true},
        {"none is left", {}, "", false},
        {"the same again", {9}, "1 job, job 9 the first", true},
    };
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        std::vector<ObservedJob> carried;
        for (const std::uint32_t id : row.carried) {
            carried.push_back(jobs[id - 7]);
            gpus_of(carried.back().admin_comment);
        }
        testing::internal::CaptureStderr();
        plans_->keep_only(carried);
        const std::string line = testing::internal::GetCapturedStderr();
        EXPECT_EQ(line.find(row.trouble) != std::string::npos && !line.empty(), row.is_logged)
            << line;
        const auto found = log_.troubles().find("plans");
        EXPECT_EQ(found == log_.troubles().end(), row.carried.empty());
        if (found != log_.troubles().end()) {
            EXPECT_NE(found->second.find(row.trouble), std::string::npos) << found->second;
        }
    }
}

TEST_F(PlansTest, LiveAsLongAsAJobCarriesThem) {
    const std::string word = spooled(2);
    const std::string other = spooled(3);
    EXPECT_EQ(gpus_of(word), 2U);
    EXPECT_EQ(gpus_of(other), 3U);
    plans_->keep_only({job_with(word)});
    EXPECT_EQ(plans_->living(), std::vector<std::string>{key_of(word)});
}

TEST_F(PlansTest, OfItsOwnMakingAreKeptLikeOthers) {
    const std::string word = plans_->keep(decision(4), now);
    EXPECT_LE(word.size(), report::longest_word);
    EXPECT_EQ(gpus_of(word), 4U);
    const std::string unused = plans_->keep(decision(6), now);
    plans_->drop(unused);
    EXPECT_EQ(spool_.keys(10), std::vector<std::string>{key_of(word)});
    std::filesystem::remove_all(spool_.folder());
    EXPECT_EQ(plans_->keep(decision(5), now), report::to_token(decision(5)));
}

class SpoolFolderTest : public ::testing::Test {
  protected:
    mode_t mode() const {
        struct stat status {};
        return ::stat(path_.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
    }

    tests::ScratchFolder folder_;
    const std::string path_ = folder_.file("plans");
};

TEST_F(SpoolFolderTest, IsWritableForSlurmctldAlone) {
    ASSERT_TRUE(open_spool(path_, ::geteuid(), false));
    EXPECT_EQ(mode(), 0755U);
    ASSERT_TRUE(open_spool(path_, ::geteuid(), true)) << "again";
    EXPECT_EQ(mode(), 0700U);
    close_spool(path_);
    EXPECT_FALSE(std::filesystem::exists(path_));
    if (::geteuid() != 0) {
        GTEST_SKIP() << "the rest needs root's rights";
    }
    constexpr uid_t games = 5;  // and its group, in Debian
    constexpr gid_t games_group = 60;
    ASSERT_TRUE(open_spool(path_, games, false));
    EXPECT_EQ(mode(), 01775U);
    struct stat status {};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 0U);
    EXPECT_EQ(status.st_gid, games_group);
    ASSERT_TRUE(open_spool(path_, games, true));
    EXPECT_EQ(mode(), 01770U);
    folder_.write("plans/1a", "{}");
    close_spool(path_);
    EXPECT_EQ(mode(), 01750U) << "what waits is still found, and no more comes";
}

TEST_F(SpoolFolderTest, IsNotWhatSomebodyElseMade) {
    folder_.write("plans", "");
    EXPECT_FALSE(open_spool(path_, ::geteuid(), false));
    std::filesystem::remove(path_);
    std::filesystem::create_directory_symlink("/tmp", path_);
    EXPECT_FALSE(open_spool(path_, ::geteuid(), false));
    EXPECT_FALSE(open_spool(folder_.file("none/plans"), ::geteuid(), false));
}

TEST_F(SpoolFolderTest, IsThereOnlyWhereAllControllersSeeIt) {
    const auto why = [&](std::uint32_t controllers, std::string slurms, const std::string& state,
                         const std::string& history) {
        slurm_conf_t configuration{};
        configuration.control_cnt = controllers;
        configuration.state_save_location = slurms.data();
        return why_not_spooled(configuration, state, history);
    };
    const std::string own = folder_.path();
    EXPECT_EQ(why(1, "/proc", own, own + "/history.db"), "");
    EXPECT_EQ(why(2, own, own, own + "/history.db"), "") << "beside Slurm's own state";
    EXPECT_NE(why(2, "/proc", own, own + "/history.db"), "");
    EXPECT_NE(why(2, own, "/proc", own + "/history.db"), "");
    EXPECT_NE(why(2, own, own, "/proc/history.db"), "");
    EXPECT_NE(why(2, own + "/none", own, own + "/history.db"), "");
}

}  // namespace
}  // namespace hora::horad
