// The switches between nodes, and which node hangs on which.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hora::domain {

constexpr std::uint32_t no_fabric_switch = 0xffffffff;

struct FabricSwitch {
    std::string name;
    std::uint32_t parent = no_fabric_switch;  // index into Fabric::switches; no cycles

    friend bool operator==(const FabricSwitch&, const FabricSwitch&) = default;
};

// A forest. Roots, and nodes that hang on no switch, meet outside of it.
struct Fabric {
    std::vector<FabricSwitch> switches;
    std::vector<std::uint32_t> attached_to;  // by node: index into switches, or no_fabric_switch

    friend bool operator==(const Fabric&, const Fabric&) = default;
};

}  // namespace hora::domain
