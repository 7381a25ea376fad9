// What slurmctld answers to the calls of plugins/slurm/messages.hpp and its neighbours.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/slurm/load_job.hpp"

namespace hora::tests {

struct Answers : JobAnswer {
    Answers();

    int error = 0;          // of every call but slurm_load_job() and slurm_ping()
    bool is_empty = false;  // success, and no message
    slurm_conf_t configuration{};
    std::vector<node_info_t> nodes;
    std::vector<bool> is_up;             // controllers, by place
    const char* printed_node = nullptr;  // as `scontrol show node` prints it
};

// Anew for each test.
Answers& restart_answers();
Answers& answers();

}  // namespace hora::tests
