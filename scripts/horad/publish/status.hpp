// What does the daemon tell those who ask: the status file and the metrics?
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/domain/status.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "scripts/horad/elastic/elasticity.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

struct StatusSources {
    const Observation& seen;
    const std::map<std::uint32_t, JobReports>& reports;
    const Elasticity& elasticity;
    const read::Settings& settings;
    std::int64_t started = 0;          // the daemon, seconds since the epoch
    std::vector<std::string> remarks;  // what keeps it from its work
};

domain::Status status_of(const StatusSources& sources);

}  // namespace hora::horad
