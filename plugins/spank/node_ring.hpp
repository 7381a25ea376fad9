// In which order does a ring visit a job's nodes, and where does it leave a switch?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/read/fabric_text.hpp"

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

// As a variable holds it: "n[1,4,7]/n[2,5]//n3", a '/' for each level that is climbed.
std::string to_text(const NodeRing& ring);

// Nothing on what to_text does not write: the user can put there what he likes.
std::optional<NodeRing> read_node_ring(std::string_view text);

// The `count` nodes in a row (1 up to all) that cross the fewest levels in a ring of their own; of
// equals the first.
NodeRing part_of(const NodeRing& ring, std::size_t count);

}  // namespace hora::spank
