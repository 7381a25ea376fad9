// What did all ranks of a job do, as a trace that Perfetto and chrome://tracing open?
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "libplanner/trace/timeline.hpp"

namespace hora::report {

// Chrome's trace event format, as one JSON object: a process for each rank, a complete event for
// each call (args: bytes, seq, comm, and the peer of a point-to-point call), an instant event for
// each step and mark. Times are microseconds, but for waiting_of_step of otherData, which is in
// seconds: `waiting`, as trace/waiting.hpp has it. Handed to `write` in pieces, for it may be
// large.
void write_chrome_trace(const trace::Timeline& timeline, std::optional<Seconds> waiting,
                        const std::function<void(std::string_view)>& write);

}  // namespace hora::report
