// What do users say of the jobs of a trace that the trace does not?
#include "libplanner/sim/workload/user_input.hpp"

#include <cmath>

#include "libplanner/sim/workload/true_speed.hpp"

namespace hora::sim {
namespace {

// Of each kind of draw, so that one does not follow from the other.
constexpr std::uint64_t of_elastic = 0xe1a571c;
constexpr std::uint64_t of_yielding = 0x91e1d;
constexpr std::uint64_t of_suspending = 0x5057e4d;
constexpr std::uint64_t of_statements = 0x57a7ed;

// What only an elastic job's owner may say.
void allow(bool domain::TraceJob::*what, domain::JobTrace& trace, double share, Random random) {
    for (domain::TraceJob& job : trace.jobs) {
        const bool is_drawn = random.unit() < share;
        job.*what = job.*what || (job.is_elastic && is_drawn);
    }
}

}  // namespace

void keep_elastic(domain::JobTrace& trace, double share, std::uint64_t seed) {
    keep_elastic(trace, share, Random(seed ^ of_elastic));
}

void keep_elastic(domain::JobTrace& trace, double share, Random random) {
    for (domain::TraceJob& job : trace.jobs) {
        const bool is_drawn = random.unit() < share;
        if (job.is_elastic && !is_drawn) {
            job.is_elastic = job.yields = job.suspends = false;
            job.min = job.max = job.requested;
            job.sizes.clear();
            job.range.reset();
        }
    }
}

void let_yield(domain::JobTrace& trace, double share, std::uint64_t seed) {
    allow(&domain::TraceJob::yields, trace, share, Random(seed ^ of_yielding));
}

void let_suspend(domain::JobTrace& trace, double share, std::uint64_t seed) {
    allow(&domain::TraceJob::suspends, trace, share, Random(seed ^ of_suspending));
}

void set_limits(domain::JobTrace& trace, double factor, Seconds start) {
    constexpr Seconds minute(60);
    for (domain::TraceJob& job : trace.jobs) {
        if (!job.limit) {
            const Seconds own = start + job.epochs * epoch_on_request(trace, job);
            job.limit = minute * std::ceil(factor * (own / minute));
        }
    }
}

void misstate(domain::JobTrace& trace, double deviation, std::uint64_t seed) {
    Random random(seed ^ of_statements);
    for (domain::TraceJob& job : trace.jobs) {
        job.stated_epochs = job.epochs * std::exp(deviation * random.normal());
    }
}

}  // namespace hora::sim
