// Who holds how many GPUs, who waits, and what is known of each job's speed: what elasticity is
// decided on.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/policy_constants.hpp"

namespace hora::domain {

// GPUs of one node, by its place in a list of nodes.
struct NodeGpus {
    std::uint32_t node = 0;
    std::uint32_t gpus = 0;

    friend bool operator==(const NodeGpus&, const NodeGpus&) = default;
};

// What a time limit means.
enum class LimitKind {
    gpu_time,  // so much of the GPUs that it was stated for: each start has its limit by its own
    clock,     // so much time, whatever the job has
};

constexpr std::string_view limit_kind_names[] = {"gpu-time", "clock"};

constexpr std::string_view name_of(LimitKind kind) {
    return limit_kind_names[static_cast<std::size_t>(kind)];
}

// Of a limit in GPU-time, what a restart leaves: see elastic/worth/gpu_time.hpp.
struct GpuTime {
    Seconds left;                                              // on `gpus` of them, or more
    std::uint32_t gpus = 1;                                    // that the limit was stated for
    Seconds longest{std::numeric_limits<double>::infinity()};  // that a start may be given
};

// What a job has to do before its time limit ends it.
struct Deadline {
    Seconds left;       // that it may run from now on, as it is
    double epochs = 0;  // all that is left of it, by its owner's word; infinite: not said
    std::optional<GpuTime> gpu_time = {};  // empty: its limit goes by the clock
};

// The spans look at what the caller keeps: a decision copies no curve.
struct ElasticJob {
    std::uint64_t id = 0;
    bool is_elastic = true;  // false: it gets `requested` GPUs or none, and keeps them
    std::uint32_t gpus = 0;  // holds now; 0: it waits
    std::uint32_t min = 1;   // a started job keeps at least these
    std::uint32_t max = 1;   // >= min
    std::span<const std::uint32_t> sizes;  // allowed ones from min to max, ascending; empty: each
    std::uint32_t requested = 1;           // what its owner's request by itself would hold
    bool yields = false;                   // below that, to jobs that Hora has no say in
    double epochs_left = 0;                // may be a fraction; capped by its time limit
    // f(1), f(2), … of one epoch on so many GPUs. Beyond its end the last one holds, so that one
    // time is enough for a job that is never resized.
    std::span<const Seconds> epoch_seconds;
    // Relative standard error of each f(g); empty: all certain.
    std::span<const double> uncertainty;
    Seconds submitted;               // on the clock of `ElasticState::now`
    std::optional<Seconds> started;  // for the first time; empty: not yet
    Seconds resized;                 // its last start or restart; holds once it has started
    double attained = 0;             // GPU-seconds that it has had
    std::uint32_t restarts = 0;
    // When it would end if it had kept to its own request since its start; empty: not known.
    std::optional<Seconds> own_end;
    // What a restart costs this one, as measured; empty: what ElasticState says.
    std::optional<Seconds> rescale = {};
    std::optional<Deadline> deadline = {};  // empty: no time limit
};

struct ElasticState {
    Seconds now;
    std::uint32_t gpus = 0;     // for `jobs`: what they hold and what idles
    std::uint32_t waiting = 0;  // requests from outside `jobs` that wait for one GPU each
    std::uint32_t gpus_per_node = 1;
    Seconds rescale;               // what a restart costs a job that nothing better is known of
    std::vector<ElasticJob> jobs;  // in the order of their submission
    PolicyConstants constants{};

    Seconds rescale_of(const ElasticJob& job) const { return job.rescale.value_or(rescale); }
    // Below that a restart of the job is not worth it.
    Seconds least_saving_of(const ElasticJob& job) const {
        return rescale_of(job) * constants.least_gain;
    }

    std::uint32_t held() const {
        std::uint32_t sum = 0;
        for (const ElasticJob& job : jobs) {
            sum += job.gpus;
        }
        return sum;
    }
};

}  // namespace hora::domain
