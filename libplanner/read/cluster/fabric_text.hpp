// Which switches does Slurm know between the nodes, and which nodes hang on them?
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/fabric.hpp"

namespace hora::read {

// A fabric as a text names it.
struct NamedFabric {
    domain::Fabric fabric;
    std::vector<std::string> nodes;  // as named there, each once; attached_to is by their index
};

// What `scontrol show topology` prints, or a topology.conf: switches of a tree (SwitchName=leaf1
// Nodes=n[1-4], SwitchName=spine Switches=leaf[1-2]) or blocks (BlockName=b1 Nodes=n[1-4],
// AggregatedBlock=b[1-2], BlockSizes=4,8). Lines of another kind are passed over; no line at all is
// a fabric without switches. A switch with Switches= has no nodes of its own, whatever its Nodes=
// lists; a node on several leaves hangs on the first. At most 16 MiB, 100,000 nodes and as many
// switches, 64 levels.
// On failure: which line, and what is wrong there.
Expected<NamedFabric> read_fabric(std::string_view text);

// The same fabric over a cluster's own nodes, by their index.
struct FabricOfNodes {
    domain::Fabric fabric;             // attached_to is by the index in `nodes`
    std::vector<std::string> unknown;  // named in the text, and none of `nodes`
    std::vector<std::uint32_t> loose;  // nodes that hang on no switch, though the text has switches
};

FabricOfNodes fabric_of(const NamedFabric& named, std::span<const std::string> nodes);

}  // namespace hora::read
