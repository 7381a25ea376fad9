// What of the history do plans take into account?
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "libplanner/cost/rescale_cost.hpp"
#include "libplanner/domain/measured.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "scripts/history/database.hpp"

namespace hora::history {

struct Digest {
    std::vector<domain::MeasuredSpeed> measured;
    std::map<std::string, Seconds> overheads;  // P1's, by node
    cost::RescaleCosts rescales;

    friend bool operator==(const Digest&, const Digest&) = default;
};

// Of what was measured since then (seconds since the epoch). Time: that of reading up to 20,000
// runs, so not at each snapshot.
Expected<Digest> digest(Database& database, std::int64_t since);

// Nodes that nothing is known of keep their overhead.
void put_into(domain::Snapshot& snapshot, const Digest& digest);

}  // namespace hora::history
