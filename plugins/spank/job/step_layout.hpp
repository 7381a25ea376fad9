// Where does a task stand in its step?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/spank/job/environment.hpp"

namespace hora::spank {

struct StepLayout {
    std::uint32_t rank = 0;
    std::uint32_t world = 1;
    std::uint32_t local_rank = 0;
    std::uint32_t local_world = 1;
    std::uint32_t node = 0;                     // index into the two lists below
    std::vector<std::string> nodes;             // of the step, in Slurm's order or by rank
    std::vector<std::uint32_t> tasks_per_node;  // sums to world
    bool is_by_rank = false;                    // is that the order of the nodes' lowest ranks?

    // The task's place when the nodes are gone through one after the other; the same as the rank
    // unless the ranks are dealt out cyclically.
    std::uint32_t place() const;
};

// Reads "2(x3),1" as 2,2,2,1. Fails on anything else and on more than 2^20 tasks or nodes.
Expected<std::vector<std::uint32_t>> read_tasks_per_node(std::string_view text);

// From what Slurm sets for each task of a step; in a heterogeneous step these speak of the whole
// step. Fails where they are missing or disagree.
Expected<StepLayout> read_step_layout(const Environment& environment);

// Goes through the nodes in the order of their lowest ranks from now on, so that a task's place is
// its rank unless they are dealt out cyclically; leaves the layout alone unless `ranked` has the
// same nodes.
void order_by_rank(StepLayout& layout, const std::vector<std::string>& ranked);

}  // namespace hora::spank
