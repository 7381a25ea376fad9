// What stands in the record of one process (hora-trace(5))?
//
// {"version":1,"host":"n1","pid":17,"rank":0,"device":{"type":"a100","uuid":"…","busid":"…"}}
// {"comm":"world","rank":0,"ranks":4,"nodes":2}
// {"comm":"world","op":"AllReduce","seq":0,"bytes":4096,"begin":1.25,"end":1.5}
// {"comm":"world","op":"Send","seq":0,"bytes":8,"begin":1.6,"end":1.7,"peer":3}
// {"step":1,"at":1.75}
#pragma once

#include <cstddef>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/rank_record.hpp"

namespace hora::read {

constexpr std::size_t largest_rank_record = std::size_t{256} << 20;  // bytes
constexpr std::size_t longest_record_line = 1024;

// Bounded in lines, names and numbers; a key that is missing, unknown, or out of its range fails
// with the line and the key. What a process that was killed leaves is read: zero bytes behind the
// last line are no text, and a last line without its end is left out and noted as is_cut.
Expected<domain::RankRecord> read_rank_record(std::string_view text);

}  // namespace hora::read
