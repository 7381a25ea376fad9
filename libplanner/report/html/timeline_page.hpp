// One page that shows what all ranks of a job did: a lane for each, from left to right in time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/trace/timeline.hpp"

namespace hora::report {

// What a browser draws and a person can read.
constexpr std::size_t most_page_ranks = 64;
constexpr std::size_t most_page_calls = 250'000;

// What has to be known of a timeline to read it right, a sentence each: records of ranks that are
// missing, ranks on clocks that nothing joins, records that end in the middle of a line; and how
// long a step waits for late ranks, as trace/waiting.hpp has it.
std::vector<std::string> timeline_remarks(const trace::Timeline& timeline,
                                          std::optional<Seconds> waiting);

// HTML that needs nothing but itself; `chart_library` is the text of Chart.js 3. A table says the
// same of each rank in figures, and the remarks stand above it. A usage error beyond the bounds
// above.
Expected<std::string> timeline_html(const trace::Timeline& timeline,
                                    const std::vector<std::string>& remarks, std::string_view title,
                                    std::string_view chart_library);

}  // namespace hora::report
