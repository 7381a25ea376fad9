// What is the GPU topology of a machine, by its hwloc or NCCL XML or by what hwloc sees here?
#include "libplanner/read/cluster/topology.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "libplanner/model/links/path.hpp"
#include "libplanner/read/cluster/node_layout.hpp"
#include "libplanner/read/cluster/topology_bounds.hpp"
#include "libplanner/read/cluster/topology_json.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/machine/hwloc_file.hpp"
#include "libplanner/read/machine/hwloc_machine.hpp"
#include "libplanner/read/machine/pci_device.hpp"
#include "libplanner/read/machine/pcie_links.hpp"
#include "libplanner/read/nccl/measured_links.hpp"
#include "libplanner/read/nccl/nccl_dump.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/survival.hpp"

namespace hora::read {
namespace {

using domain::ObjectKind;
using domain::Topology;
using HwlocTopology =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

// Null when hwloc fails. Without text: this machine. Also what cgroups keep from this process
// counts: the machine is described, and not who looks at it.
HwlocTopology load(const std::string* xml) {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) {
        return {nullptr, &hwloc_topology_destroy};
    }
    HwlocTopology topology(raw, &hwloc_topology_destroy);
    // Without NVML hwloc takes an NVSwitch for an unimportant bridge.
    hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    const bool is_ready =
        xml == nullptr ||  // hwloc counts the final zero
        hwloc_topology_set_xmlbuffer(raw, xml->c_str(), static_cast<int>(xml->size()) + 1) == 0;
    if (!is_ready || hwloc_topology_load(raw) != 0) {
        topology.reset();
    }
    return topology;
}

// Boards of Ampere and later join all their GPUs by NVSwitches, or as fast by links of their own. A
// virtual machine that has some of these GPUs shows neither.
bool are_on_a_silent_board(const Topology& topology) {
    constexpr std::uint16_t first_ampere = 0x20b0;
    if (topology.gpus.size() < 2) {
        return false;
    }
    const PciIdentity first = identity_of(topology.objects[topology.gpus.front().object]);
    return std::all_of(topology.gpus.begin(), topology.gpus.end(), [&](const auto& gpu) {
        const PciIdentity own = identity_of(topology.objects[gpu.object]);
        return is_on_nvlink_board(own).value_or(false) && own.device >= first_ampere &&
               own.device == first.device;
    });
}

// NVSwitches reach every GPU; where hwloc had no NVML to ask, the type of the GPU says how fast.
void assume_nvlinks(Topology& topology) {
    std::vector<std::uint32_t> switches;
    for (std::uint32_t i = 0; i < topology.objects.size(); ++i) {
        if (topology.objects[i].kind == ObjectKind::nvswitch) {
            switches.push_back(i);
        }
    }
    if (!topology.nvlinks.empty()) {
        return;
    }
    if (switches.empty() && are_on_a_silent_board(topology)) {
        switches.push_back(static_cast<std::uint32_t>(topology.objects.size()));
        topology.objects.push_back(
            {.kind = ObjectKind::nvswitch, .parent = 0, .name = "NVLinks that are not shown"});
    }
    for (const domain::TopologyGpu& gpu : topology.gpus) {
        const Bandwidth all = usual_nvlink(identity_of(topology.objects[gpu.object]));
        for (const std::uint32_t one : switches) {
            if (all > Bandwidth(0)) {
                topology.nvlinks.push_back({std::min(gpu.object, one), std::max(gpu.object, one),
                                            all / static_cast<double>(switches.size()), true});
            }
        }
    }
    std::sort(topology.nvlinks.begin(), topology.nvlinks.end(),
              [](const domain::NvLink& a, const domain::NvLink& b) {
                  return std::pair(a.a, a.b) < std::pair(b.a, b.b);
              });
}

bool is_too_large(const Topology& topology) {
    std::size_t cpus = 0;
    for (const domain::TopologyGpu& gpu : topology.gpus) {
        cpus += gpu.cpus.size();
    }
    for (const domain::TopologyNic& nic : topology.nics) {
        cpus += nic.cpus.size();
    }
    for (const domain::TopologyCore& core : topology.cores) {
        cpus += core.cpus.size();
    }
    return topology.objects.size() > max_topology_objects ||
           topology.gpus.size() > max_topology_gpus || topology.nics.size() > max_topology_nics ||
           topology.nvlinks.size() > max_topology_nvlinks ||
           topology.cores.size() > max_topology_cpus || cpus > max_listed_cpus;
}

// With `sysfs`, what the kernel there says of each link weighs more than what hwloc saw.
Expected<Topology> finish(hwloc_topology_t hwloc, const std::string* sysfs) {
    auto machine = read_machine(hwloc);
    if (!machine) {
        return unexpected(machine.error());
    }
    Topology& topology = machine->topology;
    std::vector<std::optional<PcieAbility>> abilities(topology.objects.size());
    for (std::size_t i = 0; sysfs != nullptr && i < topology.objects.size(); ++i) {
        const ObjectKind kind = topology.objects[i].kind;
        if (kind >= ObjectKind::bridge) {
            abilities[i] = read_ability(*sysfs, topology.objects[i].address);
        }
    }
    if (is_too_large(topology)) {
        return failure("has more parts than a machine can have");
    }
    find_switches(topology);
    find_shared_bridges(topology);
    set_links(topology, abilities, machine->speeds);
    assume_nvlinks(topology);
    model::find_paths(topology);
    return std::move(topology);
}

bool is_json(const std::string& text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    return start != std::string::npos && text[start] == '{';
}

// What NCCL writes and reads: its first tag, behind whatever stands before, is <system>.
bool is_by_nccl(const std::string& text) {
    std::size_t at = text.find('<');
    while (at != std::string::npos && at + 1 < text.size() &&
           (text[at + 1] == '?' || text[at + 1] == '!')) {
        const bool is_comment = text.compare(at, 4, "<!--") == 0;
        const std::size_t end = text.find(is_comment ? "-->" : ">", at);
        at = end == std::string::npos ? end : text.find('<', end);
    }
    return at != std::string::npos && text.compare(at, 7, "<system") == 0;
}

Expected<Topology> read_nccl_topology(const std::string& text) {
    auto topology = read_nccl_dump(text);
    if (topology) {
        find_shared_bridges(*topology);
    }
    return topology;
}

// Absent measurements are none.
Expected<void> add_measured(Topology& topology, const std::string& path) {
    const std::string measured = measured_links_path(path);
    std::error_code problem;
    if (!std::filesystem::exists(measured, problem)) {
        return {};
    }
    const auto text = read_file(measured, max_topology_size);
    if (!text) {
        return unexpected(text.error());
    }
    if (auto good = apply_measured_links(topology, *text); !good) {
        return unexpected(good.error().within(measured));
    }
    return {};
}

}  // namespace

