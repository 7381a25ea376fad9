// How is a snapshot of the cluster written down, so that ten thousand nodes stay small?
#pragma once

#include <string>

#include "libplanner/domain/snapshot.hpp"

namespace hora::report {

// JSON with "format": "hora-snapshot" and "version": 1, one trailing newline. Nodes, partitions and
// reservations refer to each other as in the value; read::read_snapshot() gives an equal snapshot.
std::string to_json(const domain::Snapshot& snapshot);

}  // namespace hora::report
