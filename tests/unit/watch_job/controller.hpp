// A slurmctld of the tests' own: what it is sent, and what it answers.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/load_job.hpp"

namespace hora::watch {

struct Controller : tests::JobAnswer {
    // Its other answers; an error number in the place of one.
    int node_error = 0;
    int configuration_error = 0;
    int requeue_error = 0;
    std::vector<int> update_errors;  // of one update after another; 0 beyond them
    std::int64_t booted = 1;
    std::uint32_t controllers = 1;
    bool is_first_up = true;  // of the hosts that may run slurmctld
    std::string node = "n1";
    std::int64_t slurmd_started = 1;
    std::string proctrack = "proctrack/linuxproc";

    // Before the answer: what the world does meanwhile.
    std::function<void()> at_requeue;

    // What it was sent, in words.
    std::vector<std::string> updates;
    std::vector<std::string> requeued;
};

Controller& controller();

// Job 12, which runs on n1.
slurm_job_info_t running_job();

// It alone, in its start 2.
class OneRunningJob : public testing::Test {
  protected:
    void SetUp() override {
        controller() = {};
        controller().jobs = {running_job()};
        job().restart_cnt = 2;
    }
    void TearDown() override { controller() = {}; }

    static slurm_job_info_t& job() { return controller().jobs[0]; }
};

}  // namespace hora::watch
