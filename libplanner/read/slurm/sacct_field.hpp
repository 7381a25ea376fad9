// What do the fields of an accounting row mean?
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "libplanner/base/units.hpp"

namespace hora::read {

// "2026-11-21T15:59:00", or seconds since 1970. The time of day is taken as it stands, so that an
// hour is missing or there twice where the clocks change. Empty for anything else ("Unknown").
std::optional<Seconds> read_sacct_time(std::string_view text);

// "02:03:04", "1-02:03:04", "03:04.567", or plain seconds.
std::optional<Seconds> read_elapsed(std::string_view text);

// As --time of sbatch has it: "90" minutes, "90:30", "1:30:00", "1-12", "1-12:00", "1-12:00:00".
// Infinite where there is no limit ("UNLIMITED", "Partition_Limit", "INVALID", nothing); empty for
// anything else.
std::optional<Seconds> read_time_limit(std::string_view text);

struct TresCount {
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 0;  // 0: not said
};

// "billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=64G,node=1": the total, or the sum of the types.
// Empty where a count is no number.
std::optional<TresCount> read_tres(std::string_view text);

}  // namespace hora::read
