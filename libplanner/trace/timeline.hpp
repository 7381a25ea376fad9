// What did all ranks of a job do, on one clock?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/domain/rank_record.hpp"
#include "libplanner/trace/alignment.hpp"
#include "libplanner/trace/lateness.hpp"

namespace hora::trace {

struct Timeline {
    std::vector<domain::RankRecord> records;  // ascending by rank
    Alignment alignment;
    std::vector<Seconds> starts;  // by group of ranks, on its clock: the first thing that it did
    std::vector<Mark> marks;
    bool shows_lateness = false;  // some collective would have a mark if a rank were late in it

    // Since the start of the record's group.
    Seconds time_of(std::size_t record, Seconds own) const {
        const Clock& clock = alignment.clocks[record];
        return clock.aligned(own) - starts[clock.group];
    }
};

// O(n log n) in the calls.
Timeline make_timeline(std::vector<domain::RankRecord> records);

// Of how many ranks, at least, is there no record? By the communicator that lacks the most.
std::size_t missing_records(const Timeline& timeline);

// In which row of its rank does each call stand, so that two calls of a row lie behind each other
// or one within the other? The first row that is free, from 0: calls that return before they are
// done overlap. O(n (log n + rows)).
std::vector<std::uint32_t> rows_of(const domain::RankRecord& record);

}  // namespace hora::trace
