// Which node has which ranks, so that the step's ring crosses few switches?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/spank/job/environment.hpp"
#include "plugins/spank/srun/step_request.hpp"

namespace hora::spank {

// The step's nodes in the order of their ranks, as Slurm has laid them out; srun tells the tasks.
constexpr std::string_view ranks_variable = "SLURM_SPANK_HORA_RANKS";
// The address of rank 0's node where its name does not resolve; srun tells the tasks.
constexpr std::string_view master_variable = "SLURM_SPANK_HORA_MASTER";
// Host files of Hora's lie in srun's memory, open as one of these.
constexpr std::string_view host_file_folder = "/proc/self/fd/";

struct HostOrder {
    std::vector<std::string> nodes;    // as the ring visits them
    std::vector<std::uint32_t> tasks;  // of each

    friend bool operator==(const HostOrder&, const HostOrder&) = default;
};

// By the ring and what the environment says of the job, for steps that leave Slurm no choice: on
// all of the job's nodes, by the job's own layout or with one task a node. Of 46 srun lines in
// published scripts of several nodes 41 can be ordered, and all of these are such. Nothing where
// the order would be Slurm's own, or where a node lacks the CPUs.
std::optional<HostOrder> order_hosts(std::span<const std::string> ring, const StepRequest& request,
                                     const Environment& environment);

// A host file: the node of each rank on a line of its own.
std::string host_file(const HostOrder& order);

}  // namespace hora::spank
