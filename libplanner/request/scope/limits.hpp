// How much may one job still ask for: the headroom of its QOS, association and partition.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/domain/snapshot.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

// Letters of a QOS, or of several with commas between; what is beyond them binds no job.
constexpr std::size_t longest_qos = 1024;

// Who the job will be charged to: what the user said, else the user's defaults.
struct Owner {
    std::string user;
    std::string account;
    std::string qos;
};

struct Limit {
    std::optional<std::uint32_t> most;
    std::string set_by;  // "QOS \"short\"", for the user
};

struct Limits {
    Limit gpus;
    Limit nodes;
    Limit cpus;
    Limit memory;   // MiB
    Limit billing;  // in the weights of its partition
    Limit gpus_of_node;
    Limit cpus_of_node;
    std::optional<Seconds> max_time;
};

// What `charged` leaves open is the user's default, of the QOS in this account and partition.
Owner owner_of(std::uint32_t uid, Owner charged, std::string_view partition,
               const domain::Snapshot& snapshot);
Owner owner_of(const Submission& submission, const domain::Partition& partition,
               const domain::Snapshot& snapshot);

// What binds the job in this partition. As in Slurm, of each kind of limit the first that is set
// holds: in the partition's QOS, in the job's, in the association (a QOS may go before the
// partition's). The partition's own numbers bind beside them. `own`: what the job holds already and
// would give up first, so that it counts as left.
Limits limits_of(const Owner& owner, const domain::Partition& partition,
                 const domain::Snapshot& snapshot, const domain::Caps& own = {});

// What a job of this size takes of its limits.
struct Claim {
    std::uint32_t nodes = 1;
    std::uint32_t gpus_per_node = 1;
    std::uint32_t cpus_per_node = 1;
    std::uint64_t memory = 0;   // MiB of all nodes; 0: not known
    std::uint64_t billing = 0;  // 0: not known
};

// The limit that this would pass, in words: "QOS \"short\" leaves it 4 CPUs"; "": none. Of a
// request whose size is still to be chosen, narrowed() keeps the range within the limits.
std::string why_over(const Limits& limits, const Claim& claim);

// A limit of memory, as the limit of nodes, CPUs or GPUs that it is to a job that asks for its
// memory by these.
void lower_by_memory(Limits& limits, const Submission& submission);

}  // namespace hora::request
