// What does one line of NCCL's log say?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "libplanner/read/nccl/nccl_log.hpp"

namespace hora::read {

// "Channel 00/02 :    0   1   2   3", cut short above 20 ranks.
struct NcclRingList {
    std::uint32_t channel = 0;
    std::vector<std::uint32_t> ranks;
};

// "Ring 00 : 3 -> 0 -> 1"
struct NcclRingStep {
    std::uint32_t channel = 0;
    std::uint32_t rank = 0;
    std::uint32_t next = 0;
};

// "comm 0x7f rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 34000 commId 0x1 - Init START"
struct NcclIdentity {
    bool is_start = false;  // else it is complete
    NcclRank self;
    std::string id;
    std::uint32_t size = 0;
};

struct NcclLine {
    std::string_view thread;  // "host:pid:tid"
    std::string_view host;
    std::variant<std::monostate, NcclRingList, NcclRingStep, NcclIdentity>
        says;  // or nothing of it
};

// "host:pid:tid [0] NCCL INFO ...", whatever stands before it; empty if it is no such line.
std::optional<NcclLine> parse_nccl_line(std::string_view line);

}  // namespace hora::read
