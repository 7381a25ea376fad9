// A type of GPU: the two roofs of its roofline, its memory, and how fast its kind talk.
#pragma once

#include <array>
#include <string>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/data_type.hpp"
#include "libplanner/domain/efficiency.hpp"

namespace hora::domain {

struct Device {
    // Lower case, no vendor: "h100"; in a cluster that Slurm described, the type as Slurm has it.
    std::string name;
    std::array<FlopRate, data_types.size()> peak{};  // by DataType; 0 = not supported
    Bandwidth memory_bandwidth;
    Bytes memory;
    Bandwidth pcie;    // one direction, between two GPUs under one switch
    Bandwidth nvlink;  // one direction, all links of one GPU together; 0 = none
    Efficiency efficiency;
    std::string source;

    // In which type it computes: in fp32 where it lacks the format.
    DataType computes_in(DataType type) const {
        return peak[static_cast<std::size_t>(type)] > FlopRate(0) ? type : DataType::fp32;
    }
    FlopRate peak_for(DataType type) const {
        return peak[static_cast<std::size_t>(computes_in(type))];
    }
    // What its programs attain.
    FlopRate attained_peak(DataType type, LayerKind kind) const {
        return peak_for(type) * efficiency.compute(computes_in(type), kind);
    }
    Bandwidth attained_bandwidth(DataType type) const {
        return memory_bandwidth * efficiency.memory(computes_in(type));
    }
};

}  // namespace hora::domain
