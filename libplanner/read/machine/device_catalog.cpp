// Which types of GPU are known, and what does a site say about its own?
// Keys: gpu.NAME.{like, peak.{fp32, tf32, fp16, bf16, fp8}, memory_bandwidth, memory, pcie, nvlink,
// efficiency, attained.{compute, memory}, step_overhead, source}.
#include "libplanner/read/machine/device_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/machine/device_names.hpp"
#include "libplanner/read/machine/devices_text.hpp"
#include "libplanner/read/machine/efficiency_catalog.hpp"
#include "libplanner/read/quantity.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::Device;
using domain::Efficiency;

// PCIe generation 3 x16: what nearly every GPU has at least.
constexpr Bandwidth usual_pcie{15.75e9};

void take_like(TomlTable& table, const std::vector<Device>& devices, Device& device) {
    std::string like;
    if (!table.take("like", like)) {
        return;
    }
    if (const Device* const other = named_device(devices, like).device) {
        const std::string name = device.name;
        device = *other;
        device.name = name;
        return;
    }
    std::vector<std::string_view> names;
    for (const Device& known : devices) {
        names.push_back(known.name);
    }
    table.reject("like",
                 fmt::format("unknown device {}{}", quoted(like), did_you_mean(like, names)));
}

Expected<void> take_peaks(TomlTable& table, Device& device) {
    auto peaks = table.take_table("peak");
    if (!peaks) {
        return {};
    }
    for (const domain::DataTypeInfo& type : domain::data_types) {
        peaks->take(type.name, device.peak[static_cast<std::size_t>(type.type)]);
    }
    return peaks->finish();
}

// "none" says that a board has no NVLink, where the shipped one has.
void take_nvlink(TomlTable& table, Device& device) {
    std::string text;
    if (!table.take("nvlink", text)) {
        return;
    }
    if (text == "none") {
        device.nvlink = Bandwidth(0);
        return;
    }
    const auto bandwidth = parse_quantity<Bandwidth>(text);
    if (!bandwidth) {
        table.reject("nvlink", bandwidth.error().message + ", or \"none\"");
        return;
    }
    device.nvlink = *bandwidth;
}

// Of the shares that the efficiency has, as hora calibrate finds them.
Expected<void> take_attained(TomlTable& table, Device& device) {
    constexpr double least = 0.01;
    constexpr double most = 100;
    auto attained = table.take_table("attained");
    if (!attained) {
        return {};
    }
    double compute = 1;
    double memory = 1;
    attained->take("compute", compute);
    attained->take("memory", memory);
    for (const auto& [key, factor] : {std::pair{"compute", &compute}, {"memory", &memory}}) {
        if (!(*factor >= least && *factor <= most)) {
            attained->reject(key, fmt::format("a factor is {} to {}", least, most));
            *factor = 1;
        }
    }
    device.efficiency = device.efficiency.times(compute, memory);
    return attained->finish();
}

// Rates that a table states of its own are attained ones, unless it says how far programs stay
// below them: by the name of an efficiency, or by that of another device that it is like.
void take_efficiency(TomlTable& table, const std::vector<Efficiency>& efficiencies,
                     Device& device) {
    std::string name;
    if (table.take("efficiency", name)) {
        const Efficiency* const known = find_efficiency(efficiencies, name);
        if (known == nullptr && name != "none") {
            std::vector<std::string_view> names{"none"};
            for (const Efficiency& efficiency : efficiencies) {
                names.push_back(efficiency.name);
            }
            table.reject("efficiency", fmt::format("unknown efficiency {}{}", quoted(name),
                                                   did_you_mean(name, names)));
        }
        device.efficiency = known == nullptr ? Efficiency{} : *known;
    } else if (!table.has("like") && (table.has("peak") || table.has("memory_bandwidth"))) {
        device.efficiency = {};
    }
}

