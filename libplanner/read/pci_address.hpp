// Which place on PCIe does "0000:34:00.0" name, and how is one written?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/domain/topology.hpp"

namespace hora::read {

// A bus has 32 devices, and a device 8 functions.
bool is_on_pcie(std::uint32_t device, std::uint32_t function);

// Also without the domain, which is then 0.
std::optional<domain::PciAddress> parse_pci_address(std::string_view text);
std::string format_pci_address(const domain::PciAddress& address);

}  // namespace hora::read
