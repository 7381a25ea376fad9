// How do the GPUs of one machine hang together, by its hwloc XML?
#include "libplanner/read/topology.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "libplanner/read/file.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::Link;
using domain::no_part;
using domain::PartKind;

using PciDevice = hwloc_obj_attr_u::hwloc_pcidev_attr_s;
using Topology =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

// What two sockets exchange in NCCL's cost model: AMD 16 GB/s, Intel since Skylake at least 10.
constexpr Bandwidth between_amd_sockets{16e9};
constexpr Bandwidth between_sockets{10e9};

constexpr unsigned vendor_amd = 0x1002;
constexpr unsigned vendor_nvidia = 0x10de;

// A 3D controller is a GPU; so is what has a display as well, if made by those who make GPUs for
// computing. The graphics of a board management controller (ASPEED, Matrox) are none.
bool is_gpu(hwloc_obj_t object) {
    if (object->type != HWLOC_OBJ_PCI_DEVICE) {
        return false;
    }
    const PciDevice& pci = object->attr->pcidev;
    const bool is_maker = pci.vendor_id == vendor_amd || pci.vendor_id == vendor_nvidia;
    return pci.class_id == 0x0302 ||
           (is_maker && (pci.class_id == 0x0300 || pci.class_id == 0x0380));
}

// 0000:34:00.0 as one number, in the order of buses.
std::uint64_t bus_order(const PciDevice& pci) {
    return (std::uint64_t{pci.domain} << 32) | (std::uint64_t{pci.bus} << 16) |
           (std::uint64_t{pci.dev} << 8) | pci.func;
}

// The PCIe link above an object. An idle GPU lets its link fall to 2.5 GT/s, 0.25 GB/s a lane, and
// the file was likely written then: such a link counts as that many lanes of the device's own.
Bandwidth link_above(hwloc_obj_t object, const domain::Device& device) {
    double speed = 0;  // GB/s
    if (object->type == HWLOC_OBJ_PCI_DEVICE) {
        speed = static_cast<double>(object->attr->pcidev.linkspeed);
    } else if (object->type == HWLOC_OBJ_BRIDGE &&
               object->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI) {
        speed = static_cast<double>(object->attr->bridge.upstream.pci.linkspeed);
    } else {
        return Bandwidth(std::numeric_limits<double>::infinity());  // no PCIe link
    }
    if (speed <= 0 || !std::isfinite(speed)) {
        return device.pcie;
    }
    constexpr double slowest_lane = 0.25;
    const double lanes = speed / slowest_lane;
    const bool is_idle = lanes <= 16 && lanes == std::floor(lanes);
    return is_idle ? device.pcie * (lanes / 16) : Bandwidth(speed * 1e9);
}

PartKind kind_of(hwloc_obj_t object) {
    if (object->type == HWLOC_OBJ_BRIDGE &&
        object->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI) {
        return PartKind::pcie_switch;
    }
    return object->type == HWLOC_OBJ_MACHINE ? PartKind::node : PartKind::socket;
}

// GPUs that have met somewhere below: one GPU, or a group of several.
struct Bundle {
    hwloc_obj_t at = nullptr;
    Bandwidth inside;           // slowest link between any two of them
    Bandwidth way_up;           // slowest link of any of them up to what is being looked at
    std::vector<Bundle> inner;  // empty: a GPU
};

class LayoutReader {
  public:
    LayoutReader(hwloc_topology_t topology, const domain::Device& device)
        : topology_(topology), device_(device) {}

    std::optional<NodeLayout> read() {
        const hwloc_obj_t machine = hwloc_get_root_obj(topology_);
        std::optional<Bundle> whole = meet(machine);
        if (!whole) {
            return std::nullopt;
        }
        std::sort(gpus_.begin(), gpus_.end());
        layout_.group_of.assign(gpus_.size(), 0);
        if (whole->inner.empty()) {
            layout_.groups.push_back({PartKind::node, "", no_part, link_of(*whole)});
        } else {
            write(*whole, no_part);
        }
        return std::move(layout_);
    }

