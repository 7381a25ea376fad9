// Do the policies see of each job what it may have, and why it stays as it is?
#include "scripts/horad/elastic/pools.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/horad/resize/planned_job.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::horad {
namespace {

constexpr std::int64_t now = 100'000;

// An elastic job of 1 to 6 GPUs has run with 2 on n1 for a day, and has said so.
class PoolsTest : public testing::Test {
  protected:
    PoolsTest() {
        job_.id = 7;
        job_.partition = "main";
        job_.state = slurm::JobState::running;
        job_.gpus = 2;
        job_.shape.nodes = 1;
        job_.where = "n1";
        job_.started = now - 86'400;
        job_.memory = memory_;
        slurm::Report progress{.job = 7, .kind = slurm::ReportKind::progress, .step = 5};
        progress.step_seconds = Seconds(1);
        progress.gpus = 2;
        progress.nodes = 1;
        reports_.put(progress, static_cast<double>(now));
    }

    elastic::SeenJob seen_job() {
        const elastic::Pool pool = seen_pool();
        return pool.jobs.empty() ? elastic::SeenJob{} : pool.jobs.front();
    }

    // The one that knows of a job, else an empty one.
    elastic::Pool seen_pool() {
        Observation seen;
        seen.now = now;
        seen.cluster = std::make_shared<const domain::Snapshot>(request::small_cluster());
        seen.jobs.push_back(job_);
        seen.jobs.insert(seen.jobs.end(), others_.begin(), others_.end());
        for (const elastic::Pool& pool :
             pools_of({seen, reports_.all(), past_runs_, under_way_, rests_, keep_sizes_,
                       keep_nodes_, limits_, speeds_, noise_scales_, manual_, resized_, rescales_,
                       settings_, reserves_nodes_})) {
            if (!pool.jobs.empty() || !pool.others.empty()) {
                return pool;
            }
        }
        return {};
    }

    void resize_beside_another(std::uint32_t to) {
        ResizeEntry entry;
        entry.resize = {.job = 7, .restarts = 0, .from = 2, .to = to, .sizes = {}, .why = "a test"};
        under_way_.push_back(entry);
        ObservedJob other = job_;
        other.id = 8;
        others_.push_back(other);
    }

    void find_impossible(std::uint32_t gpus) {
        Resized resized;
        resized.entry.resize.job = 7;
        resized.entry.resize.from = 2;
        resized.entry.resize.to = gpus;
        resized.ending = Ending::reverted;
        limits_.learn(resized, now);
    }

    std::shared_ptr<JobMemory> memory_ = elastic_memory();
    ObservedJob job_;
    std::vector<ObservedJob> others_;  // beside it
    Reports reports_;
    JournalFile journal_{"/nonexistent"};
    PastRuns past_runs_{journal_};
    std::vector<ResizeEntry> under_way_;
    std::map<std::uint32_t, std::int64_t> rests_;
    std::map<std::uint32_t, std::int64_t> keep_sizes_;
    std::map<std::uint32_t, std::int64_t> keep_nodes_;
    FoundLimits limits_;
    SeenSpeeds speeds_;
    NoiseScales noise_scales_;
    std::set<std::uint32_t> manual_;
    std::set<std::uint32_t> resized_;
    cost::RescaleCosts rescales_;
    read::Settings settings_;
    bool reserves_nodes_ = true;
};

TEST_F(PoolsTest, AJobMayHaveWhatItsOwnerSaid) {
    const elastic::SeenJob seen = seen_job();
    EXPECT_EQ(seen.id, 7U);
    EXPECT_EQ(seen.gpus, 2U);
    EXPECT_EQ(seen.min, 1U);
    EXPECT_EQ(seen.max, 6U);
    EXPECT_TRUE(seen.sizes.empty());
    EXPECT_EQ(seen.stays, "");
}

TEST_F(PoolsTest, NoMoreThanSlurmctldWasFoundToAllow) {
    find_impossible(4);
    EXPECT_EQ(seen_job().max, 3U);
    memory_->options.sizes.kind = domain::SizeRule::Kind::powers;
    EXPECT_EQ(seen_job().sizes, (std::vector<std::uint32_t>{1, 2}));
}

TEST_F(PoolsTest, NoMoreThanTheNodesThatItMayHaveGive) {
    struct Case {
        const char* name;
        void (*say)(ObservedJob&);
        std::uint32_t most;
        const char* stays;
    };
    const Case cases[] = {
        {"any node of its partition", [](ObservedJob&) {}, 6, ""},
        {"not these (-x)", [](ObservedJob& job) { job.excluded_nodes = "n[2-4]"; }, 4, ""},
        {"this one (-w)", [](ObservedJob& job) { job.required_nodes = "n1"; }, 4, ""},
        {"more memory of a node than one has", [](ObservedJob& job) { job.memory_per_node = 2000; },
         6, "no usable node of partition \"p\" is left by 2000 MiB of memory on each node"},
        {"a constraint that ties nodes to each other",
         [](ObservedJob& job) { job.features = "[titanx|k80]"; }, 6,
         "constraint \"[titanx|k80]\" ties nodes to each other"},
    };
    job_.partition = "p";
    const ObservedJob plain = job_;
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        job_ = plain;
        each.say(job_);
        EXPECT_EQ(seen_job().max, each.most);
        EXPECT_EQ(seen_job().stays, each.stays);
    }
}

