// Which GPUs may this job be given: by partition, state, constraint, node lists, reservation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

struct Scope {
    std::vector<std::uint32_t> nodes;  // that the job may be given, ascending
    // -w: the job gets each of these; empty where the user named none.
    bool is_fixed_to_nodes = false;
};

// For how many of what needs so many MiB each the node has enough memory: any number (the largest
// value) where nothing is requested or the node's memory is not known.
std::uint64_t memory_bound(const domain::NodeState& state, std::optional<std::uint64_t> each);

// When the job may run: `now` in seconds since the epoch, and for how long at most.
struct Window {
    std::int64_t now = 0;
    Seconds lasts;
};

// Fails, in words for the user, where the request leaves no node or is of a kind that is not
// narrowed here.
Expected<Scope> scope_of(const Submission& submission, const domain::Partition& partition,
                         const domain::Snapshot& snapshot, Window window);

}  // namespace hora::request
