// What does hwloc's tree say of a machine, in our words?
#include "libplanner/read/machine/hwloc_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "libplanner/read/machine/hwloc_nvlinks.hpp"
#include "libplanner/read/machine/hwloc_object.hpp"
#include "libplanner/read/machine/hwloc_parts.hpp"
#include "libplanner/read/machine/pci_device.hpp"
#include "libplanner/read/pci_address.hpp"

namespace hora::read {
namespace {

using domain::no_object;
using domain::not_known;
using domain::ObjectKind;
using domain::TopologyObject;

using PciAttributes = hwloc_obj_attr_u::hwloc_pcidev_attr_s;

class MachineReader {
  public:
    explicit MachineReader(hwloc_topology_t topology) : topology_(topology) {}

    Expected<HwlocMachine> read() {
        read_processors();
        topology().host = info_of(root(), "HostName");
        parts_.emplace(topology_, machine_);
        read_cores();
        read_devices(root());
        if (problem_) {
            return unexpected(std::move(*problem_));
        }
        sort_devices();
        topology().nvlinks = read_nvlinks(topology_, places_);
        return std::move(machine_);
    }

  private:
    domain::Topology& topology() { return machine_.topology; }
    hwloc_obj_t root() const { return hwloc_get_root_obj(topology_); }

    void read_processors();
    void read_cores();
    void read_devices(hwloc_obj_t object);
    void read_io(hwloc_obj_t object, std::uint32_t parent, const Home& home);
    void read_bridge(hwloc_obj_t object, std::uint32_t parent, const Home& home);
    void read_device(hwloc_obj_t object, std::uint32_t parent, const Home& home);
    void take(const domain::PciAddress& address);
    void sort_devices();

    hwloc_topology_t topology_;
    HwlocMachine machine_;
    std::optional<HwlocParts> parts_;
    DevicePlaces places_;
    std::set<domain::PciAddress> taken_;
    std::optional<Error> problem_;
};

void MachineReader::read_processors() {
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, 0);
    const hwloc_obj_t source =
        package != nullptr && hwloc_obj_get_info_by_name(package, "CPUModel") != nullptr ? package
                                                                                         : root();
    domain::Processor& processor = topology().processor;
    processor.architecture = info_of(root(), "Architecture");
    processor.vendor = info_of(source, "CPUVendor");
    processor.name = info_of(source, "CPUModel");
    processor.family = number_of(info_of(source, "CPUFamilyNumber"));
    processor.model = number_of(info_of(source, "CPUModelNumber"));
}

void MachineReader::read_cores() {
    const int sockets = hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_PACKAGE);
    topology().sockets = static_cast<std::uint32_t>(std::max(sockets, 1));
    std::optional<std::uint32_t> cores;
    for (int i = 0; i < sockets; ++i) {
        const hwloc_obj_t one =
            hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, static_cast<unsigned>(i));
        const int inside =
            hwloc_get_nbobjs_inside_cpuset_by_type(topology_, one->cpuset, HWLOC_OBJ_CORE);
        const auto count = static_cast<std::uint32_t>(std::max(inside, 0));
        cores = cores.value_or(count) == count ? count : 0;
    }
    topology().cores_per_socket = cores.value_or(0);
    hwloc_obj_t core = nullptr;
    while ((core = hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_CORE, core)) != nullptr) {
        const Home home = parts_->home_of(core);
        const hwloc_obj_t cache =
            hwloc_get_ancestor_obj_by_type(topology_, HWLOC_OBJ_L3CACHE, core);
        topology().cores.push_back({home.socket, home.numa,
                                    cache == nullptr ? not_known : cache->logical_index,
                                    home.cpus});
        topology().threads_per_core =
            std::max(topology().threads_per_core, static_cast<std::uint32_t>(home.cpus.size()));
    }
}

void MachineReader::read_devices(hwloc_obj_t object) {
    if (object->io_first_child != nullptr) {
        const Home home = parts_->home_of(object);
        for (hwloc_obj_t io = object->io_first_child; io != nullptr; io = io->next_sibling) {
            read_io(io, home.object, home);
        }
    }
    for (hwloc_obj_t child = object->first_child; child != nullptr; child = child->next_sibling) {
        read_devices(child);
    }
}

void MachineReader::read_io(hwloc_obj_t object, std::uint32_t parent, const Home& home) {
    if (problem_) {
        return;
    }
    if (object->type == HWLOC_OBJ_BRIDGE) {
        read_bridge(object, parent, home);
    } else if (object->type == HWLOC_OBJ_PCI_DEVICE) {
        read_device(object, parent, home);
    }
}

domain::PciAddress address_of(const PciAttributes& pci) {
    return {pci.domain, pci.bus, pci.dev, pci.func};
}

