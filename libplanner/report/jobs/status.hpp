// What do people see of what the daemon knows?
#pragma once

#include <string>

#include "libplanner/domain/status.hpp"

namespace hora::report {

// The daemon's last word, and when it is looked at (seconds since the epoch).
struct StatusView {
    domain::Status status;
    std::int64_t now = 0;
    std::size_t width = 0;  // columns of the terminal; 0: any
    bool is_part = false;   // jobs of some users only
};

Seconds age_of(const StatusView& view);
// Older than a daemon that works leaves it, or as far in the future: then nothing says that it
// works.
bool is_stale(const StatusView& view);
// "has written nothing for 3 min", with what to do about it; only where it is stale.
std::string staleness(const StatusView& view);

// "keeps 4 GPUs instead of 2: on fewer it would not end within its time limit"
std::string words_of(const domain::StatusHold& held);

// Jobs with their sizes and gains, what is in flight, what comes next.
std::string to_text(const StatusView& view);
// What the file says (report/status_json.hpp), with "age" and "stale", indented.
std::string to_json(const StatusView& view);

}  // namespace hora::report
