// Do those who ask learn what the daemon sees, and of each job only what is known?
#include "scripts/horad/publish/status.hpp"

#include "tests/unit/horad/one_elastic_job.hpp"

namespace hora::horad {
namespace {

class StatusTest : public OneElasticJob {
  protected:
    domain::Status status(const Observation& seen) {
        return status_of({.seen = seen,
                          .reports = reports_.all(),
                          .elasticity = *elasticity_,
                          .settings = settings_,
                          .started = 77,
                          .remarks = {"a remark"}});
    }
    domain::StatusJob shown() {
        const domain::Status all = status(seen());
        EXPECT_EQ(all.jobs.size(), 1U);
        return all.jobs.empty() ? domain::StatusJob() : all.jobs.front();
    }
};

TEST_F(StatusTest, CountsGpusOfUsableNodes) {
    const domain::Status all = status(seen());
    EXPECT_EQ(all.cluster, "small");
    EXPECT_EQ(all.gpus, 20U) << "one of six nodes is down";
    EXPECT_EQ(all.idle, 18U);
    EXPECT_EQ(all.written, now_);
    EXPECT_EQ(all.started, 77);
    EXPECT_EQ(all.operating, "observe");
    EXPECT_EQ(all.policy, "hora");
    EXPECT_EQ(all.remarks, (std::vector<std::string>{"a remark"}));
    EXPECT_FALSE(all.host.empty());
}

TEST_F(StatusTest, OthersCountWhileTheyWaitForGpus) {
    const auto other = [](std::uint32_t id, slurm::JobState state, std::uint32_t gpus,
                          slurm::WaitsFor what) {
        ObservedJob job;
        job.id = id;
        job.state = state;
        job.gpus = gpus;
        job.waits_for = what;
        return job;
    };
    const auto waiting = slurm::JobState::pending;
    const domain::Status all =
        status(seen({other(8, waiting, 3, slurm::WaitsFor::resources),
                     other(9, waiting, 4, slurm::WaitsFor::resources),
                     other(10, waiting, 5, slurm::WaitsFor::dependency),
                     other(11, waiting, 0, slurm::WaitsFor::resources),
                     other(12, slurm::JobState::running, 6, slurm::WaitsFor::resources)}));
    EXPECT_EQ(all.others_waiting, 2U);
    EXPECT_EQ(all.others_gpus, 7U);
    EXPECT_EQ(all.jobs.size(), 1U);
}

TEST_F(StatusTest, NamesStatesAsSlurmDoes) {
    const struct {
        slurm::JobState state;
        bool is_completing;
        bool is_configuring;
        const char* name;
    } cases[] = {
        {slurm::JobState::pending, false, false, "PENDING"},
        {slurm::JobState::pending, true, false, "COMPLETING"},
        {slurm::JobState::running, false, false, "RUNNING"},
        {slurm::JobState::running, false, true, "CONFIGURING"},
        {slurm::JobState::suspended, false, false, "SUSPENDED"},
    };
    for (const auto& row : cases) {
        job_.state = row.state;
        job_.is_completing = row.is_completing;
        job_.is_configuring = row.is_configuring;
        EXPECT_EQ(shown().state, row.name);
    }
    job_.state = slurm::JobState::ended;
    EXPECT_TRUE(status(seen()).jobs.empty());
}

TEST_F(StatusTest, AJobThatWaitsHoldsNothing) {
    EXPECT_EQ(shown().gpus, 2U);
    EXPECT_EQ(shown().nodes, 1U);
    EXPECT_EQ(shown().started, now_ - 86'400);
    job_.state = slurm::JobState::pending;
    job_.gpus = 4;
    EXPECT_EQ(shown().gpus, 0U);
    EXPECT_EQ(shown().nodes, 0U);
    EXPECT_FALSE(shown().started);
    EXPECT_EQ(shown().requested, 2U) << "by its plan";
    EXPECT_EQ(shown().stays, "");
    memory_->decision.has_plan = false;
    EXPECT_EQ(shown().requested, 4U) << "without one, by its request";
}

TEST_F(StatusTest, ARangeIsTheOwnersOrOfOneSize) {
    EXPECT_TRUE(shown().is_elastic);
    EXPECT_EQ(shown().min, 1U);
    EXPECT_EQ(shown().max, 6U);
    memory_->options.gpus.reset();
    EXPECT_EQ(shown().min, 2U);
    EXPECT_EQ(shown().max, 2U);
    memory_->options.is_elastic = false;
    job_.state = slurm::JobState::pending;
    EXPECT_FALSE(shown().is_elastic);
    EXPECT_EQ(shown().stays, "not elastic; pending until Slurm starts it");
}

TEST_F(StatusTest, AnIdOfAnArrayIsShownAsSqueueHasIt) {
    job_.squeue_id = "5_3";
    EXPECT_EQ(shown().shown_id(), "7");
    job_.is_array = true;
    EXPECT_EQ(shown().shown_id(), "5_3");
}

TEST_F(StatusTest, ThePlansTimeOfSubmissionOutlivesRequeues) {
    EXPECT_EQ(shown().submitted, job_.submitted);
    memory_->decision.submitted = 500;
    EXPECT_EQ(shown().submitted, 500);
}

TEST_F(StatusTest, ProgressEndsWhereTheWorkDoes) {
    EXPECT_FALSE(shown().step || shown().share || shown().ends) << "nothing was reported";
    hear(25'000, 2);
    domain::StatusJob job = shown();
    EXPECT_EQ(job.step, 25'000U);
    EXPECT_EQ(job.share, 0.25) << "of 100,000 steps";
    EXPECT_EQ(job.step_seconds, Seconds(2));
    EXPECT_EQ(job.ends, now_ + 150'000);
    hear(100'000, 2);
    job = shown();
    EXPECT_EQ(job.share, 1.0);
    EXPECT_EQ(job.ends, now_);
    hear(120'000, 2);
    EXPECT_FALSE(shown().share || shown().ends) << "more than was stated: its end is not known";
    memory_->options.epochs.reset();
    EXPECT_FALSE(shown().share || shown().ends) << "how much work it is was not said";
    EXPECT_EQ(shown().step, 120'000U);
}

TEST_F(StatusTest, AnEarlierStartsSpeedIsNotThisOnes) {
    hear(25'000, 2);
    job_.restarts = 1;
    EXPECT_EQ(shown().share, 0.25);
    EXPECT_FALSE(shown().step_seconds || shown().ends);
}

TEST_F(StatusTest, AGainIsAgainstItsOwnRequestFromItsFirstStart) {
    hear(25'000, 2);
    EXPECT_FALSE(shown().gain) << "its speed at that size is not known yet";
    elasticity_->step(seen(), reports_, true);
    const domain::StatusJob job = shown();
    const auto& curves = elasticity_->seen().curves;
    ASSERT_TRUE(curves.contains(7));
    ASSERT_TRUE(job.gain && job.ends && job.started);
    const double rigid = curves.at(7)->step[1].count() * 100'000;
    EXPECT_DOUBLE_EQ(job.gain->count(), rigid - static_cast<double>(*job.ends - *job.started));
}

TEST_F(StatusTest, TellsWhatWasDecidedAndWhyNothingIsDone) {
    hear(25'000, 2);
    elasticity_->step(seen(), reports_, true);
    const domain::Status all = status(seen());
    const domain::StatusJob& job = all.jobs.front();
    ASSERT_TRUE(job.decision);
    EXPECT_EQ(*job.decision, elasticity_->decisions().at(7));
    EXPECT_EQ(all.next, elasticity_->next());
    EXPECT_FALSE(job.resize);
}

}  // namespace
}  // namespace hora::horad
