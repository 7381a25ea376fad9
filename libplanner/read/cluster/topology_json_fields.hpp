// Single fields of the JSON of a machine; what is wrong of one is rejected where it stands.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "libplanner/domain/topology.hpp"
#include "libplanner/read/format/json_object.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {

constexpr std::uint32_t largest_topology_number = 1u << 20;

inline std::uint32_t whole(JsonObject& item, const char* key,
                           std::uint32_t max = largest_topology_number) {
    return static_cast<std::uint32_t>(item.whole(key, max));
}

// The place in `names` of the name that it is.
inline std::size_t named(JsonObject& item, const char* key,
                         std::span<const std::string_view> names) {
    const std::string text = item.text(key, 32);
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) {
        item.reject(key, fmt::format("is {}, which is not known", read::quoted(text)));
        return 0;
    }
    return static_cast<std::size_t>(found - names.begin());
}

inline domain::PciAddress address(JsonObject& item, const char* key) {
    const std::string text = item.text(key, 32);
    const auto found = parse_pci_address(text);
    if (!found) {
        item.reject(
            key, fmt::format("is {}; a bus id is written as \"0000:34:00.0\"", read::quoted(text)));
    }
    return found.value_or(domain::PciAddress());
}

}  // namespace hora::read
