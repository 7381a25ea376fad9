// How fast do members train that each push to and pull from a server at their own pace?
#pragma once

#include <cstdint>
#include <span>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"

namespace hora::cost {

// Members of one speed.
struct Workers {
    Seconds compute;  // of one step over the share
    std::uint64_t count = 0;
};

// P1's asynchronous training: the server sits on the strongest member and keeps it from training
// while it serves, one exchange at a time. Samples a second of all of them together:
//
//   rate = s / c + max(0, s - (s / c) x) * min(sum over the others of 1 / (c_i + x), 1 / x)
//
// s samples a step of each, c the strongest member's step, c_i another's, x one exchange over the
// link. A server that would lose more by serving than it wins lets the others wait, so a further
// or a faster member never slows the set down. `workers` are by speed, the strongest first.
double asynchronous_rate(std::span<const Workers> workers, std::uint64_t share, Bytes gradient,
                         const domain::Link& link);

}  // namespace hora::cost
