// When did the jobs of the past hold how many GPUs, by what was measured of them?
#pragma once

#include <vector>

#include "libplanner/domain/status.hpp"
#include "libplanner/report/html/html_page.hpp"
#include "libplanner/report/jobs/history.hpp"

namespace hora::report {

// A run counts from when its first measured step began (after a resize that is known, before that
// it is worked out from the time of its steps) until it was last heard of, so what it took to start
// is a gap; a job that holds GPUs now holds them until the status was written, from its last start
// or resize where that is later than what was measured. A status that is all zero adds nothing; the
// cluster then counts as having the GPUs that were held at once. Times are seconds since the epoch.
PageRun past_result(const std::vector<MeasuredRun>& runs, const std::vector<Rescale>& rescales,
                    const domain::Status& status);

}  // namespace hora::report
