// What do the boxes in the picture of a machine say?
#include "libplanner/report/svg/machine_labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/report/svg/link_colour.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using domain::Topology;
using domain::TopologyObject;

// Without the domain where it is the usual one: "34:00.0".
std::string short_address(const domain::PciAddress& address) {
    const std::string whole = read::format_pci_address(address);
    constexpr std::size_t domain_width = 5;
    return address.domain == 0 ? whole.substr(domain_width) : whole;
}

template <class Belongs>
std::string cores_text(const Topology& topology, Belongs belongs) {
    const auto count = std::count_if(topology.cores.begin(), topology.cores.end(), belongs);
    return count == 0 ? "" : counted(count, "core");
}

std::string joined(std::string_view one, std::string_view other) {
    return fmt::format("{}{}{}", one, one.empty() || other.empty() ? "" : ", ", other);
}

// A socket's only NUMA node has no box of its own.
std::string only_numa_node(const Topology& topology, std::uint32_t socket) {
    std::string text;
    for (const TopologyObject& one : topology.objects) {
        if (one.kind == ObjectKind::numa_node && one.parent == socket) {
            if (!text.empty()) {
                return "";
            }
            text = fmt::format("NUMA node {}", one.os_index);
        }
    }
    return text;
}

BoxLabel socket_label(const Topology& topology, std::uint32_t object) {
    const TopologyObject& one = topology.objects[object];
    const std::string heading = fmt::format("Socket {}", one.os_index);
    const std::string cores = cores_text(
        topology, [&](const domain::TopologyCore& core) { return core.socket == one.os_index; });
    return {{heading, joined(only_numa_node(topology, object), cores)}, joined(heading, one.name)};
}

BoxLabel numa_label(const Topology& topology, const TopologyObject& one) {
    const std::string heading = fmt::format("NUMA node {}", one.os_index);
    const std::string cores = cores_text(
        topology, [&](const domain::TopologyCore& core) { return core.numa == one.os_index; });
    return {{heading, cores}, joined(heading, cores)};
}

BoxLabel gpu_label(const Topology& topology, std::uint32_t number) {
    const TopologyObject& one = topology.objects[topology.gpus[number].object];
    BoxLabel label{
        {fmt::format("GPU {}", number), short_address(one.address)},
        joined(fmt::format("GPU {}, {}", number, read::format_pci_address(one.address)), one.name)};
    if (has_several_gpu_types(topology)) {
        label.lines.push_back(one.name);
    }
    return label;
}

std::string nic_name(const Topology& topology, std::uint32_t number) {
    const domain::TopologyNic& nic = topology.nics[number];
    return nic.names.empty() ? short_address(topology.objects[nic.object].address)
                             : fmt::format("{}", fmt::join(nic.names, " "));
}

std::string nic_title(const Topology& topology, std::uint32_t number) {
    const TopologyObject& one = topology.objects[topology.nics[number].object];
    return joined(fmt::format("NIC {} {}, {}", number, nic_name(topology, number),
                              read::format_pci_address(one.address)),
                  one.name);
}

BoxLabel nic_label(const Topology& topology, const std::vector<std::uint32_t>& numbers) {
    const std::uint32_t first = numbers.front();
    const std::uint32_t last = numbers.back();
    BoxLabel label;
    label.title = nic_title(topology, first);
    if (numbers.size() == 1) {
        const domain::TopologyObject& one = topology.objects[topology.nics[first].object];
        label.lines = {fmt::format("NIC {}", first), nic_name(topology, first)};
        if (!topology.nics[first].names.empty()) {
            label.lines.push_back(short_address(one.address));
        }
        return label;
    }
    label.lines = {numbers.size() == 2 ? fmt::format("NIC {}, {}", first, last)
                                       : fmt::format("{} NICs", numbers.size()),
                   nic_name(topology, first),
                   (numbers.size() == 2 ? "" : "… ") + nic_name(topology, last)};
    label.title += (numbers.size() == 2 ? "; " : "; … ") + nic_title(topology, last);
    return label;
}

// How often each name stands, in the order in which they first do.
using Counted = std::vector<std::pair<std::string, std::size_t>>;

void count(Counted& counted, std::string_view name) {
    const auto known = std::find_if(counted.begin(), counted.end(),
                                    [&](const auto& one) { return one.first == name; });
    if (known != counted.end()) {
        ++known->second;
    } else {
        counted.emplace_back(name, 1);
    }
}

void append(std::vector<std::string>& to, const Counted& counted, std::string_view without_name) {
    constexpr std::size_t most = 4;
    for (std::size_t i = 0; i < std::min(counted.size(), most); ++i) {
        to.push_back(fmt::format("{} × {}", counted[i].second,
                                 counted[i].first.empty() ? without_name : counted[i].first));
    }
    if (counted.size() > most) {
        to.push_back(
            fmt::format("{} more type{}", counted.size() - most, plural(counted.size() - most)));
    }
}

}  // namespace

BoxLabel label_of(const Topology& topology, const MachineBox& box) {
    const TopologyObject& one = topology.objects[box.object];
    switch (box.kind) {
        case ObjectKind::machine:
            return {{"Machine"}, machine_name(topology)};
        case ObjectKind::socket:
            return socket_label(topology, box.object);
        case ObjectKind::numa_node:
            return numa_label(topology, one);
        case ObjectKind::host_bridge:
            return {{"host bridge " + one.name}, "PCIe host bridge " + one.name};
        case ObjectKind::gpu:
            return gpu_label(topology, box.numbers.front());
        case ObjectKind::nic:
            return nic_label(topology, box.numbers);
        default:
            return {{"PCIe switch " + short_address(one.address), one.name},
                    joined("PCIe switch " + read::format_pci_address(one.address), one.name)};
    }
}

std::string machine_name(const Topology& topology) {
    const std::string& product = topology.objects.front().name;
    const std::string name = topology.host.empty() ? product : topology.host;
    return name.empty()                               ? "machine"
           : product.empty() || topology.host.empty() ? name
                                                      : fmt::format("{} ({})", name, product);
}

std::vector<std::string> contents_of(const Topology& topology) {
    Counted sockets;
    Counted gpus;
    Counted nics;
    for (const TopologyObject& one : topology.objects) {
        if (one.kind == ObjectKind::socket) {
            count(sockets, one.name);
        } else if (one.kind == ObjectKind::gpu) {
            count(gpus, one.name);
        } else if (one.kind == ObjectKind::nic) {
            count(nics, one.name);
        }
    }
    std::vector<std::string> contents;
    append(contents, sockets, "processor");
    append(contents, gpus, "GPU");
    append(contents, nics, "NIC");
    return contents;
}

}  // namespace hora::report
