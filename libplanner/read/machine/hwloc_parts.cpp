// Which sockets and NUMA nodes has a machine of hwloc, and near which of them is a device?
#include "libplanner/read/machine/hwloc_parts.hpp"

#include "libplanner/read/machine/hwloc_object.hpp"

namespace hora::read {

using domain::ObjectKind;

HwlocParts::HwlocParts(hwloc_topology_t topology, HwlocMachine& machine)
    : topology_(topology), machine_(machine) {
    machine_.add({.kind = ObjectKind::machine,
                  .name = info_of(hwloc_get_root_obj(topology_), "DMIProductName")});
    for (int i = 0; i < hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_PACKAGE); ++i) {
        add_socket(hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, static_cast<unsigned>(i)));
    }
    for (int i = 0; i < hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_NUMANODE); ++i) {
        add_numa(hwloc_get_obj_by_type(topology_, HWLOC_OBJ_NUMANODE, static_cast<unsigned>(i)), 0);
    }
}

void HwlocParts::add_socket(hwloc_obj_t package) {
    const std::uint32_t own = machine_.add({.kind = ObjectKind::socket,
                                            .parent = 0,
                                            .name = info_of(package, "CPUModel"),
                                            .os_index = index_of(package)});
    sockets_[package->logical_index] = own;
    hwloc_obj_t node = nullptr;
    while ((node = hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_NUMANODE, node)) != nullptr) {
        if (is_filled(node->cpuset) &&
            hwloc_bitmap_isincluded(node->cpuset, package->cpuset) != 0) {
            add_numa(node, own);
        }
    }
}

// Memory without processors, as that of a GPU or of CXL, is no place to be near to.
void HwlocParts::add_numa(hwloc_obj_t node, std::uint32_t parent) {
    if (is_filled(node->cpuset) && !numas_.contains(node->logical_index)) {
        numas_[node->logical_index] = machine_.add(
            {.kind = ObjectKind::numa_node, .parent = parent, .os_index = index_of(node)});
    }
}

// hwloc's own search takes a socket that holds some of the processors for one that holds them all.
hwloc_obj_t HwlocParts::package_around(hwloc_obj_t object) const {
    hwloc_obj_t package = nullptr;
    do {
        package = hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, package);
    } while (package != nullptr && hwloc_bitmap_isincluded(object->cpuset, package->cpuset) == 0);
    return package;
}

Home HwlocParts::home_of(hwloc_obj_t object) const {
    Home home;
    if (!is_filled(object->cpuset)) {
        return home;
    }
    home.cpus = members_of(object->cpuset);
    if (const hwloc_obj_t package = package_around(object); package != nullptr) {
        home.object = sockets_.at(package->logical_index);
        home.socket = index_of(package);
    }
    // Of several kinds of memory at the same processors the first is the usual one.
    hwloc_obj_t nearest = nullptr;
    hwloc_obj_t node = nullptr;
    while ((node = hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_NUMANODE, node)) != nullptr) {
        if (is_filled(node->cpuset) && hwloc_bitmap_isincluded(object->cpuset, node->cpuset) != 0) {
            nearest = node;
            break;
        }
    }
    if (nearest != nullptr) {
        const std::uint32_t own = numas_.at(nearest->logical_index);
        home.numa = index_of(nearest);
        // A node that spans several sockets is no closer place than one of them.
        home.object = machine_.topology.objects[own].parent == home.object ? own : home.object;
    }
    return home;
}

}  // namespace hora::read
