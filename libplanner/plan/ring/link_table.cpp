// How fast, and how costly, is the link between each two GPUs of a ring?
#include "libplanner/plan/ring/link_table.hpp"

#include <algorithm>
#include <cmath>

namespace hora::plan {
namespace {

constexpr double attoseconds = 1e18;

Bandwidth usable(Bandwidth bandwidth) {
    return bandwidth > Bandwidth(0) ? bandwidth : Bandwidth(0);  // NaN is no link either
}

std::uint64_t cost_of(Bandwidth bandwidth) {
    const double cost = attoseconds / bandwidth.count();
    return cost < static_cast<double>(most_link_cost)
               ? static_cast<std::uint64_t>(std::llround(cost))
               : most_link_cost;
}

}  // namespace

LinkTable::LinkTable(std::span<const Bandwidth> between, std::size_t count)
    : count_(count), bandwidths_(count * count), costs_(count * count) {
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < count; ++b) {
            const Bandwidth slower =
                std::min(usable(between[a * count + b]), usable(between[b * count + a]));
            bandwidths_[a * count + b] = slower;
            costs_[a * count + b] = cost_of(slower);
        }
    }
}

}  // namespace hora::plan
