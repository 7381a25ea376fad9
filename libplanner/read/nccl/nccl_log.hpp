// Which rings did NCCL build, by what it logs with NCCL_DEBUG=INFO?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::read {

struct NcclRank {
    std::uint32_t rank = 0;
    std::string host;
    std::uint32_t cuda_device = 0;              // as the process counts
    std::optional<std::uint32_t> nvml_device;   // as the machine counts, by bus id; NCCL 2.16 on
    std::optional<domain::PciAddress> address;  // NCCL 2.5 on
};

struct NcclRing {
    std::uint32_t channel = 0;
    std::vector<std::uint32_t> ranks;  // all of the communicator, in the order of the ring
};

struct NcclCommunicator {
    std::string id;               // the commId of the log; empty before NCCL 2.17
    std::uint32_t size = 0;       // ranks it has
    std::vector<NcclRank> ranks;  // those that the log names, ascending
    std::vector<NcclRing> rings;  // the whole ones, by channel
    std::uint32_t torn = 0;       // channels whose ring the log does not tell whole
};

// Logs of NCCL 2.4 to 2.30: any number of ranks, hosts and communicators interleaved in one text,
// with what mpirun, srun and others put before a line. Other lines are passed over. Rings come from
// "Channel 00/02 :    0   1   2   3", which stops at 20 ranks, and from "Ring 00 : 3 -> 0 -> 1".
// Where the log names no commId, communicators of one size are distinguished by whose ranks repeat.
// Time and memory: linear in the text but for a logarithm, whatever numbers it claims.
// On failure: there is no such line at all.
Expected<std::vector<NcclCommunicator>> read_nccl_log(std::string_view text);

// "34000", as NCCL writes 0000:34:00.0; empty if it is none.
std::optional<domain::PciAddress> parse_nccl_bus_id(std::string_view hex);

}  // namespace hora::read
