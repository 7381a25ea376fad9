// What was the time on one clock when a process's own clock showed this?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/domain/rank_record.hpp"
#include "libplanner/trace/collectives.hpp"

namespace hora::trace {

// A process's clock against that of its group: what it shows, plus offset, plus drift for each
// second since `about`.
struct Clock {
    Seconds about;
    Seconds offset;
    double drift = 0;  // seconds a second
    // Median distance of its collectives' ends from those of the other ranks; 0 of a reference.
    Seconds scatter;
    std::uint32_t group = 0;
    std::size_t collectives = 0;  // that it was aligned by

    Seconds aligned(Seconds own) const {
        return own + offset + Seconds(drift * (own - about).count());
    }
};

struct Alignment {
    std::vector<Clock> clocks;  // by record
    std::uint32_t groups = 0;   // above 1: some ranks share no collective with the others
};

// By the ends of collectives that end on all ranks together; no two clocks need agree. Of each
// group of ranks that collectives join, through whichever communicators, the first record keeps its
// clock; the others are brought onto it in the order in which most of their collectives are shared
// with ranks that are aligned already, each by a robust line (robust_line.hpp), and then all again
// on the median of each collective's ends. Ranks that share no collective are a group each: left
// alone.
//
// Drift is taken to be constant over a record. A rank that leaves collectives later than the others
// now and then does not matter; one that always does by the same time is off by that time, as no
// end can tell it from a clock that is slow.
// O(n log n) in the calls.
Alignment align(std::span<const domain::RankRecord> records, const Collectives& collectives);

}  // namespace hora::trace
