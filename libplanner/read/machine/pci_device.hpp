// Is a PCI device a GPU, a NIC or an NVSwitch, and how fast is one of its kind?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/domain/topology.hpp"

namespace hora::read {

// As configuration space has them; class without the programming interface: 0x0302.
struct PciIdentity {
    std::uint16_t device_class = 0;
    std::uint16_t vendor = 0;
    std::uint16_t device = 0;
};

PciIdentity identity_of(const domain::TopologyObject& object);

// A 3D controller is a GPU; so is what has a display as well, if made by those who make GPUs for
// computing. The graphics of a management controller (ASPEED, Matrox, old ATI) are none, nor is
// what Intel puts into its processors.
bool is_gpu(const PciIdentity& identity);
// Ethernet, InfiniBand and the like.
bool is_nic(const PciIdentity& identity);
bool is_nvswitch(const PciIdentity& identity);

// GT/s a lane of the GPU's own PCIe interface, by its family; generation 3 where that is not known.
double usual_gigatransfers(const PciIdentity& identity);
// Is it on a board that joins its GPUs by NVLink (SXM), or is it a card? Not known: other kinds.
std::optional<bool> is_on_nvlink_board(const PciIdentity& identity);
// One way over all NVLinks of the GPU, as specified; 0 where it has none or is not known.
Bandwidth usual_nvlink(const PciIdentity& identity);

}  // namespace hora::read
