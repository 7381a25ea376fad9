// What does Prometheus' textfile collector read of the daemon?
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "libplanner/domain/status.hpp"
#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

struct Metrics {
    const domain::Status& status;
    std::array<std::uint64_t, std::size(ending_names)> resizes{};  // ended so far, by ending
    std::uint64_t reports = 0;
    std::uint64_t reports_refused = 0;
    std::uint64_t relaxed = 0;
    std::uint64_t replanned = 0;
    Seconds snapshot_age;
    Seconds round;  // how long the last one took
    bool is_acting = true;
};

// In Prometheus' text format; seconds, and counters that end in _total. Of the cluster it tells
// where it acts only: what several hosts tell would be added up.
std::string metrics_text(const Metrics& metrics);

}  // namespace hora::horad
