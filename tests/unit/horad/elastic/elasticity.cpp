// Is what would be done in mode "observe" logged once, shown, and not done?
#include "scripts/horad/elastic/elasticity.hpp"

#include <unistd.h>

#include <filesystem>

#include "tests/unit/horad/one_elastic_job.hpp"

namespace hora::horad {
namespace {

using ElasticityTest = OneElasticJob;

std::size_t count(const std::string& text, const std::string& words) {
    std::size_t times = 0;
    for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; ++at) {
        ++times;
    }
    return times;
}

TEST_F(ElasticityTest, InModeObserveAChangeIsLoggedOnceAndShown) {
    testing::internal::CaptureStderr();
    hear(25'000, 2);
    elasticity_->step(seen(), reports_, true);
    ASSERT_TRUE(elasticity_->decisions().contains(7));
    const domain::StatusDecision decision = elasticity_->decisions().at(7);
    EXPECT_GT(decision.to, 2U) << "18 GPUs idle";
    EXPECT_LE(decision.to, 6U);
    EXPECT_FALSE(decision.is_done);
    EXPECT_EQ(decision.when, now_);
    ASSERT_EQ(elasticity_->next().size(), 1U);
    const domain::StatusNext& next = elasticity_->next().front();
    EXPECT_EQ(next.job, 7U);
    EXPECT_EQ(next.from, 2U);
    EXPECT_EQ(next.to, decision.to);
    EXPECT_EQ(next.why, decision.why + "; not in mode \"observe\"");
    EXPECT_TRUE(elasticity_->under_way().empty());
    EXPECT_FALSE(elasticity_->is_busy());
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(count(log, "job 7 would go from 2 to "), 1U) << log;
}

TEST_F(ElasticityTest, WhatHasOnlyJustBeenSeenIdleIsWaitedFor) {
    EXPECT_TRUE(settings_.set("elastic.cooldown", "2 min", read::Origin::command_line, ""));
    elasticity_->take(settings_);
    hear(25'000, 2);
    elasticity_->step(seen(), reports_, true);
    EXPECT_FALSE(elasticity_->decisions().contains(7));
    ASSERT_EQ(elasticity_->next().size(), 1U);
    EXPECT_EQ(elasticity_->next().front().why,
              "idle GPUs, once they have been idle for elastic.cooldown");
    EXPECT_EQ(elasticity_->seen().pools.front().settled, 0U);
}

// With a lock of the job in its folder slurmctld takes no begin over that of its owner.
TEST_F(ElasticityTest, YieldsTimesByTheFolderOfItsJournal) {
    const slurm::RestartLocks locks(slurm::restart_locks_folder(folder_.path()));
    std::filesystem::create_directory(locks.folder());
    elasticity_->slurm().yield_times(7, job_.uid);
    const auto lock = locks.of(7, geteuid(), now_);
    ASSERT_TRUE(lock);
    EXPECT_EQ(lock->uid, job_.uid);
    EXPECT_FALSE(lock->is_kept);
}

}  // namespace
}  // namespace hora::horad
