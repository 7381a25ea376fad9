// Which node has which ranks, so that the step's ring crosses few switches?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/spank/job/environment.hpp"
#include "plugins/spank/ring/node_ring.hpp"
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
    // Only while no other step of the job runs: Slurm could give this one other nodes or CPUs.
    bool needs_job_alone = false;

    friend bool operator==(const HostOrder&, const HostOrder&) = default;
};

// By the ring and what the environment says of the job. Each node gets as many tasks as Slurm would
// give it; nothing where that cannot be told, where the order would be Slurm's own, or where a node
// lacks the CPUs.
std::optional<HostOrder> order_hosts(const NodeRing& ring, const StepRequest& request,
                                     const Environment& environment);

// A host file: the node of each rank on a line of its own.
std::string host_file(const HostOrder& order);

}  // namespace hora::spank
