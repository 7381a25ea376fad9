// Which jobs held GPUs, by what `sacct --parsable2` printed?
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/accounted_job.hpp"

namespace hora::read {

struct Accounting {
    std::vector<domain::AccountedJob> jobs;         // ascending by submission
    std::set<std::string, std::less<>> partitions;  // of all jobs, wanted or not
    std::size_t steps = 0;                          // rows of steps, passed over
    std::size_t without_gpus = 0;                   // jobs that held none
    std::size_t never_ran = 0;                      // pending, or cancelled before they started
};

// Columns, in any order, others being passed over: JobID, Submit, Start, AllocTRES, and ElapsedRaw
// or Elapsed; Eligible, User, Partition, State, Timelimit and ReqTRES if they are there. Times are
// those of sacct, or seconds since 1970 (SLURM_TIME_FORMAT=%s). `partition` empty: all of them. A
// failure names the line.
Expected<Accounting> read_sacct(std::string_view text, std::string_view partition);

}  // namespace hora::read
