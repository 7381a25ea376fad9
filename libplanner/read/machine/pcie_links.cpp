// How fast are the PCIe links of a machine, by what its files or its kernel say of each port?
#include "libplanner/read/machine/pcie_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "libplanner/model/links/path.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/machine/pci_device.hpp"
#include "libplanner/read/pci_address.hpp"

namespace hora::read {
namespace {

using domain::no_object;
using domain::ObjectKind;
using domain::PcieLink;
using domain::Topology;
using domain::TopologyObject;

constexpr std::array generations = {2.5, 5.0, 8.0, 16.0, 32.0, 64.0};
constexpr double giga = 1e9;

// "8.0 GT/s PCIe" or, of older kernels, "8 GT/s"; "16".
std::optional<double> read_number(const std::string& path) {
    const auto text = read_file(path, 4096);
    double number = 0;
    if (!text) {
        return std::nullopt;
    }
    const auto [stop, problem] = std::from_chars(text->data(), text->data() + text->size(), number);
    return problem == std::errc() && number > 0 ? std::optional(number) : std::nullopt;
}

PcieLink link_of(const PcieAbility& ability) {
    return {.gigatransfers = ability.gigatransfers,
            .lanes = ability.lanes,
            .bandwidth = model::pcie_bandwidth(ability.gigatransfers, ability.lanes)};
}

PcieLink usual_link_of(const TopologyObject& object, std::uint32_t lanes) {
    PcieLink link = link_of({usual_gigatransfers(identity_of(object)), lanes});
    link.is_assumed = true;
    link.is_usual = true;
    return link;
}

// What an idle GPU's link comes to: whole lanes at 2.5 GT/s.
std::optional<std::uint32_t> idle_lanes(double speed) {
    for (const std::uint32_t lanes : {1u, 2u, 4u, 8u, 16u}) {
        if (speed == model::pcie_bandwidth(2.5, lanes) / Bandwidth(giga)) {
            return lanes;
        }
    }
    return std::nullopt;
}

// Generation 1 is left to what nothing else explains. Of the others the most lanes do: 7.88 GB/s is
// generation 3 with eight lanes rather than 4 with four.
std::optional<PcieLink> explaining_link(double speed) {
    for (const bool is_first_generation : {false, true}) {
        for (const std::uint32_t lanes : {16u, 8u, 4u, 2u, 1u}) {
            for (const double gigatransfers : generations) {
                const Bandwidth known = model::pcie_bandwidth(gigatransfers, lanes);
                const bool is_near = std::abs(speed * giga / known.count() - 1) < 0.01;
                if (is_near && is_first_generation == (gigatransfers == generations[0])) {
                    return PcieLink{gigatransfers, lanes, known, true, false};
                }
            }
        }
    }
    return std::nullopt;
}

// What nothing explains counts as sixteen lanes of the generation that comes nearest.
PcieLink nearest_link(double speed) {
    constexpr std::uint32_t lanes = 16;
    const auto distance = [&](double gigatransfers) {
        return std::abs(
            std::log(speed * giga / model::pcie_bandwidth(gigatransfers, lanes).count()));
    };
    const auto nearest =
        std::min_element(generations.begin(), generations.end(),
                         [&](double a, double b) { return distance(a) < distance(b); });
    return {*nearest, lanes, Bandwidth(speed * giga), true, false};
}

// `gpu`: the object itself, or the fastest below; null where there is none. With it idle ports
// idle.
PcieLink link_at_the_time(const TopologyObject& object, const TopologyObject* gpu, double speed) {
    const bool is_gpu = object.kind == ObjectKind::gpu;
    constexpr double least = 1e-3;  // GB/s; no link is slower, nor faster than a thousand
    constexpr double most = 1e3;
    if (!(speed >= least && speed <= most)) {
        return is_gpu ? usual_link_of(object, 16) : PcieLink();
    }
    const auto idle = idle_lanes(speed);
    if (gpu != nullptr && idle) {
        return usual_link_of(*gpu, *idle);
    }
    const auto explaining = explaining_link(speed);
    return explaining ? *explaining : nearest_link(speed);
}

double usual_rate_of(const TopologyObject& gpu) {
    return usual_gigatransfers(identity_of(gpu));
}

// By object: the GPU with the fastest interface at or below it.
std::vector<const TopologyObject*> fastest_gpus(const Topology& topology) {
    std::vector<const TopologyObject*> fastest(topology.objects.size(), nullptr);
    for (std::size_t i = topology.objects.size(); i-- > 1;) {
        const TopologyObject& object = topology.objects[i];
        fastest[i] = object.kind == ObjectKind::gpu ? &object : fastest[i];
        const TopologyObject*& above = fastest[object.parent];
        const bool is_faster =
            fastest[i] != nullptr &&
            (above == nullptr || usual_rate_of(*fastest[i]) > usual_rate_of(*above));
        above = is_faster ? fastest[i] : above;
    }
    return fastest;
}

// Ports that lead down to this object: the link between is as fast as both allow.
const TopologyObject* port_above(const Topology& topology, const TopologyObject& object) {
    const TopologyObject& parent = topology.objects[object.parent];
    return parent.kind == ObjectKind::bridge && !parent.is_switch ? &parent : nullptr;
}

}  // namespace

std::optional<PcieAbility> read_ability(const std::string& sysfs,
                                        const domain::PciAddress& address) {
    const std::string folder =
        fmt::format("{}/bus/pci/devices/{}/", sysfs, format_pci_address(address));
    const auto rate = read_number(folder + "max_link_speed");
    const auto lanes = read_number(folder + "max_link_width");
    constexpr double most_lanes = 32;  // the kernel writes 255 where it does not know
    if (!rate || !lanes || *lanes > most_lanes ||
        std::find(generations.begin(), generations.end(), *rate) == generations.end()) {
        return std::nullopt;
    }
    return PcieAbility{*rate, static_cast<std::uint32_t>(*lanes)};
}

void find_switches(Topology& topology) {
    // A link has one device at its end, so a port with several below is a switch.
    std::vector<std::optional<std::pair<std::uint8_t, std::uint8_t>>> first_below(
        topology.objects.size());
    std::vector<bool> has_several(topology.objects.size(), false);
    for (const TopologyObject& object : topology.objects) {
        if (object.parent == no_object) {
            continue;
        }
        const std::pair slot{object.address.bus, object.address.device};
        auto& first = first_below[object.parent];
        has_several[object.parent] = has_several[object.parent] || (first && *first != slot);
        first = first.value_or(slot);
    }
    for (std::size_t i = 0; i < topology.objects.size(); ++i) {
        TopologyObject& object = topology.objects[i];
        if (object.kind == ObjectKind::bridge) {
            const TopologyObject& parent = topology.objects[object.parent];
            const bool is_after_a_port = parent.kind == ObjectKind::bridge && !parent.is_switch;
            object.is_switch = is_after_a_port || has_several[i];
        }
    }
}

void find_shared_bridges(Topology& topology) {
    const std::vector<TopologyObject>& objects = topology.objects;
    std::vector<std::uint32_t> devices_below(objects.size(), 0);
    for (std::size_t i = objects.size(); i-- > 1;) {
        devices_below[objects[i].parent] +=
            devices_below[i] + (is_gpu_or_nic(objects[i].kind) ? 1 : 0);
    }
    for (domain::TopologyGpu& gpu : topology.gpus) {
        std::uint32_t bridge = objects[gpu.object].parent;
        while (objects[bridge].kind == ObjectKind::bridge && devices_below[bridge] < 2) {
            bridge = objects[bridge].parent;
        }
        gpu.bridge = objects[bridge].kind == ObjectKind::bridge ? bridge : no_object;
    }
}

void set_links(Topology& topology, const std::vector<std::optional<PcieAbility>>& abilities,
               const std::vector<double>& speeds) {
    const std::vector<const TopologyObject*> gpus = fastest_gpus(topology);
    for (std::size_t i = 0; i < topology.objects.size(); ++i) {
        TopologyObject& object = topology.objects[i];
        const bool has_link =
            is_gpu_or_nic(object.kind) || object.kind == ObjectKind::nvswitch || object.is_switch;
        if (!has_link) {
            continue;
        }
        const TopologyObject* const port = port_above(topology, object);
        if (!abilities[i]) {
            const double speed =
                speeds[i] > 0 || port == nullptr ? speeds[i] : speeds[object.parent];
            object.uplink = link_at_the_time(object, gpus[i], speed);
            continue;
        }
        PcieAbility ability = *abilities[i];
        if (port != nullptr && abilities[object.parent]) {
            const PcieAbility& above = *abilities[object.parent];
            ability = {std::min(ability.gigatransfers, above.gigatransfers),
                       std::min(ability.lanes, above.lanes)};
        }
        object.uplink = link_of(ability);
    }
}

}  // namespace hora::read