Expected<Topology> read_topology_xml(const std::string& xml) {
    if (auto good = check_hwloc_xml(xml); !good) {
        return unexpected(good.error());
    }
    // hwloc believes what it reads, and dies of some of what a damaged file says.
    const auto is_readable = [&](const Survival::Note&) {
        const HwlocTopology hwloc = load(&xml);
        if (hwloc) {
            static_cast<void>(finish(hwloc.get(), nullptr));
        }
        return hwloc != nullptr;
    };
    const HwlocTopology hwloc =
        survive(is_readable).is_good ? load(&xml) : HwlocTopology(nullptr, &hwloc_topology_destroy);
    if (!hwloc) {
        return wrong_use("is no hwloc XML, or damaged; write one with 'lstopo --of xml FILE'");
    }
    return finish(hwloc.get(), nullptr);
}

Expected<Topology> read_topology(const std::string& path) {
    const auto text = read_file(path, max_topology_size);
    if (!text) {
        return unexpected(text.error());
    }
    auto topology = is_json(*text)      ? read_topology_json(*text)
                    : is_by_nccl(*text) ? read_nccl_topology(*text)
                                        : read_topology_xml(*text);
    if (!topology) {
        const std::string& problem = topology.error().message;
        if (is_by_nccl(*text)) {
            return unexpected(topology.error().within(path));
        }
        return is_json(*text)
                   ? wrong_use(fmt::format("{}: {}; write it anew with 'hora topology --json'",
                                           path, problem))
                   : unexpected({fmt::format("{} {}", read::quoted(path), problem),
                                 topology.error().kind});
    }
    if (auto good = add_measured(*topology, path); !good) {
        return unexpected(good.error());
    }
    return topology;
}

Expected<Topology> read_local_topology(const std::string& sysfs) {
    const HwlocTopology hwloc = load(nullptr);
    if (!hwloc) {
        return failure("hwloc cannot read this machine; look at what 'lstopo' says");
    }
    auto topology = finish(hwloc.get(), &sysfs);
    return topology ? std::move(topology) : unexpected(topology.error().within("this machine"));
}

Expected<NodeLayout> read_topology_layout(const std::string& path, const domain::Device& device) {
    const auto topology = read_topology(path);
    if (!topology) {
        return unexpected(topology.error());
    }
    if (topology->gpus.empty()) {
        return wrong_use(fmt::format("{} has no GPU", read::quoted(path)));
    }
    return layout_of(*topology, device);
}

}  // namespace hora::read
