// In which collectives did others wait for one rank, and in which did they go on without it?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/domain/rank_record.hpp"
#include "libplanner/trace/alignment.hpp"
#include "libplanner/trace/collectives.hpp"

namespace hora::trace {

enum class MarkKind {
    late,        // began so much after the others that they mostly waited
    went_ahead,  // did not wait for pieces, or ended before the late rank had begun
};

struct Mark {
    MarkKind kind = MarkKind::late;
    Part part;
    std::uint32_t other = 0;   // record of the late rank, of those that went ahead
    Seconds by;                // 0 where pieces are counted
    std::uint64_t pieces = 0;  // for which it did not wait (RecordedCall::ahead)
};

// Looks at collectives that end together, of which all ranks have a record on one clock. The last
// rank to begin is late if the median of the others began earlier by at least half of the time
// that they spent in the call, and by more than the clocks leave open. That says where
// lateness was seen, not who caused it: it travels from one communicator to the next. Who did not
// wait for pieces says so itself; that was for the late rank, or where none was, for the one before
// it. Ascending by collective.
std::vector<Mark> find_marks(std::span<const domain::RankRecord> records,
                             const Collectives& collectives, const Alignment& alignment);

}  // namespace hora::trace
