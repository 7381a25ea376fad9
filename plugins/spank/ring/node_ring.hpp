// In which order does a ring visit a job's nodes, and where does it leave a switch?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "libplanner/read/cluster/fabric_text.hpp"

namespace hora::spank {

struct NodeRing {
    std::vector<std::string> nodes;
    // From node i to the one after it: how many levels up from a leaf their nearest common switch
    // is; 0 on one leaf. One less than there are nodes.
    std::vector<std::uint32_t> climbs;

    friend bool operator==(const NodeRing&, const NodeRing&) = default;
};

// Empty where the fabric knows none of the nodes.
NodeRing ring_over(const read::NamedFabric& fabric, std::span<const std::string> nodes);

// The `count` nodes in a row (1 up to all) that cross the fewest levels in a ring of their own; of
// equals the first.
NodeRing part_of(const NodeRing& ring, std::size_t count);

}  // namespace hora::spank