void reject_incomplete(TomlTable& table, const Device& device) {
    const auto missing = [&](std::string_view key) {
        table.reject(key,
                     fmt::format("{} is a new device and needs \"{}\", or \"like\" a known one",
                                 quoted(device.name), key));
    };
    if (device.peak_for(domain::DataType::fp32) <= FlopRate(0)) {
        missing("peak.fp32");
    }
    if (device.memory_bandwidth <= Bandwidth(0)) {
        missing("memory_bandwidth");
    }
    if (device.memory <= Bytes(0)) {
        missing("memory");
    }
}

Expected<Device> take_device(TomlTable table, const std::vector<Efficiency>& efficiencies,
                             const std::vector<Device>& devices) {
    Device device;
    device.pcie = usual_pcie;
    device.source = table.where();
    if (const Device* const known = named_device(devices, table.name()).device) {
        device = *known;
        device.source += "; " + table.where();
    }
    device.name = table.name();
    if (!is_device_name(device.name)) {
        return wrong_use(fmt::format(
            "{}: {} is no name of a device: letters, digits, '-', '_' and '.', at most {}",
            table.where(), quoted(device.name), longest_device_name));
    }
    take_like(table, devices, device);
    if (auto good = take_peaks(table, device); !good) {
        return unexpected(good.error());
    }
    table.take("memory_bandwidth", device.memory_bandwidth);
    table.take("memory", device.memory);
    table.take("pcie", device.pcie);
    take_nvlink(table, device);
    take_efficiency(table, efficiencies, device);
    if (auto good = take_attained(table, device); !good) {
        return unexpected(good.error());
    }
    table.take("step_overhead", device.efficiency.step);
    table.take("source", device.source);
    if (auto good = table.finish(); !good) {
        return unexpected(good.error());
    }
    reject_incomplete(table, device);
    if (auto good = table.finish(); !good) {
        return unexpected(good.error());
    }
    return device;
}

Expected<std::vector<Device>> take_devices(TomlTable& root,
                                           const std::vector<Efficiency>& efficiencies,
                                           std::vector<Device> devices) {
    for (const TomlTable& table : root.take_tables_in("gpu")) {
        auto device = take_device(table, efficiencies, devices);
        if (!device) {
            return unexpected(device.error());
        }
        const auto known = std::find_if(devices.begin(), devices.end(), [&](const Device& other) {
            return other.name == device->name;
        });
        if (known == devices.end()) {
            devices.push_back(std::move(*device));
        } else {
            *known = std::move(*device);
        }
    }
    return devices;
}

struct Catalog {
    std::vector<Efficiency> efficiencies;
    std::vector<Device> devices;
};

Expected<Catalog> read_catalog(std::string_view toml) {
    auto root = read_toml(toml, "devices.toml");
    if (!root) {
        return unexpected(root.error());
    }
    auto efficiencies = take_efficiencies(*root);
    if (!efficiencies) {
        return unexpected(efficiencies.error());
    }
    auto devices = take_devices(*root, *efficiencies, {});
    if (!devices) {
        return unexpected(devices.error());
    }
    if (auto good = root->finish(); !good) {
        return unexpected(good.error());
    }
    return Catalog{std::move(*efficiencies), std::move(*devices)};
}

const Catalog& shipped() {
    static const Catalog catalog = [] {
        auto read = read_catalog(device_catalog_text());
        if (!read) {
            throw std::logic_error("shipped device catalogue: " + read.error().message);
        }
        return std::move(*read);
    }();
    return catalog;
}

}  // namespace

const std::vector<Device>& known_devices() {
    return shipped().devices;
}

const std::vector<Efficiency>& known_efficiencies() {
    return shipped().efficiencies;
}

std::string_view device_catalog_text() {
    return devices_text;
}

const Device* find_device(const std::vector<Device>& devices, std::string_view name) {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const Device& device) { return device.name == name; });
    return found == devices.end() ? nullptr : &*found;
}

Expected<std::vector<Device>> take_devices(TomlTable& root, std::vector<Device> devices) {
    return take_devices(root, known_efficiencies(), std::move(devices));
}

}  // namespace hora::read
