// Does a search for a plan hold slurmctld up no longer than submit.budget, and what gets the job?
#include <gtest/gtest.h>

#include <string>

#include "plugins/job_submit/handle.hpp"
#include "tests/bench/submissions.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/job_submit/place.hpp"

namespace hora::submit {
namespace {

// Nodes that started jobs at speeds of their own, of two types: the most that there is to search.
domain::Snapshot uneven_snapshot(std::uint32_t nodes) {
    domain::Snapshot snapshot = bench::snapshot_of(nodes);
    domain::Device other = snapshot.cluster.devices.front();
    other.name = "b200";
    snapshot.cluster.devices.push_back(other);
    for (std::uint32_t node = 0; node < nodes; ++node) {
        snapshot.cluster.nodes[node].overhead = Seconds(0.001 * node);
    }
    for (domain::Gpu& gpu : snapshot.cluster.gpus) {
        gpu.device = gpu.node % 2;
    }
    return snapshot;
}

struct Outcome {
    int result = 0;
    std::string message;
    std::string gpus;
};

Outcome submit_hardest(Place& place, int batch) {
    Job job;
    job->script = daemon_string("#!/bin/sh\n");
    job.spank({bench::option_prefix + "model=resnet50", bench::batch_option(batch),
               bench::option_prefix + "gpus=1-1000000",
               bench::option_prefix + "accepts=balanced,async"});
    char* message = nullptr;
    Outcome outcome;
    outcome.result = handle(&place.site(), *job, 1000, &message);
    outcome.message = taken(message);
    outcome.gpus = taken(job->tres_per_node);
    return outcome;
}

TEST(Budget, ASearchThatIsOverItIsWithoutAPlan) {
    const struct {
        const char* rule;
        int result;
        std::string message;
    } cases[] = {
        {"default", SLURM_SUCCESS,
         "hora: no plan: the search for a plan took longer than submit.budget; 1 GPU requested "
         "from "
         "Slurm without one"},
        {"refuse", ESLURM_INVALID_TRES,
         "hora: no plan: the search for a plan took longer than submit.budget; submit again later, "
         "or request GPUs yourself (--gres=gpu:N)"},
        {"pass", SLURM_SUCCESS,
         "hora: no plan; submitted unchanged, without GPUs: the search for a plan took longer than "
         "submit.budget"},
    };
    for (const auto& test : cases) {
        Place place(uneven_snapshot(1000), "[submit]\nbudget = \"1 ms\"\nwithout_plan = \"" +
                                               std::string(test.rule) + "\"\n");
        const Outcome outcome = submit_hardest(place, 1'000'000);
        EXPECT_EQ(outcome.result, test.result) << test.rule;
        EXPECT_EQ(outcome.message, test.message) << test.rule;
    }
}

TEST(Budget, WithTimeTheSameJobHasAPlan) {
    Place place(uneven_snapshot(16), "[submit]\nbudget = \"1000 s\"\n");
    const Outcome outcome = submit_hardest(place, 4096);
    EXPECT_EQ(outcome.result, SLURM_SUCCESS);
    EXPECT_NE(outcome.message.find(" a step"), std::string::npos) << outcome.message;
}

}  // namespace
}  // namespace hora::submit
