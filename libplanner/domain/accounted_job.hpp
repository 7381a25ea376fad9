// What does a site's accounting say of a job that held GPUs?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/units.hpp"

namespace hora::domain {

struct AccountedJob {
    std::string id;
    std::string user;
    std::string partition;
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    // Part of an array or of a heterogeneous job: Hora resizes neither.
    bool is_part = false;
    Seconds submitted;  // or eligible, where that is known: a dependency is no wait for GPUs
    Seconds started;
    Seconds elapsed;                 // above 0
    std::optional<Seconds> limit{};  // its time limit; empty: none, or not known
    bool has_timed_out = false;      // its time limit ended it
};

}  // namespace hora::domain
