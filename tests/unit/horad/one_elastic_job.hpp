// A daemon in mode "observe" that sees one elastic job of 1 to 6 GPUs, 2 of which it has had for a
// day on n1. Nothing here asks slurmctld.
#pragma once

#include <gtest/gtest.h>

#include <ctime>
#include <memory>
#include <string>

#include "scripts/horad/elastic/elasticity.hpp"
#include "tests/unit/horad/resize/planned_job.hpp"
#include "tests/unit/request/cluster.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {

class OneElasticJob : public testing::Test {
  protected:
    OneElasticJob() {
        EXPECT_TRUE(settings_.set("history.path", folder_.file("history.db"),
                                  read::Origin::command_line, ""));
        // It grows into what it sees idle for the first time.
        EXPECT_TRUE(settings_.set("elastic.cooldown", "0 s", read::Origin::command_line, ""));
        elasticity_ = std::make_unique<Elasticity>(journal_, settings_, plans_, log_);
        memory_->options.batch = 10;
        memory_->options.samples = 1000;
        memory_->options.epochs = 1000;
        job_.id = 7;
        job_.uid = 4'000'000;
        job_.partition = "p";
        job_.state = slurm::JobState::running;
        job_.gpus = 2;
        job_.shape.nodes = 1;
        job_.where = "n1";
        job_.submitted = now_ - 90'000;
        job_.started = now_ - 86'400;
        job_.memory = memory_;
    }

    Observation seen(std::vector<ObservedJob> others = {}) const {
        domain::Snapshot cluster = request::small_cluster();
        cluster.cluster.gpus[0].is_free = cluster.cluster.gpus[1].is_free = false;
        cluster.states[5].is_usable = false;
        Observation observation;
        observation.now = now_;
        observation.cluster = std::make_shared<const domain::Snapshot>(cluster);
        observation.jobs = std::move(others);
        observation.jobs.insert(observation.jobs.begin(), job_);
        return observation;
    }
    void hear(std::uint64_t step, double seconds, std::uint32_t restarts = 0) {
        reports_.put({.job = 7,
                      .restarts = restarts,
                      .kind = slurm::ReportKind::progress,
                      .step = step,
                      .epoch = 1,
                      .samples = 10 * step,
                      .step_seconds = Seconds(seconds),
                      .gpus = 2,
                      .nodes = 1},
                     static_cast<double>(now_));
    }

    const std::int64_t now_ = std::time(nullptr);
    const tests::ScratchFolder folder_;
    Log log_;
    read::Settings settings_;
    JournalFile journal_{folder_.path()};
    Plans plans_{slurm::PlanSpool(folder_.file("plans")), [] { return nullptr; }, log_};
    std::unique_ptr<Elasticity> elasticity_;
    std::shared_ptr<JobMemory> memory_ = elastic_memory();
    ObservedJob job_;
    Reports reports_;
};

}  // namespace hora::horad