TEST_F(PoolsTest, NoLessThanItsLeastWhateverWasFound) {
    memory_->options.gpus = domain::GpuRange{.min = 2, .max = 6};
    find_impossible(3);
    find_impossible(2);
    EXPECT_EQ(seen_job().min, 2U);
    EXPECT_EQ(seen_job().max, 2U);
}

TEST_F(PoolsTest, AJobStaysForAReason) {
    const ObservedJob settled = job_;
    rests_[7] = now + 1;
    EXPECT_EQ(seen_job().stays, "could not be resized a moment ago");
    rests_.clear();
    ++job_.restarts;
    EXPECT_EQ(seen_job().stays, "has reported no progress since its start");
    job_ = settled;
    job_.started = now - 5;
    EXPECT_EQ(seen_job().stays, "was started or resized not long ago");
}

TEST_F(PoolsTest, AWaitingJobMayAskForMoreWhereAPolicyGaveItLess) {
    resized_.insert(7);
    EXPECT_FALSE(seen_job().asks_as_resized) << "it runs";
    job_.state = slurm::JobState::pending;
    job_.waits_for = slurm::WaitsFor::resources;
    job_.eligible = now - 60;
    EXPECT_TRUE(seen_job().asks_as_resized);
    resized_.clear();
    EXPECT_FALSE(seen_job().asks_as_resized) << "its owner's own word";
}

