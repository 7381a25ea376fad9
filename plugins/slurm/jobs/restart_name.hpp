// The name of the reservation that horad keeps nodes with (restart_reservation.hpp).
#pragma once

#include <algorithm>
#include <string_view>

#include "libplanner/read/words.hpp"

namespace hora::slurm {

// Only horad puts jobs into it.
inline constexpr std::string_view restart_reservation = "hora-restarts";

// Is it one of these, "a,b" as a request names them?
inline bool names_restart_reservation(std::string_view reservations) {
    const auto names = read::split_words(reservations);
    return std::find(names.begin(), names.end(), restart_reservation) != names.end();
}

}  // namespace hora::slurm
