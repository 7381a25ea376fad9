// On how many GPUs does a job end before its time limit ends it?
//
// Slurm ends a job at its time limit wherever it is, so that one on fewer GPUs than its owner asked
// for could be lost by that alone. Where limits are in GPU-time (gpu_time.hpp) it cannot, but for
// its restarts: there a size up to its request, or one that is not slower, counts as one on which
// it ends in time if a restart takes next to nothing of what is left. Times are believed with a
// margin: a tenth, and two standard errors of what is not sure. The size that it holds needs no
// restart and is believed with one, so that a job does not go to and fro between two sizes.
#pragma once

#include <cstdint>

#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

struct NeededSize {
    std::uint32_t gpus = 0;
    bool is_enough = true;  // false: it ends in time on none; then these are its own request's
};

// The least size on which it ends in time, a restart that leads there included. Of one that ends in
// time on what it holds, so do all between that and this. Without a time limit its lowest size.
// O(sizes).
NeededSize needed_size(const domain::ElasticJob& job, Seconds rescale);

// The size that it gets before any job gets more than its lowest, because it would not end in
// time on what it holds: at most its own request, but for one that would have ended in time on
// that, and is behind since it had less. 0: none.
std::uint32_t late_size(const domain::ElasticJob& job, Seconds now, Seconds rescale);

// Does it end in time as it is, but not, for all that is sure, if it restarts with `gpus`?
bool endangers(const domain::ElasticJob& job, std::uint32_t gpus, Seconds rescale);

// What it may fall back to where it does not get the `gpus` that it restarts for: the least from
// which on each size ends in time although it restarts. Where not even `gpus` do: its own request,
// what it held or `gpus`, whatever is least. Without a time limit its lowest size.
std::uint32_t least_fallback(const domain::ElasticJob& job, std::uint32_t gpus, Seconds rescale);

// Raises the minimum of each job to what it needs: of one that has started to no more than it
// holds, of one that waits to no more than its own request, for it is not to wait longer.
void heed_deadlines(domain::ElasticState& state);

}  // namespace hora::elastic
