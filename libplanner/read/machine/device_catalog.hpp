// Which types of GPU are known, and what does a site say about its own?
#pragma once

#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/read/format/toml_table.hpp"

namespace hora::read {

// The shipped catalogue (devices.toml), in its order.
const std::vector<domain::Device>& known_devices();
// What its devices attain, by the names that [gpu.NAME] tables may give.
const std::vector<domain::Efficiency>& known_efficiencies();

// The text of devices.toml, for people.
std::string_view device_catalog_text();

// nullptr when no device has that name. The pointer is good as long as the list.
const domain::Device* find_device(const std::vector<domain::Device>& devices,
                                  std::string_view name);

// Takes the [gpu.NAME] tables of a document: those that `devices` has are overridden key by key,
// the others are added; `like = "h100"` starts from another device's figures.
// A new device needs peak.fp32, memory_bandwidth and memory.
Expected<std::vector<domain::Device>> take_devices(TomlTable& root,
                                                   std::vector<domain::Device> devices);

}  // namespace hora::read
