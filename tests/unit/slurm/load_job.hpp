// A stand-in of slurm_load_job(), for tests that say what slurmctld answers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plugins/slurm/compat.hpp"

namespace hora::tests {

struct JobAnswer {
    int load_error = 0;       // an error number in the place of the jobs
    bool has_message = true;  // false: success, and nothing else
    std::vector<slurm_job_info_t> jobs;
    std::int64_t clock = 1000;      // slurmctld's, as it answers
    std::function<void()> at_look;  // before each answer: what the world does meanwhile

    std::vector<std::uint32_t> loaded;  // the numbers of the jobs that were asked for

    int looks() const { return static_cast<int>(loaded.size()); }
};

// Each program of tests defines its own; it stays where it is until the next answer.
JobAnswer& job_answer();

}  // namespace hora::tests