  private:
    // The GPUs below an object: none, one set that hangs there alone, or a group that meets here.
    std::optional<Bundle> meet(hwloc_obj_t object) {
        if (is_gpu(object)) {
            gpus_.emplace_back(bus_order(object->attr->pcidev), object);
            const Bandwidth own = link_above(object, device_);
            return Bundle{object, own, own, {}};
        }
        std::vector<Bundle> found;
        for (hwloc_obj_t child = nullptr;
             (child = hwloc_get_next_child(topology_, object, child)) != nullptr;) {
            if (auto below = meet(child)) {
                found.push_back(std::move(*below));
            }
        }
        if (found.empty()) {
            return std::nullopt;
        }
        Bandwidth slowest = found[0].way_up;
        for (const Bundle& one : found) {
            slowest = std::min(slowest, one.way_up);
        }
        const Bandwidth way_up = std::min(slowest, link_above(object, device_));
        if (found.size() == 1) {
            found[0].way_up = way_up;
            return std::move(found[0]);
        }
        return Bundle{object, slowest, way_up, std::move(found)};
    }

    Link link_of(const Bundle& bundle) const {
        if (device_.nvlink > Bandwidth(0)) {
            return usual_link(device_);
        }
        return pcie_link(bundle.at->type == HWLOC_OBJ_MACHINE
                             ? std::min(bundle.inside, socket_bandwidth())
                             : bundle.inside);
    }

    Bandwidth socket_bandwidth() const {
        const hwloc_obj_t package = hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, 0);
        const char* const vendor =
            package == nullptr ? nullptr : hwloc_obj_get_info_by_name(package, "CPUVendor");
        return vendor != nullptr && std::string_view(vendor) == "AuthenticAMD" ? between_amd_sockets
                                                                               : between_sockets;
    }

    void write(const Bundle& bundle, std::uint32_t parent) {
        const auto own = static_cast<std::uint32_t>(layout_.groups.size());
        const PartKind kind = parent == no_part ? PartKind::node : kind_of(bundle.at);
        layout_.groups.push_back({kind, name_of(kind), parent, link_of(bundle)});
        for (const Bundle& inner : bundle.inner) {
            if (!inner.inner.empty()) {
                write(inner, own);
                continue;
            }
            const auto gpu = std::find_if(gpus_.begin(), gpus_.end(), [&](const auto& known) {
                return known.second == inner.at;
            });
            layout_.group_of[static_cast<std::size_t>(gpu - gpus_.begin())] = own;
        }
    }

    std::string name_of(PartKind kind) {
        if (kind == PartKind::node) {
            return "";
        }
        return kind == PartKind::socket ? fmt::format("socket{}", sockets_++)
                                        : fmt::format("switch{}", switches_++);
    }

    hwloc_topology_t topology_;
    const domain::Device& device_;
    std::vector<std::pair<std::uint64_t, hwloc_obj_t>> gpus_;
    NodeLayout layout_;
    unsigned sockets_ = 0;
    unsigned switches_ = 0;
};

Topology load(const std::string& xml) {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) {
        return {nullptr, &hwloc_topology_destroy};
    }
    Topology topology(raw, &hwloc_topology_destroy);
    hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    const int length = static_cast<int>(xml.size()) + 1;  // hwloc counts the final zero
    if (hwloc_topology_set_xmlbuffer(raw, xml.c_str(), length) != 0 ||
        hwloc_topology_load(raw) != 0) {
        topology.reset();
    }
    return topology;
}

}  // namespace

Expected<NodeLayout> read_topology_layout(const std::string& path, const domain::Device& device) {
    constexpr std::size_t largest = std::size_t{16} << 20;
    const auto xml = read_file(path, largest);
    if (!xml) {
        return unexpected(xml.error());
    }
    const Topology topology = load(*xml);
    if (!topology) {
        return wrong_use(
            fmt::format("{} is no hwloc XML; write one with 'lstopo --of xml FILE'", quoted(path)));
    }
    auto layout = LayoutReader(topology.get(), device).read();
    if (!layout) {
        return wrong_use(fmt::format("{} has no GPU", quoted(path)));
    }
    return std::move(*layout);
}

}  // namespace hora::read
