// What does a [[node]] table say of the inside of its nodes?
// Keys: topology, pcie.{switches, inside, across}, link.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/read/cluster/gpu_layout.hpp"
#include "libplanner/read/format/toml_table.hpp"

namespace hora::read {

// The GPUs in order on so many PCIe switches.
struct PcieInside {
    std::uint32_t switches = 1;
    std::optional<Bandwidth> inside;  // between two on one switch; the device's own if not said
    std::optional<Bandwidth> across;  // as inside if not said
    std::string where_switches;       // "FILE:LINE:COLUMN"
    std::string where_across;
};

// At most one of the three is said.
struct NodeInside {
    std::string topology;  // path of a file, from here; empty: none
    std::optional<PcieInside> pcie;
    std::optional<Bandwidth> link;  // between any two
    std::string where;              // of the table
    std::string where_topology;

    bool is_said() const { return !topology.empty() || pcie || link; }
};

// A file's name is relative to the folder of the table's file. Ends at what is wrong; what is wrong
// with the table's other keys its own finish() says.
Expected<NodeInside> take_inside(TomlTable& table);

// Of a node without a topology file: as said, else flat with the usual link of the device, which
// may be null where there are no GPUs.
// On failure: the place, and what does not go with so many GPUs of this type.
Expected<NodeLayout> layout_of(const NodeInside& inside, std::uint32_t gpus,
                               const domain::Device* device);

}  // namespace hora::read
