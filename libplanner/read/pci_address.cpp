// Which place on PCIe does "0000:34:00.0" name, and how is one written?
#include "libplanner/read/pci_address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>

namespace hora::read {

bool is_on_pcie(std::uint32_t device, std::uint32_t function) {
    return device <= 0x1f && function <= 7;
}

std::optional<domain::PciAddress> parse_pci_address(std::string_view text) {
    domain::PciAddress address;
    std::uint32_t parts[4] = {};
    std::string_view rest = text;
    const bool has_domain = std::count(text.begin(), text.end(), ':') == 2;
    constexpr std::string_view separators = "::.";
    for (std::size_t i = has_domain ? 0 : 1; i < std::size(parts); ++i) {
        const auto [end, problem] =
            std::from_chars(rest.data(), rest.data() + rest.size(), parts[i], 16);
        if (problem != std::errc()) {
            return std::nullopt;
        }
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (i < separators.size() && !rest.starts_with(separators[i])) {
            return std::nullopt;
        }
        rest.remove_prefix(i < separators.size() ? 1 : 0);
    }
    if (!rest.empty() || parts[1] > 0xff || !is_on_pcie(parts[2], parts[3])) {
        return std::nullopt;
    }
    return domain::PciAddress{parts[0], static_cast<std::uint8_t>(parts[1]),
                              static_cast<std::uint8_t>(parts[2]),
                              static_cast<std::uint8_t>(parts[3])};
}

std::string format_pci_address(const domain::PciAddress& address) {
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", address.domain, address.bus, address.device,
                       address.function);
}

}  // namespace hora::read
