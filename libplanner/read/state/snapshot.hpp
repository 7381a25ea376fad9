// What does a snapshot file say of the cluster?
#pragma once

#include <cstddef>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/snapshot.hpp"

namespace hora::read {

// Enough for 100,000 nodes that all differ.
constexpr std::size_t max_snapshot_size = std::size_t{64} << 20;

// Reads what report/snapshot.hpp writes. Every size, count, index and number is checked: text that
// is torn, of another version or at odds with itself is an error, never a wrong snapshot.
Expected<domain::Snapshot> read_snapshot(std::string_view json);

}  // namespace hora::read
