// Is it known which starts of jobs horad has brought about, and which it has not?
#include "scripts/horad/journal/own_restarts.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/horad/full_journal.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

constexpr OwnRestart second{
    .job = 7, .uid = 1000, .restarts = 1, .priority = 500, .controller = 90};

ObservedJob job_at(std::uint32_t restarts, slurm::JobState state = slurm::JobState::pending) {
    ObservedJob job;
    job.id = 7;
    job.uid = 1000;
    job.restarts = restarts;
    job.state = state;
    return job;
}

Observation with(std::vector<ObservedJob> jobs) {
    return {.now = 0, .jobs = std::move(jobs), .cluster = nullptr};
}

class Restarts : public ::testing::Test {
  protected:
    // Another daemon, on the same disk.
    std::optional<OwnRestart> found(std::uint32_t job = 7) const {
        JournalFile file(folder_.path());
        OwnRestarts later(file);
        EXPECT_TRUE(later.load());
        return later.find(job);
    }

    const tests::ScratchFolder folder_;
    JournalFile file_{folder_.path()};
    OwnRestarts restarts_{file_};
};

TEST_F(Restarts, outlive_the_daemon) {
    OwnRestart all = second;
    all.has_run = all.is_released = all.lacks_priority = all.is_anothers = true;
    all.released_at = 1795279359;
    all.asked_at = 1795279300;
    all.asked_of = 1795279200;
    ASSERT_TRUE(restarts_.keep(all));
    EXPECT_EQ(restarts_.find(7), all);
    EXPECT_EQ(found(), all);
    EXPECT_EQ(found(8), std::nullopt);
    ASSERT_TRUE(restarts_.forget(8)) << "of which nothing is known";
    EXPECT_EQ(found(), all);
    ASSERT_TRUE(restarts_.forget(7));
    EXPECT_EQ(found(), std::nullopt);
}

TEST_F(Restarts, keep_what_is_known_of_a_start_that_is_noted_again) {
    ASSERT_TRUE(restarts_.note(second));
    OwnRestart known = second;
    known.is_released = true;
    ASSERT_TRUE(restarts_.keep(known));
    OwnRestart begun = second;
    begun.has_run = known.has_run = true;
    ASSERT_TRUE(restarts_.note(begun));
    EXPECT_EQ(found(), known) << "it has begun";
    ASSERT_TRUE(restarts_.note(second));
    EXPECT_EQ(found(), known) << "after a kill it is noted again";
    OwnRestart next = second;
    next.restarts = 2;
    ASSERT_TRUE(restarts_.note(next));
    EXPECT_EQ(found(), next) << "another start";
    OwnRestart others = next;
    others.uid = 1001;
    ASSERT_TRUE(restarts_.note(others));
    EXPECT_EQ(found(), others) << "another job of the same number";
}

TEST_F(Restarts, are_what_slurmctld_says_of_them) {
    using slurm::Hold;
    using slurm::JobState;
    struct Case {
        const char* name;
        std::vector<ObservedJob> jobs;
        bool is_known;
        bool has_run = false;
        bool is_anothers = false;
    };
    const auto held = [](ObservedJob job, Hold hold) {
        job.hold = hold;
        return job;
    };
    ObservedJob of_another = job_at(1);
    of_another.uid = 1001;
    const Case cases[] = {
        {"it waits", {job_at(1)}, true},
        {"it runs", {job_at(1, JobState::running)}, true, true},
        {"the start before runs", {job_at(0, JobState::running)}, true, false},
        {"it has ended: that may be forgotten", {job_at(1, JobState::ended)}, true},
        {"the job is gone", {}, false},
        {"another job of the number", {of_another}, false},
        {"held by its owner", {held(job_at(1), Hold::user)}, false},
        {"held by an operator", {held(job_at(1), Hold::administrator)}, false},
        {"it can never run", {held(job_at(1), Hold::impossible)}, false},
        {"held since a node did not start it", {held(job_at(1), Hold::launch)}, true},
        {"likewise, and counted", {held(job_at(2), Hold::launch)}, true},
        {"restarted by somebody else", {job_at(2)}, true, false, true},
        {"restarted twice", {held(job_at(3), Hold::launch)}, true, false, true},
        {"runs after that", {job_at(2, JobState::running)}, true, false, true},
    };
    for (const Case& each : cases) {
        ASSERT_TRUE(restarts_.keep(second));
        ASSERT_TRUE(restarts_.see(with(each.jobs)));
        const auto now = found();
        ASSERT_EQ(now.has_value(), each.is_known) << each.name;
        if (now) {
            EXPECT_EQ(now->has_run, each.has_run) << each.name;
            EXPECT_EQ(now->is_anothers, each.is_anothers) << each.name;
        }
    }
}

TEST_F(Restarts, do_not_forget_what_was_seen_of_them) {
    ASSERT_TRUE(restarts_.keep(second));
    ASSERT_TRUE(restarts_.see(with({job_at(1, slurm::JobState::running)})));
    ASSERT_TRUE(restarts_.see(with({job_at(2)})));
    ASSERT_TRUE(restarts_.see(with({job_at(1)}))) << "slurmctld has forgotten a requeue";
    EXPECT_TRUE(found()->has_run);
    EXPECT_TRUE(found()->is_anothers);
}

TEST_F(Restarts, of_a_daemon_that_knew_less_are_read) {
    folder_.write("restarts.json",
                  R"({"version":1,"restarts":[{"job":7,"uid":1000,"restarts":1,"priority":500,)"
                  R"("controller":90,"has_run":false,"is_released":false,)"
                  R"("lacks_priority":false}]})");
    EXPECT_EQ(found(), second);
}

TEST_F(Restarts, are_known_and_written_later_where_the_disk_is_full) {
    ASSERT_TRUE(restarts_.keep(second));
    OwnRestart other = second;
    other.job = 8;
    {
        const FullJournal full(folder_);
        EXPECT_FALSE(restarts_.keep(other));
        EXPECT_FALSE(restarts_.see(with({job_at(1, slurm::JobState::running)})));
        EXPECT_FALSE(restarts_.note(second)) << "what is known already is not written either";
        EXPECT_EQ(restarts_.find(8), std::nullopt) << "slurmctld does not know it";
        EXPECT_TRUE(restarts_.find(7)->has_run);
        EXPECT_EQ(found(), second);
    }
    ASSERT_TRUE(restarts_.see(with({job_at(1)})));
    EXPECT_TRUE(found()->has_run);
}

TEST_F(Restarts, are_known_before_the_journal_can_be_read) {
    ASSERT_TRUE(restarts_.keep(second));
    JournalFile late(folder_.file("late"));
    OwnRestarts restarts(late);
    OwnRestart other = second;
    other.job = 8;
    EXPECT_FALSE(restarts.keep(other));
    EXPECT_FALSE(restarts.forget(9));
    OwnRestart newer = second;
    newer.restarts = 2;
    EXPECT_FALSE(restarts.keep(newer));
    EXPECT_EQ(restarts.find(7), newer);
    std::filesystem::create_directory(folder_.file("late"));
    std::filesystem::copy(folder_.file("journal.db"), folder_.file("late/journal.db"));
    ASSERT_TRUE(restarts.note(other));
    JournalFile file(folder_.file("late"));
    OwnRestarts later(file);
    ASSERT_TRUE(later.load());
    EXPECT_EQ(later.find(7), newer) << "newer than what the journal had";
    EXPECT_EQ(later.find(8), other);
}

}  // namespace
}  // namespace hora::horad
