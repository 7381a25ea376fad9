// Is a job found by its number, and is what it waits for known?
#include "scripts/horad/observe/observation.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

TEST(Observation, finds_a_job_by_its_number) {
    Observation seen;
    EXPECT_EQ(seen.find(1), nullptr);
    for (const std::uint32_t id : {2U, 5U, 4294967295U}) {
        ObservedJob job;
        job.id = id;
        seen.jobs.push_back(job);
    }
    for (const ObservedJob& job : seen.jobs) {
        EXPECT_EQ(seen.find(job.id), &job);
    }
    for (const std::uint32_t id : {0U, 1U, 3U, 6U, 4294967294U}) {
        EXPECT_EQ(seen.find(id), nullptr) << id;
    }
}

TEST(Observation, knows_jobs_that_wait_for_gpus_and_nothing_else) {
    using slurm::JobState;
    struct Case {
        const char* name;
        void (*change)(ObservedJob& job);
        bool waits;
    };
    const Case cases[] = {
        {"for GPUs", [](ObservedJob&) {}, true},
        {"it runs", [](ObservedJob& job) { job.state = JobState::running; }, false},
        {"it is being cleaned up", [](ObservedJob& job) { job.is_completing = true; }, false},
        {"it wants no GPUs", [](ObservedJob& job) { job.gpus = 0; }, false},
        {"it is held", [](ObservedJob& job) { job.hold = slurm::Hold::user; }, false},
        {"it can never run", [](ObservedJob& job) { job.hold = slurm::Hold::impossible; }, false},
        {"for nodes", [](ObservedJob& job) { job.waits_for = slurm::WaitsFor::nodes; }, false},
        {"for a limit", [](ObservedJob& job) { job.waits_for = slurm::WaitsFor::limit; }, false},
        {"it cannot begin", [](ObservedJob& job) { job.eligible = 0; }, false},
        {"it begins in a second", [](ObservedJob& job) { job.eligible = 101; }, false},
    };
    for (const Case& each : cases) {
        ObservedJob job;
        job.state = JobState::pending;
        job.gpus = 1;
        job.waits_for = slurm::WaitsFor::resources;
        job.eligible = 100;
        each.change(job);
        EXPECT_EQ(waits_for_gpus(job, 100), each.waits) << each.name;
    }
}

TEST(Observation, keeps_a_job_waiting_for_gpus_while_nodes_are_reserved_for_a_restart) {
    using slurm::WaitsFor;
    struct Case {
        const char* name;
        std::optional<WaitsFor> before;  // empty: it was not there
        WaitsFor now;
        WaitsFor kept;
    };
    const Case cases[] = {
        {"it waited for GPUs", WaitsFor::resources, WaitsFor::nodes, WaitsFor::resources},
        {"it waits for GPUs", WaitsFor::resources, WaitsFor::resources, WaitsFor::resources},
        {"it has reached a limit", WaitsFor::resources, WaitsFor::limit, WaitsFor::limit},
        {"it waited for nodes before", WaitsFor::nodes, WaitsFor::nodes, WaitsFor::nodes},
        {"it was at a limit", WaitsFor::limit, WaitsFor::nodes, WaitsFor::nodes},
        {"it has only come", std::nullopt, WaitsFor::nodes, WaitsFor::nodes},
    };
    for (const Case& each : cases) {
        Observation before;
        ObservedJob job;
        job.id = 7;
        if (each.before) {
            job.waits_for = *each.before;
            before.jobs.push_back(job);
        }
        job.waits_for = each.now;
        std::vector<ObservedJob> jobs{job};
        keep_waiting_for_gpus(before, jobs);
        EXPECT_EQ(jobs.front().waits_for, each.kept) << each.name;
    }
}

}  // namespace
}  // namespace hora::horad
