// Machines whose GPUs NVLinks join, for tests.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "libplanner/domain/topology.hpp"
#include "libplanner/model/links/path.hpp"

namespace hora::tests {

// PCI ids.
constexpr std::uint16_t v100 = 0x1db1;
constexpr std::uint16_t a100 = 0x20b0;
constexpr std::uint16_t h100 = 0x2330;

struct MeshLink {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t count = 0;  // of 25 GB/s
};

// Two sockets of Broadwell with half of the GPUs each, a root port to each GPU.
inline domain::Topology sockets_of(std::uint32_t gpus, std::uint16_t device) {
    using domain::ObjectKind;
    domain::Topology machine;
    machine.processor = {"x86_64", "GenuineIntel", "Intel(R) Xeon(R) CPU E5-2698 v4 @ 2.20GHz", 6,
                         79};
    machine.sockets = 2;
    machine.objects.push_back({.kind = ObjectKind::machine});
    const domain::PcieLink x16{8, 16, model::pcie_bandwidth(8, 16)};
    for (std::uint32_t socket = 0; socket < 2; ++socket) {
        const auto own = static_cast<std::uint32_t>(machine.objects.size());
        machine.objects.push_back({.kind = ObjectKind::socket, .parent = 0, .os_index = socket});
        machine.objects.push_back(
            {.kind = ObjectKind::numa_node, .parent = own, .os_index = socket});
        machine.objects.push_back({.kind = ObjectKind::host_bridge, .parent = own + 1});
        for (std::uint32_t gpu = socket * gpus / 2; gpu < (socket + 1) * gpus / 2; ++gpu) {
            machine.gpus.push_back({static_cast<std::uint32_t>(machine.objects.size()),
                                    socket,
                                    socket,
                                    domain::no_object,
                                    {}});
            machine.objects.push_back(
                {.kind = ObjectKind::gpu,
                 .parent = own + 2,
                 .address = {0, static_cast<std::uint8_t>(socket * 128 + gpu + 1), 0, 0},
                 .device_class = 0x0302,
                 .vendor = 0x10de,
                 .device = device,
                 .uplink = x16});
        }
    }
    return machine;
}

inline domain::Topology mesh_of(std::uint32_t gpus, const std::vector<MeshLink>& links,
                                std::uint16_t device) {
    domain::Topology machine = sockets_of(gpus, device);
    for (const MeshLink& link : links) {
        if (link.count > 0) {
            machine.nvlinks.push_back({machine.gpus[link.a].object, machine.gpus[link.b].object,
                                       Bandwidth(25e9 * link.count), false});
        }
    }
    model::find_paths(machine);
    return machine;
}

inline domain::Topology dgx1v() {
    return mesh_of(8,
                   {{0, 1, 1},
                    {0, 2, 1},
                    {0, 3, 2},
                    {0, 4, 2},
                    {1, 2, 2},
                    {1, 3, 1},
                    {1, 5, 2},
                    {2, 3, 2},
                    {2, 6, 1},
                    {3, 7, 1},
                    {4, 5, 1},
                    {4, 6, 1},
                    {4, 7, 2},
                    {5, 6, 2},
                    {5, 7, 1},
                    {6, 7, 2}},
                   v100);
}

// Four P100, a pair on each socket.
inline domain::Topology power8() {
    domain::Topology machine = sockets_of(4, 0x15f9);
    machine.processor = {"ppc64le", "", "POWER8NVL", domain::not_known, domain::not_known};
    for (const std::uint32_t first : {0U, 2U}) {
        machine.nvlinks.push_back(
            {machine.gpus[first].object, machine.gpus[first + 1].object, Bandwidth(40e9), false});
    }
    model::find_paths(machine);
    return machine;
}

// NVLinks of each pair, gpus x gpus.
inline std::vector<std::uint32_t> links_of(const domain::Topology& machine) {
    const std::size_t count = machine.gpus.size();
    std::vector<std::uint32_t> links(count * count, 0);
    for (const domain::NvLink& link : machine.nvlinks) {
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = 0; b < count; ++b) {
                const bool is_it =
                    machine.gpus[a].object == link.a && machine.gpus[b].object == link.b;
                if (is_it) {
                    links[a * count + b] = links[b * count + a] =
                        static_cast<std::uint32_t>(std::lround(link.bandwidth.count() / 25e9));
                }
            }
        }
    }
    return links;
}

// All GPUs on one NVSwitch.
inline domain::Topology switched(std::uint32_t gpus, std::uint32_t links, double bandwidth,
                                 std::uint16_t device) {
    domain::Topology machine = sockets_of(gpus, device);
    const auto own = static_cast<std::uint32_t>(machine.objects.size());
    machine.objects.push_back({.kind = domain::ObjectKind::nvswitch,
                               .parent = 3,
                               .address = {0, 0x70, 0, 0},
                               .device_class = 0x0680,
                               .vendor = 0x10de});
    for (const domain::TopologyGpu& gpu : machine.gpus) {
        machine.nvlinks.push_back({gpu.object, own, Bandwidth(bandwidth * links), false});
    }
    model::find_paths(machine);
    return machine;
}

// GPUs below up to four switches of one host bridge, with links of several speeds.
// `below(n)` draws a number below n.
template <class Below>
domain::Topology random_tree(std::uint32_t gpus, Below below) {
    using domain::ObjectKind;
    const auto link = [&] {
        const double rate = std::array{8.0, 16.0}[below(2)];
        const std::uint32_t lanes = std::array{8U, 16U}[below(2)];
        return domain::PcieLink{rate, lanes, model::pcie_bandwidth(rate, lanes)};
    };
    domain::Topology machine;
    machine.objects.push_back({.kind = ObjectKind::machine});
    machine.objects.push_back({.kind = ObjectKind::numa_node, .parent = 0});
    machine.objects.push_back({.kind = ObjectKind::host_bridge, .parent = 1});
    const std::uint32_t switches = 1 + below(4);
    for (std::uint32_t i = 0; i < switches; ++i) {
        machine.objects.push_back(
            {.kind = ObjectKind::bridge, .parent = 2, .is_switch = true, .uplink = link()});
    }
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        machine.gpus.push_back(
            {static_cast<std::uint32_t>(machine.objects.size()), 0, 0, domain::no_object, {}});
        machine.objects.push_back(
            {.kind = ObjectKind::gpu, .parent = 3 + below(switches), .uplink = link()});
    }
    model::find_paths(machine);
    return machine;
}

}  // namespace hora::tests
