// On which ports do the tasks of a step find each other?
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hora::spank {

struct PortRange {
    std::uint16_t first = 0;
    std::uint16_t count = 1;  // from 128 on, the promises below hold
};

struct StepName {
    std::uint32_t job = 0;
    std::uint32_t step = 0;
};

// The step a batch script counts as here; far beyond what scripts reach at a time.
constexpr std::uint32_t batch_step = 63;

// The port of rank 0, the same for all tasks of a step, from the lower half of the range. The steps
// of a job follow each other, and jobs lie 64 ports apart: two meet on one port only when their ids
// are (size of the half / 64) jobs apart, so neighbours in time, which share nodes, do not.
std::uint16_t master_port(PortRange range, StepName step);

// The port of a task that listens for itself (TF_CONFIG), from the upper half: those of one node
// differ up to 64 tasks.
std::uint16_t task_port(PortRange range, StepName step, std::uint32_t local_rank);

// "33504-33505,33510" as ports: what Slurm keeps free for a step on all its nodes. Empty on
// anything else.
std::vector<std::uint16_t> read_reserved_ports(std::string_view text);

}  // namespace hora::spank
