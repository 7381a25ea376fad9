// Which jobs share which GPUs, and what is known of each?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libplanner/cost/rescale_cost.hpp"
#include "libplanner/elastic/state_of_jobs.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "scripts/horad/elastic/found_limits.hpp"
#include "scripts/horad/history/past_runs.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/noise_scales.hpp"
#include "scripts/horad/progress/reports.hpp"
#include "scripts/horad/progress/seen_speeds.hpp"

namespace hora::horad {

struct PoolSources {
    const Observation& seen;
    const std::map<std::uint32_t, JobReports>& reports;
    const PastRuns& past_runs;
    const std::vector<ResizeEntry>& under_way;
    // By job: until when, in seconds since the epoch, it is left alone because it could not be
    // resized.
    const std::map<std::uint32_t, std::int64_t>& rests;
    // Likewise, until when it is given no more GPUs, because it could not be: it may have fewer.
    const std::map<std::uint32_t, std::int64_t>& keep_sizes;
    // Likewise, until when it is not moved to fewer nodes.
    const std::map<std::uint32_t, std::int64_t>& keep_nodes;
    const FoundLimits& limits;
    SeenSpeeds& speeds;
    NoiseScales& noise_scales;
    // Jobs that wait with a size that an administrator asked for: they wait for no other.
    const std::set<std::uint32_t>& manual;
    // Jobs that wait with a size that a policy gave them.
    const std::set<std::uint32_t>& resized;
    const cost::RescaleCosts& rescales;  // as measured
    const read::Settings& settings;
    bool reserves_nodes = false;  // of jobs that are restarted, and slurmctld does it
};

// Each of GPUs of one type on the nodes of partitions that share nodes; a job stays in its own.
std::vector<elastic::Pool> pools_of(const PoolSources& sources);

// A job and the pool that has it, which outlives this.
struct PooledJob {
    const elastic::SeenJob& job;
    const elastic::Pool& pool;
};

// Empty: no pool has it.
std::optional<PooledJob> find_job(std::uint32_t job, const std::vector<elastic::Pool>& pools);

// Has its owner asked for elasticity, and can it be had?
bool is_elastic(const ObservedJob& job);

}  // namespace hora::horad
