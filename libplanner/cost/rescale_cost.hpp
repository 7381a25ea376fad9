// What does a restart at another size cost a job, by the restarts that were measured?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "libplanner/base/units.hpp"

namespace hora::cost {

// One restart: time in which the job did not train, as its own reports have it.
struct MeasuredRescale {
    std::uint32_t uid = 0;
    std::string model;  // as the user named it
    Seconds lost;
};

struct RescaleCosts {
    std::map<std::pair<std::uint32_t, std::string>, Seconds> own;  // by user and model key
    // What at least `least_users` (measured_table.hpp) measured: the median of their medians.
    std::optional<Seconds> shared;

    // Of a job of this user; empty: nothing was measured that the user may know. `model` is a key.
    std::optional<Seconds> of(std::uint32_t uid, std::string_view model) const;

    friend bool operator==(const RescaleCosts&, const RescaleCosts&) = default;
};

// What takes longer than an hour, or less than no time, is passed over.
RescaleCosts rescale_costs(std::span<const MeasuredRescale> rescales);

}  // namespace hora::cost
