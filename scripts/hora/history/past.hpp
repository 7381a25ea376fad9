// What does the daemon's history hold, as people see it?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/report/jobs/history.hpp"

namespace hora::scripts {

// Whose past; empty: everybody's.
struct PastOf {
    std::optional<std::uint64_t> job;
    // Of the job, by Hora's note: numbers of jobs come again. 0: not known.
    std::int64_t submitted = 0;
    std::string model;
    std::optional<std::int64_t> since;  // seconds since the epoch
};

struct Past {
    std::vector<report::MeasuredRun> runs;  // newest first
    report::History history;                // the same runs by size, and the rescales
};

// False where horad never wrote this file. True also where its folder may not be entered: reading
// it says so.
bool is_there(const std::string& path);

// From the file that the setting history.path names. Fails where there is none or it may not be
// read, and where it knows nothing of the job that is asked for.
Expected<Past> read_past(const PastOf& of);
// Likewise, but where there is no file, or nothing is known of the job, that is an empty past.
Expected<Past> find_past(const PastOf& of);

}  // namespace hora::scripts
