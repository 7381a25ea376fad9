// In which order does a ring visit the nodes, so that it crosses few links between switches?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/domain/fabric.hpp"

namespace hora::plan {

using domain::Fabric;
using domain::FabricSwitch;

// The same nodes so that those below a switch follow each other, for every switch: each is entered
// and left once. Nodes and switches come by where they first stand in `nodes`, so nodes[0] stays
// first, and an order that was good already stays as it was.
//
// That is the least number of crossings. Take a link between a switch and what is above it, with
// nodes on both of its sides: a closed ring gets from one side to the other and back, so it uses
// the link twice at least. A link without nodes on one side need not be used at all. In this order
// the nodes below a switch are one run, so each such link is used twice and no other is used.
//
// Time and memory: O(nodes + switches). A node without an entry in attached_to hangs on no switch.
std::vector<std::uint32_t> order_nodes(const Fabric& fabric, std::span<const std::uint32_t> nodes);

// How many links between switches the closed ring order[0], order[1], ..., order[0] uses, each as
// often as it is used. A node's own link does not count; the way out of a root switch, to another
// root or to a node on no switch, counts as a link. 2 nodes on 2 leaves below one switch: 4.
// Time: O(nodes x depth of the tree + switches).
std::uint64_t crossings(const Fabric& fabric, std::span<const std::uint32_t> order);

}  // namespace hora::plan
