// A type of GPU: the two roofs of its roofline, its memory, and how fast its kind talk.
#pragma once

#include <array>
#include <string>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/data_type.hpp"

namespace hora::domain {

struct Device {
    std::string name;                                // lower case, no vendor: "h100"
    std::array<FlopRate, data_types.size()> peak{};  // by DataType; 0 = not supported
    Bandwidth memory_bandwidth;
    Bytes memory;
    Bandwidth pcie;    // one direction, between two GPUs under one switch
    Bandwidth nvlink;  // one direction, all links of one GPU together; 0 = none
    std::string source;

    // The peak for a type, falling back to fp32 where the device lacks the format.
    FlopRate peak_for(DataType type) const {
        const FlopRate own = peak[static_cast<std::size_t>(type)];
        return own > FlopRate(0) ? own : peak[static_cast<std::size_t>(DataType::fp32)];
    }
};

}  // namespace hora::domain
