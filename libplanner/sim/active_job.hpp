// What of a job that has come and not ended is seen by the simulation alone, and what by a policy?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/elastic.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/elastic/speed/speed_model.hpp"
#include "libplanner/sim/placement.hpp"

namespace hora::sim {

struct ActiveJob {
    std::uint32_t job = 0;    // into JobTrace::jobs
    double left = 1;          // epochs at its last start
    double attained = 0;      // GPU-seconds up to its last start
    Seconds limit_used;       // of its time limit, up to its last start
    Seconds trains_from;      // since its last start, when the rescale is over
    Seconds epoch;            // actual, where it runs now
    std::uint64_t batch = 0;  // that it trains with; 0: it has one
    // As the policy knows it; the spans of its ElasticJob look into it.
    std::shared_ptr<const elastic::SpeedCurve> curve;
    std::uint32_t starts = 0;
    std::uint32_t asks = 0;   // of one that waits: the GPUs that Slurm is to give it
    Seconds rests_until;      // not resized before
    Seconds suspended_until;  // not started before
    bool has_ended = false;
    Shares shares;

    // Epochs at a moment since its last start.
    double left_at(Seconds now) const;
};

// Epochs that are left by its owner's word, of which `left` are left in truth.
double stated_left(const domain::TraceJob& job, double left);

// As it comes, but for its speed. Its sizes are those of the trace.
domain::ElasticJob as_submitted(std::uint32_t id, const domain::TraceJob& job,
                                std::uint32_t cluster_gpus);

// Where a job is among those, which are in the order of the trace; where it would be if it is not.
std::size_t place_of(std::uint32_t job, std::span<const ActiveJob> active);

// Both lists have the same jobs, at the same places.
void remove_ended(std::vector<ActiveJob>& active, std::vector<domain::ElasticJob>& seen);

}  // namespace hora::sim
