// Any network, as its ranks have measured it.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "plugins/mpi/allreduce/route.hpp"
#include "tests/unit/any_number.hpp"

namespace hora::mpi {

// `sizes` rise; the times do not fall.
inline MessageTimes any_times(std::span<const double> sizes) {
    std::vector<MessageTimes::Point> points;
    Seconds first(1e-6);
    Seconds further(0);
    for (const double size : sizes) {
        first += Seconds(hora::testing::any_number(0, 100) * 1e-6);
        further += Seconds(hora::testing::any_number(0, 100) * 1e-6);
        points.push_back({Bytes(size), first, further});
    }
    return MessageTimes(std::move(points));
}

}  // namespace hora::mpi
