// Which pending jobs are looked at for a new plan?
#include "scripts/horad/pending/replanner.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

namespace hora::horad {
namespace {

TEST(Replanner, looks_at_jobs_that_wait_for_gpus_and_nothing_else) {
    ObservedJob job;
    job.state = slurm::JobState::pending;
    job.hold = slurm::Hold::none;
    job.waits_for = slurm::WaitsFor::resources;
    job.is_batch = true;
    job.eligible = 1000;
    auto memory = std::make_shared<JobMemory>();
    memory->decision.has_plan = true;
    memory->decision.operating = "act";
    memory->decision.snapshot = 1000;
    job.memory = memory;
    const Seconds pause(600);
    EXPECT_TRUE(may_be_planned_anew(job, 1600, pause));
    EXPECT_FALSE(may_be_planned_anew(job, 1599, pause)) << "too soon";
    EXPECT_FALSE(may_be_planned_anew(job, 1600, Seconds(0))) << "never";

    auto later = std::make_shared<JobMemory>(*memory);
    later->decision.snapshot = 1'000'000;
    job.memory = later;
    EXPECT_TRUE(may_be_planned_anew(job, 1600, pause)) << "the clock was set back";
    job.memory = memory;

    struct Change {
        const char* sentence;
        std::function<void(ObservedJob&, JobMemory&)> make;
    };
    const Change changes[] = {
        {"it runs", [](auto& one, auto&) { one.state = slurm::JobState::running; }},
        {"it is held", [](auto& one, auto&) { one.hold = slurm::Hold::user; }},
        {"it depends", [](auto& one, auto&) { one.waits_for = slurm::WaitsFor::dependency; }},
        {"a limit holds it", [](auto& one, auto&) { one.waits_for = slurm::WaitsFor::limit; }},
        {"it is to begin later", [](auto& one, auto&) { one.eligible = 1700; }},
        {"it is being cleaned up", [](auto& one, auto&) { one.is_completing = true; }},
        {"it ran before", [](auto& one, auto&) { one.restarts = 1; }},
        {"it is an array", [](auto& one, auto&) { one.is_array = true; }},
        {"it was planned a moment ago", [](auto&, auto& kept) { kept.decision.snapshot = 1500; }},
        {"its plan was remade a moment ago",
         [](auto&, auto& kept) { kept.decision.replanned.when = 1500; }},
        {"Hora only watched", [](auto&, auto& kept) { kept.decision.operating = "observe"; }},
        {"it can never run", [](auto& one, auto&) { one.hold = slurm::Hold::impossible; }},
        {"it has no time to begin", [](auto& one, auto&) { one.eligible = 0; }},
        {"it is a component", [](auto& one, auto&) { one.is_het = true; }},
        {"it has no script", [](auto& one, auto&) { one.is_batch = false; }},
        {"its owner wants Hora off", [](auto&, auto& kept) { kept.options.is_off = true; }},
        {"it has no plan", [](auto&, auto& kept) { kept.decision.has_plan = false; }},
        {"Hora knows nothing of it", [](auto& one, auto&) { one.memory = nullptr; }},
    };
    for (const Change& change : changes) {
        ObservedJob other = job;
        auto kept = std::make_shared<JobMemory>(*memory);
        other.memory = kept;
        change.make(other, *kept);
        EXPECT_FALSE(may_be_planned_anew(other, 1600, pause)) << change.sentence;
    }
    job.waits_for = slurm::WaitsFor::nodes;
    EXPECT_TRUE(may_be_planned_anew(job, 1600, pause)) << "its nodes are down";
}

}  // namespace
}  // namespace hora::horad
