// Which switches come before which, on the way from the leaves of a fabric up?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/read/cluster/cluster_builder.hpp"

namespace hora::read {

struct SwitchOrder {
    std::vector<std::uint32_t> bottom_up;  // all switches, children before parents
    std::vector<bool> is_leaf;             // by switch: no switch below
};

// On failure: a switch that is its own ancestor, or whose parent is none.
Expected<SwitchOrder> order_switches(std::span<const SwitchDescription> switches);

}  // namespace hora::read
