// What does a job take of limits besides its nodes, CPUs and GPUs, and how does that follow its
// size?
#pragma once

#include <slurm/slurm.h>

#include <cstdint>
#include <string_view>

namespace hora::slurm {

// `most`: what grows fastest of the others; a bound where the rule is the partition's and not
// known.
enum class MemoryFollows { nodes, cpus, most };

struct Charge {
    std::uint64_t memory = 0;   // MiB of all nodes; 0: not said
    std::uint64_t billing = 0;  // as the partition weighs; 0: not said
    MemoryFollows memory_follows = MemoryFollows::most;

    friend bool operator==(const Charge&, const Charge&) = default;
};

// Of "cpu=4,mem=62.50G,node=1,billing=4,gres/gpu=4"; what cannot be read is not said.
Charge read_charge(std::string_view tres);

// Of what the job holds, or of what it asks for while it is pending.
Charge charge_of(const slurm_job_info_t& job);

}  // namespace hora::slurm
