// What does the daemon's status file say?
#pragma once

#include <cstddef>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/status.hpp"

namespace hora::read {

// Enough for 50,000 jobs.
constexpr std::size_t max_status_size = std::size_t{64} << 20;
constexpr std::size_t max_status_text = 512;  // bytes of one text in it
constexpr double max_status_seconds = 1e12;   // of a length of time in it, and below 0 likewise

// Reads what report/status_json.hpp writes. Text that is torn, of another version, out of bounds,
// or that holds what could move a terminal's cursor is an error.
Expected<domain::Status> read_status(std::string_view json);

}  // namespace hora::read
