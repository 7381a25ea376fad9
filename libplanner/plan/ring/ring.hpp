// In which order does a ring pass the GPUs, so that its slowest link is as fast as can be?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::plan {

// Up to so many GPUs the best order is found; above it a good one.
constexpr std::size_t most_exact_gpus = 16;

struct Ring {
    std::vector<std::uint32_t> order;  // of all GPUs 0 ... count - 1
    Bandwidth bottleneck;              // of its slowest link; 0 where it has no link
    Seconds
        byte_time;  // of a byte over all links, one after the other; infinite over a missing one

    friend bool operator==(const Ring&, const Ring&) = default;
};

// `between` has count x count bandwidths, row by row; of the two directions of a pair the slower
// one counts, the diagonal is not looked at, and what is not positive is no link at all.
//
// The ring with the fastest slowest link; among those the one with the least byte_time (each link's
// rounded to 1e-18 s, so that equal is equal); among those the order that is first by its numbers,
// which starts with GPU 0 and has the smaller of its neighbours next.
//
// Up to 16 GPUs that is exact: O(2^n n log n) for the slowest link and O(2^n n^2) for the rest,
// with 2^n n numbers in memory (n: one GPU less in a ring). Above, in O(n^3) at most: groups are
// joined as they are near, then pairs of links are exchanged while that makes the slower of a pair
// faster. That is exact too where the links form a tree, as PCIe does; otherwise it is a heuristic.
Ring best_ring(std::span<const Bandwidth> between, std::size_t count);

// The same for an open path: the part of a ring inside one of several nodes. It starts with the
// smaller of its two ends.
Ring best_chain(std::span<const Bandwidth> between, std::size_t count);

// The figures of a given order, which names each of its GPUs (below count) once.
Ring ring_of(std::span<const Bandwidth> between, std::size_t count,
             std::vector<std::uint32_t> order);
Ring chain_of(std::span<const Bandwidth> between, std::size_t count,
              std::vector<std::uint32_t> order);

// What best_ring() wants for some GPUs of a machine (indices into Topology::gpus): its own GPU i is
// gpus[i]. All 0 where the machine's paths are not known.
std::vector<Bandwidth> bandwidths_between(const domain::Topology& topology,
                                          std::span<const std::uint32_t> gpus);

}  // namespace hora::plan
