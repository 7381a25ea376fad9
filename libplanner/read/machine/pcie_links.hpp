// How fast are the PCIe links of a machine, by what its files or its kernel say of each port?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libplanner/domain/topology.hpp"

namespace hora::read {

// What a port or device can do at most.
struct PcieAbility {
    double gigatransfers = 0;
    std::uint32_t lanes = 0;
};

// max_link_speed and max_link_width of a device under SYSFS/bus/pci/devices; nothing where the
// kernel does not know them.
std::optional<PcieAbility> read_ability(const std::string& sysfs,
                                        const domain::PciAddress& address);

// Distinguishes switches from the ports around them: below a host bridge these alternate.
void find_switches(domain::Topology& topology);
// Sets the bridge of each GPU: the lowest above it with several GPUs or NICs below.
void find_shared_bridges(domain::Topology& topology);

// Sets each uplink. `abilities` and `speeds` go with topology.objects: what a port can do, where
// that is known, and else its bandwidth at the time in GB/s, 0 where that is not known either. An
// idle GPU's link is at 2.5 GT/s; it and one of which nothing is known get what is usual.
void set_links(domain::Topology& topology, const std::vector<std::optional<PcieAbility>>& abilities,
               const std::vector<double>& speeds);

}  // namespace hora::read
