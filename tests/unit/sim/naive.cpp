// The same simulation second by second, with nothing clever in it: what the real one has to equal.
#include "tests/unit/sim/naive.hpp"

#include <cmath>

namespace hora::sim {
namespace {

struct Job {
    double left = 0;
    std::uint32_t gpus = 0;
    double pause = 0;  // of a rescale, still to come
    bool was_started = false;
    double end = -1;
};

// One second of a job; whether it ended.
bool train(Job& job, const domain::TrueSpeed& speed, double now) {
    const double time = std::max(0.0, 1 - job.pause);
    const double wait = 1 - time;
    job.pause = std::max(0.0, job.pause - 1);
    const double need = job.left * speed.epoch_seconds[job.gpus - 1].count();
    if (need <= time + 1e-9) {
        job.end = now + wait + need;
        job.gpus = 0;
        return true;
    }
    job.left -= time / speed.epoch_seconds[job.gpus - 1].count();
    return false;
}

}  // namespace

std::vector<double> naive_ends(const domain::JobTrace& trace, const elastic::Policy& policy,
                               const Setup& setup) {
    std::vector<Job> jobs;
    for (const domain::TraceJob& job : trace.jobs) {
        jobs.push_back({.left = job.epochs});
    }
    std::size_t ended = 0;
    bool has_change = false;
    for (double now = 0; ended < jobs.size() && now < 1e6; ++now) {
        domain::ElasticState state;
        state.now = Seconds(now);
        state.gpus = setup.gpus();
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const domain::TraceJob& described = trace.jobs[i];
            has_change = has_change || described.submitted == Seconds(now);
            if (described.submitted > Seconds(now) || jobs[i].end >= 0) {
                continue;
            }
            domain::ElasticJob job;
            job.id = i;
            job.is_elastic = described.is_elastic;
            job.gpus = jobs[i].gpus;
            job.min = described.min;
            job.max = described.max;
            job.requested = described.requested;
            state.jobs.push_back(job);
        }
        const double round = setup.round.count();
        if (round > 0 ? std::fmod(now, round) == 0 : has_change) {
            const elastic::Allocation allocation = policy.decide(state);
            for (std::size_t place = 0; place < state.jobs.size(); ++place) {
                Job& job = jobs[state.jobs[place].id];
                if (job.gpus != allocation.gpus[place]) {
                    const bool is_charged = job.was_started || setup.charges_start;
                    job.gpus = allocation.gpus[place];
                    job.pause = is_charged ? setup.rescale.count() : 0;
                    job.was_started = true;
                }
            }
        }
        has_change = false;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            if (jobs[i].gpus > 0 && train(jobs[i], trace.speeds[trace.jobs[i].speed], now)) {
                ++ended;
                has_change = true;
            }
        }
    }
    std::vector<double> ends;
    for (const Job& job : jobs) {
        ends.push_back(job.end);
    }
    return ends;
}

}  // namespace hora::sim
