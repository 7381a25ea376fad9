// How is a resize, or one start of a job, put into a row of the history?
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "scripts/history/records.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/prediction.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

// One start of a job that was heard of: what Slurm will have forgotten when it is over, and what of
// it is written.
struct NotedStart {
    std::uint32_t restarts = 0;
    std::uint32_t uid = 0;
    std::int64_t started = 0;  // seconds since the epoch
    HeldSize size;
    std::shared_ptr<const JobMemory> memory;
    std::optional<domain::Breakdown> predicted;
    std::uint64_t steps = 0;                                       // as written
    std::optional<std::chrono::steady_clock::time_point> written;  // empty: not yet
};

// `submitted`: of the job's first start; a requeue changes Slurm's.
history::Rescale row_of(const Resized& resized, std::int64_t submitted);

// Of a start whose steps were timed.
history::Sample row_of(std::uint32_t job, const NotedStart& start, const JobReports& reports,
                       std::int64_t now);

}  // namespace hora::horad
