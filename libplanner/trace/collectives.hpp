// Which calls of the ranks were one collective?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "libplanner/domain/rank_record.hpp"

namespace hora::trace {

// One rank's call of a collective.
struct Part {
    std::uint32_t record = 0;  // into the records
    std::uint32_t call = 0;    // into its calls
};

struct Collective {
    std::size_t first = 0;  // into Collectives::parts
    std::size_t count = 0;
    bool is_complete = false;  // the record of each rank of the communicator has it
    bool is_together = false;  // it ends on all ranks together
};

// Collectives of a communicator stand together, in their order.
struct Collectives {
    std::vector<Collective> all;
    std::vector<Part> parts;  // of each collective ascending by record

    std::span<const Part> parts_of(const Collective& one) const {
        return std::span(parts).subspan(one.first, one.count);
    }
};

// No rank leaves such a function before each rank is in it. Others (Broadcast, Reduce) let some
// ranks go on, and one that returns before it is done (Iallreduce) ends when its program asks for
// it.
bool ends_together(std::string_view operation);

// Those with the parts of one communicator that have one number. A collective that two ranks call
// by different functions is a damaged record's, and left out. O(n log n) in the calls.
Collectives match_collectives(std::span<const domain::RankRecord> records);

}  // namespace hora::trace