void MachineReader::read_bridge(hwloc_obj_t object, std::uint32_t parent, const Home& home) {
    TopologyObject bridge{.kind = ObjectKind::host_bridge, .parent = parent};
    double speed = 0;
    if (object->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI) {
        const PciAttributes& pci = object->attr->bridge.upstream.pci;
        bridge.kind = ObjectKind::bridge;
        bridge.name = info_of(object, "PCIDevice");
        bridge.address = address_of(pci);
        bridge.device_class = pci.class_id;
        bridge.vendor = pci.vendor_id;
        bridge.device = pci.device_id;
        speed = static_cast<double>(pci.linkspeed);
    } else {
        const auto& below = object->attr->bridge.downstream.pci;
        bridge.address = {below.domain, below.secondary_bus, 0, 0};
        bridge.name = fmt::format("pci{:04x}:{:02x}", below.domain, below.secondary_bus);
    }
    if (bridge.kind == ObjectKind::bridge) {
        take(bridge.address);
    }
    const std::uint32_t own = machine_.add(std::move(bridge), speed);
    for (hwloc_obj_t io = object->io_first_child; io != nullptr; io = io->next_sibling) {
        read_io(io, own, home);
    }
    if (topology().objects.size() == own + 1) {  // nothing of ours hangs there
        topology().objects.pop_back();
        machine_.speeds.pop_back();
    }
}

// What drivers call it, best first.
std::string name_of(hwloc_obj_t object) {
    for (const char* const key : {"GPUModel", "CoProcName"}) {
        for (hwloc_obj_t io = object->io_first_child; io != nullptr; io = io->next_sibling) {
            if (std::string name = info_of(io, key); !name.empty()) {
                return name;
            }
        }
    }
    return info_of(object, "PCIDevice");
}

std::vector<std::string> interfaces_of(hwloc_obj_t object) {
    std::vector<std::string> names;
    for (hwloc_obj_t io = object->io_first_child; io != nullptr; io = io->next_sibling) {
        const bool is_interface = io->type == HWLOC_OBJ_OS_DEVICE &&
                                  (io->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK ||
                                   io->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS);
        constexpr std::size_t most = 16;
        if (is_interface && io->name != nullptr && names.size() < most) {
            names.push_back(printable(io->name));
        }
    }
    return names;
}

void MachineReader::read_device(hwloc_obj_t object, std::uint32_t parent, const Home& home) {
    const PciAttributes& pci = object->attr->pcidev;
    const PciIdentity identity{pci.class_id, pci.vendor_id, pci.device_id};
    const bool is_switch =
        is_nvswitch(identity) ||
        (object->subtype != nullptr && std::string_view(object->subtype) == "NVSwitch");
    if (!is_gpu(identity) && !is_nic(identity) && !is_switch) {
        return;
    }
    TopologyObject device{.kind = is_switch ? ObjectKind::nvswitch : ObjectKind::nic,
                          .parent = parent,
                          .name = name_of(object),
                          .address = address_of(pci),
                          .device_class = pci.class_id,
                          .vendor = pci.vendor_id,
                          .device = pci.device_id};
    if (is_gpu(identity)) {
        device.kind = ObjectKind::gpu;
    }
    const domain::PciAddress address = device.address;
    const ObjectKind kind = device.kind;
    const std::uint32_t own = machine_.add(std::move(device), static_cast<double>(pci.linkspeed));
    take(address);
    if (kind != ObjectKind::nic) {
        places_[object->gp_index] = own;
    }
    if (kind == ObjectKind::gpu) {
        topology().gpus.push_back({own, home.numa, home.socket, no_object, home.cpus});
    } else if (kind == ObjectKind::nic) {
        topology().nics.push_back({own, home.numa, interfaces_of(object), home.cpus});
    }
}

void MachineReader::take(const domain::PciAddress& address) {
    if (!is_on_pcie(address.device, address.function) && !problem_) {
        problem_ = Error{fmt::format("has a device at \"{}\", which is no place on PCIe; write it "
                                     "anew, or correct that",
                                     format_pci_address(address)),
                         ErrorKind::wrong_use};
    }
    if (!taken_.insert(address).second && !problem_) {
        problem_ = Error{fmt::format("has two devices at \"{}\"; write it anew, or remove one",
                                     format_pci_address(address)),
                         ErrorKind::wrong_use};
    }
}

void MachineReader::sort_devices() {
    const auto by_address = [&](const auto& a, const auto& b) {
        return topology().objects[a.object].address < topology().objects[b.object].address;
    };
    std::sort(topology().gpus.begin(), topology().gpus.end(), by_address);
    std::sort(topology().nics.begin(), topology().nics.end(), by_address);
}

}  // namespace

std::uint32_t HwlocMachine::add(TopologyObject object, double speed) {
    topology.objects.push_back(std::move(object));
    speeds.push_back(speed);
    return static_cast<std::uint32_t>(topology.objects.size() - 1);
}

Expected<HwlocMachine> read_machine(hwloc_topology_t topology) {
    return MachineReader(topology).read();
}

}  // namespace hora::read
