// Which tour from a start through all other places and back is best, exactly?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::plan {

// A start that is not counted among the places, and at most 16 places. An open path is a tour from
// a start to which all links are infinitely fast and free.
struct TourProblem {
    std::size_t places = 0;
    std::vector<Bandwidth> bandwidths;  // places x places
    std::vector<std::uint64_t> costs;
    std::vector<Bandwidth> start_bandwidths;  // by place
    std::vector<std::uint64_t> start_costs;
};

// The places in the order of the tour: of the fastest slowest link, then of the lowest sum of
// costs, then the first by its numbers.
std::vector<std::uint32_t> best_tour(const TourProblem& problem);

}  // namespace hora::plan
