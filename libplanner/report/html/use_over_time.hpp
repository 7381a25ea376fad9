// How many GPUs were held over time, by jobs of which size?
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "libplanner/sim/result.hpp"

namespace hora::report {

struct SizeClass {
    std::string_view name;
    std::uint32_t most = 0;  // GPUs a job holds
};

inline constexpr std::array<SizeClass, 5> size_classes{{{"1 GPU", 1},
                                                        {"2 to 4 GPUs", 4},
                                                        {"5 to 8 GPUs", 8},
                                                        {"9 to 16 GPUs", 16},
                                                        {"more than 16 GPUs", 0xffffffff}}};

struct UseOverTime {
    Seconds start;  // of the first slice: the first submission
    Seconds slice;  // its length, 0 where nothing happened
    // By slice: mean number of GPUs held by jobs of each class.
    std::vector<std::array<double, size_classes.size()>> held;
};

UseOverTime use_over_time(const sim::Result& result, std::size_t slices);

}  // namespace hora::report
