// What do users say of the jobs of a trace that the trace does not?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/domain/job_trace.hpp"
#include "libplanner/sim/workload/random.hpp"

namespace hora::sim {

struct UserInput {
    double elastic_share = 1;         // of the jobs that could be elastic
    double yield_share = 0;           // of the elastic jobs: with --hora-yield
    double suspend_share = 0;         // likewise: with --hora-suspend
    std::optional<double> limit = 3;  // times what a job takes on its own request; empty: none
    double stated_error = 0;          // of the epochs stated: see misstate()
    // Elastic jobs of a trace train with any batch that the speeds have: as with a range in
    // --hora-batch.
    bool any_batch = false;
};

// Only so many of the elastic jobs stay elastic: each with the probability `share`, drawn by the
// seed, so that who is elastic with one share is so with a greater one. The others keep to their
// requests.
void keep_elastic(domain::JobTrace& trace, double share, std::uint64_t seed);
void keep_elastic(domain::JobTrace& trace, double share, Random random);

// Of the elastic jobs so many also give up GPUs of their own requests for others, drawn likewise.
void let_yield(domain::JobTrace& trace, double share, std::uint64_t seed);

// And so many may be suspended.
void let_suspend(domain::JobTrace& trace, double share, std::uint64_t seed);

// Jobs without a time limit get one: `factor` times what they take on their own requests, with a
// start that takes so long, in whole minutes.
void set_limits(domain::JobTrace& trace, double factor, Seconds start = Seconds(0));

// Owners state another number of epochs than there are: by a factor with this standard deviation of
// its logarithm, drawn by the seed.
void misstate(domain::JobTrace& trace, double deviation, std::uint64_t seed);

}  // namespace hora::sim
