// What does a snapshot file say of the cluster?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "libplanner/domain/snapshot.hpp"

namespace hora::read {

// Enough for 100,000 nodes that all differ.
constexpr std::size_t max_snapshot_size = std::size_t{64} << 20;

// Reads what report/snapshot.hpp writes. Every size, count, index and number is checked: text that
// is torn, of another version or at odds with itself is an error, never a wrong snapshot.
Expected<domain::Snapshot> read_snapshot(std::string_view json);

// Is a snapshot of this age used for submissions? As long as it is neither older than `most` nor
// further ahead of the clock, as where clocks differ.
enum class SnapshotAge { usable, too_old, ahead };
SnapshotAge judge_age(Seconds age, Seconds most);
// Below 0: written in the future.
Seconds age_of(const domain::Snapshot& snapshot, std::int64_t now);

}  // namespace hora::read