// Its plan took fewer GPUs than it would have had later, to start at once.
TEST_F(PoolsTest, ItsOwnRequestIsWhatItsPlanWouldHaveHadWithAllIdle) {
    EXPECT_EQ(seen_job().requested, 2U);
    memory_->decision.gpus_if_idle = 4;
    job_.time_limit = Seconds(2 * 86'400);
    const elastic::SeenJob seen = seen_job();
    EXPECT_EQ(seen.requested, 4U);
    ASSERT_TRUE(seen.gpu_time);
    EXPECT_EQ(seen.gpu_time->gpus, 2U) << "its limit was stated for the plan that it has";
    EXPECT_EQ(seen.gpu_time->left, Seconds(86'400));
    memory_->decision.gpus_if_idle = 1000;
    EXPECT_EQ(seen_job().requested, 6U) << "no more than its owner said";
}

TEST_F(PoolsTest, KnowsWhichNodesIdleAndWhichAJobHolds) {
    EXPECT_TRUE(seen_pool().free.empty()) << "Slurm does not say which it holds";
    job_.allocation = {{.node = "n1", .gpus = 2, .indices = {}}};
    elastic::Pool pool = seen_pool();
    EXPECT_EQ(std::accumulate(pool.free.begin(), pool.free.end(), 0U), pool.idle);
    EXPECT_EQ(pool.jobs.front().nodes, (std::vector<domain::NodeGpus>{{0, 2}}));
    EXPECT_FALSE(pool.jobs.front().keeps_nodes);
    keep_nodes_[7] = now + 1;
    EXPECT_TRUE(seen_job().keeps_nodes);
    resize_beside_another(4);
    pool = seen_pool();
    ASSERT_EQ(pool.jobs.size(), 1U);
    EXPECT_TRUE(pool.free.empty()) << "a restart takes some of them";
}

TEST_F(PoolsTest, WhatAShrinkUnderWayFreesIsIdleSoon) {
    job_.allocation = {{.node = "n1", .gpus = 2, .indices = {}}};
    const std::uint32_t idle = seen_pool().idle;
    resize_beside_another(1);
    EXPECT_EQ(seen_pool().idle, idle + 1);
    EXPECT_FALSE(seen_pool().is_suspending);
    under_way_.back().resize.to = 0;
    EXPECT_EQ(seen_pool().idle, idle + 2);
    EXPECT_TRUE(seen_pool().is_suspending);
}

TEST_F(PoolsTest, AJobThatCouldNotGrowMayShrink) {
    const std::uint32_t most = seen_job().max;
    keep_sizes_[7] = now + 1;
    EXPECT_EQ(seen_job().max, seen_job().gpus);
    EXPECT_EQ(seen_job().stays, "");
    keep_sizes_[7] = now;
    EXPECT_EQ(seen_job().max, most);
}

TEST_F(PoolsTest, OfABatchThatMayChangeStepsAreThoseOfTheSmallest) {
    EXPECT_EQ(seen_job().batch, 0U);
    memory_->options.batch = 64;
    memory_->options.max_batch = 512;
    EXPECT_EQ(seen_job().batch, 64U);
    job_.admin_comment = "mine hora-batch=256";
    EXPECT_EQ(seen_job().batch, 256U);
    reports_.put({.job = 7,
                  .kind = slurm::ReportKind::progress,
                  .step = 10,
                  .samples = 6400,
                  .step_seconds = Seconds(0.5),
                  .gpus = 2,
                  .nodes = 1,
                  .noise_scale = 4096},
                 now, 256);
    const elastic::SeenJob seen = seen_job();
    EXPECT_EQ(seen.steps_done, 100);
    // Four times the samples, worth 3.8 steps.
    EXPECT_NEAR(elastic::measured_step(*seen.curve, 2, 1, 256)->count(), 0.5 / 3.82, 1e-3);
    EXPECT_GT(seen.curve->batch[1], 64U);
}

TEST_F(PoolsTest, AJobWhoseOwnerFixedItsGpusStays) {
    memory_->decision.changes.push_back({"tres_per_job", "gres:gpu:2", ""});
    EXPECT_EQ(seen_job().stays, "its owner fixed its GPUs (--gpus)");
}

TEST_F(PoolsTest, AJobThatWaitsForGpusThatItsOwnerFixedWaitsAsAnyOther) {
    job_.state = slurm::JobState::pending;
    job_.waits_for = slurm::WaitsFor::resources;
    job_.eligible = now - 60;
    EXPECT_EQ(seen_pool().jobs.size(), 1U);
    EXPECT_TRUE(seen_pool().others.empty());
    memory_->decision.changes.push_back({"tres_per_job", "gres:gpu:2", ""});
    const elastic::Pool pool = seen_pool();
    EXPECT_TRUE(pool.jobs.empty());
    ASSERT_EQ(pool.others.size(), 1U);
    EXPECT_EQ(pool.others.front().gpus, 2U);
}

TEST_F(PoolsTest, AJobThatHasChosenItsSizeByHandIsNoPolicys) {
    manual_.insert(7);
    EXPECT_EQ(seen_job().id, 0U);
}

// Slurm puts a job into one reservation only.
TEST_F(PoolsTest, NodesAreReservedForRestartsWhereNoJobHasAReservationOfItsOwn) {
    ObservedJob other = job_;
    other.id = 8;
    others_.push_back(other);
    EXPECT_TRUE(seen_pool().reserves_nodes);
    others_.front().reservation = "course";
    EXPECT_FALSE(seen_pool().reserves_nodes) << "of another job";
    others_.front().where = "n5";
    EXPECT_TRUE(seen_pool().reserves_nodes) << "of a job on other GPUs";
    job_.reservation = "course";
    EXPECT_FALSE(seen_pool().reserves_nodes) << "of the job itself";
    job_.reservation.clear();
    reserves_nodes_ = false;
    EXPECT_FALSE(seen_pool().reserves_nodes) << "elastic.reserve = false";
}

}  // namespace
}  // namespace hora::horad
