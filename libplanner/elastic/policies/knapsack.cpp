// Which running jobs grow into idle GPUs, and which give some back to those who wait?
#include "libplanner/elastic/policies/knapsack.hpp"

#include <algorithm>
#include <vector>

#include "libplanner/elastic/policies/grouped_knapsack.hpp"
#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;
using domain::ElasticState;

double saved(const ElasticJob& job, std::uint32_t from, std::uint32_t to) {
    return (remaining_time(job, from) - remaining_time(job, to)).count();
}

// delta(inc) for each allowed size above the one held; nothing for a job that waits or is rigid.
Group growth(const ElasticJob& job, std::uint32_t held, std::uint64_t idle) {
    Group group;
    if (!job.is_elastic || held == 0) {
        return group;
    }
    for (std::uint32_t size = next_size(job, held); size != 0 && size - held <= idle;
         size = next_size(job, size)) {
        group.push_back({size - held, saved(job, held, size)});
    }
    return group;
}

// -nabla(dec) for each allowed size below the one held, by ascending dec.
Group shrinkage(const ElasticJob& job) {
    Group group;
    if (!job.is_elastic || job.gpus == 0) {
        return group;
    }
    for (std::uint32_t size = largest_size(job, job.gpus - 1); size != 0;
         size = largest_size(job, size - 1)) {
        group.push_back({job.gpus - size, saved(job, job.gpus, size)});
    }
    return group;
}

// What those who wait take, first come, first served, of `gpus` that are idle or may be given back.
// Requests from outside count as the first: they have waited at least since the last decision.
struct Claims {
    std::uint64_t sum = 0;
    std::vector<std::size_t> jobs;  // that start
    bool is_blocked = false;        // somebody waits on
};

Claims claims(const ElasticState& state, std::uint64_t gpus) {
    Claims result;
    result.sum = std::min<std::uint64_t>(state.waiting, gpus);
    result.is_blocked = state.waiting > 0;
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        const ElasticJob& job = state.jobs[i];
        if (job.gpus > 0) {
            continue;
        }
        const std::uint32_t wanted = lowest_size(job);
        if (wanted == 0 || result.sum + wanted > gpus) {
            result.is_blocked = true;
            break;
        }
        result.sum += wanted;
        result.jobs.push_back(i);
    }
    return result;
}

void grow(const ElasticState& state, std::uint64_t idle, Allocation& result) {
    std::vector<Group> groups;
    groups.reserve(state.jobs.size());
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        groups.push_back(growth(state.jobs[i], result.gpus[i], idle));
    }
    const Packing packing = pack_at_most(groups, static_cast<std::uint32_t>(idle));
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        result.gpus[i] += packing.weights[i];
    }
    result.objective = packing.value;
}

void shrink(const ElasticState& state, std::uint64_t wanted, Allocation& result) {
    std::vector<Group> groups;
    groups.reserve(state.jobs.size());
    for (const ElasticJob& job : state.jobs) {
        groups.push_back(shrinkage(job));
    }
    const Packing packing = pack_at_least(groups, static_cast<std::uint32_t>(wanted));
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        result.gpus[i] -= packing.weights[i];
    }
    result.objective = -packing.value;
}

}  // namespace

Allocation Knapsack::decide(const ElasticState& state) const {
    Allocation result;
    result.gpus.reserve(state.jobs.size());
    std::uint64_t held = 0;
    std::uint64_t floors = 0;
    for (const ElasticJob& job : state.jobs) {
        result.gpus.push_back(job.gpus);
        held += job.gpus;
        floors += floor_size(job);
    }
    const std::uint64_t idle = state.gpus > held ? state.gpus - held : 0;
    const Claims claimed = claims(state, idle + (held - floors));
    if (claimed.sum > idle) {
        shrink(state, claimed.sum - idle, result);
    }
    for (const std::size_t job : claimed.jobs) {
        result.gpus[job] = lowest_size(state.jobs[job]);
    }
    if (claimed.sum < idle && !claimed.is_blocked) {
        grow(state, idle - claimed.sum, result);
    }
    return result;
}

}  // namespace hora::elastic
