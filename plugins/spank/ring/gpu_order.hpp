// In which order does a ring pass the GPUs that a step has on one node?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::spank {

struct GpuOrder {
    std::vector<std::uint32_t> positions;  // of the GPUs as Slurm lists them, in ring order
    std::vector<std::uint32_t> gpus;       // their numbers on the node, in ring order
    Bandwidth bottleneck;                  // of the slowest link; 0: one GPU, or not known

    friend bool operator==(const GpuOrder&, const GpuOrder&) = default;
};

struct GpuRules {
    bool is_chain = false;  // an open path: the part of a ring inside one of several nodes
    bool may_move = true;   // false: only the figures of Slurm's order are wanted
};

// Slurm's numbers of GPUs are taken for the topology's. The order stays Slurm's where it is as good
// as any. On failure: the topology is not of this node.
Expected<GpuOrder> order_gpus(const domain::Topology& topology,
                              const std::vector<std::uint32_t>& gpus, GpuRules rules);

// "0,2,3"; nothing on anything else, and on more than 1024.
std::optional<std::vector<std::uint32_t>> read_gpu_list(std::string_view text);

// The same words in another order: "0,GPU-5d,2" by 2,0,1 is "2,0,GPU-5d". Nothing unless there are
// as many words as positions.
std::optional<std::string> reorder(std::string_view words,
                                   const std::vector<std::uint32_t>& positions);

}  // namespace hora::spank
