// Which choice of each group is worth most together, within a capacity?
//
// Exact for any values, concave or not. A price of weight (see relaxation.hpp) gives an upper bound
// U; against it each choice has a cost r >= 0, namely what it falls short of its group's best at
// that price, and a packing of weight w is worth U - sum of r - price * (capacity - w). So a
// packing that is worth at least U - c consists of choices with r <= c alone, and a dynamic
// programme over these finds the best of them (core_programme.hpp). c grows until the best one
// found lies within it: then none outside can be better.
//
// Where all groups are concave in steps of one GPU, as speeds that only level out are, the price
// already fills the capacity: c = 0, and taking step by step what is worth most is exact. That
// takes O(items + capacity log groups). Jumps (a second node, powers of two) leave a few choices
// near the price. At worst all are left, as in the plain programme: O(items * capacity).
// Sums are exact up to the rounding of doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hora::elastic {

// One thing that a group may choose; choosing nothing weighs and is worth 0.
struct Item {
    std::uint32_t weight = 0;  // > 0
    double value = 0;          // may be below 0
};

// By ascending weight, none twice.
using Group = std::vector<Item>;

struct Packing {
    std::vector<std::uint32_t> weights;  // by group; 0: nothing chosen
    double value = 0;
};

// The greatest value with a sum of weights of at most `capacity`.
Packing pack_at_most(std::span<const Group> groups, std::uint32_t capacity);

// The greatest value with a sum of weights of exactly `least`, or if no choice has that sum, of the
// smallest larger sum that one has. All weights 0 and the value 0 if every sum is smaller.
Packing pack_at_least(std::span<const Group> groups, std::uint32_t least);

}  // namespace hora::elastic
