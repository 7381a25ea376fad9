// Of the changes that were made to a pending job one after another: how does it come back to what
// its owner asked for, and what can be spared of that?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/journal/pending_change.hpp"

namespace hora::horad {

// Does a job that asks for `now` ask for the size that it was given? Its GPUs need not be close
// together any more, once it has waited for long enough.
bool asks_for_size(const slurm::JobShape& given, const slurm::JobShape& now);

// Does it still ask for what this change gave it? Of features counts only what that has changed.
bool still_asks_for(const PendingChange& change, const PendingRequest& now);

// Of a job as it stands.
PendingRequest request_of(const slurm::Job& job);

// What gives the job, as it stands, back what it asked for before. Its priority is given back by a
// call of its own.
slurm::JobChange back_to(const PendingChange& change, const slurm::Job& job);

struct Spared {
    std::optional<PendingChange> joined;  // in the place of the one of its number
    std::vector<std::uint64_t> forgotten;
};

// `changes`: of one job, ascending by number; two or more. What its owner asked for last stays.
Spared spare_one(const std::vector<PendingChange>& changes);

}  // namespace hora::horad
