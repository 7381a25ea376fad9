// Which sockets and NUMA nodes has a machine of hwloc, and near which of them is a device?
#pragma once

#include <hwloc.h>

#include <cstdint>
#include <map>
#include <vector>

#include "libplanner/domain/topology.hpp"
#include "libplanner/read/machine/hwloc_machine.hpp"

namespace hora::read {

// The place of devices outside PCIe: the smallest known part of the machine that is near them.
struct Home {
    std::uint32_t object = 0;  // index into Topology::objects
    std::uint32_t numa = domain::not_known;
    std::uint32_t socket = domain::not_known;
    std::vector<std::uint32_t> cpus;
};

class HwlocParts {
  public:
    // Adds them to the machine, which is object 0; both arguments outlive this.
    HwlocParts(hwloc_topology_t topology, HwlocMachine& machine);

    Home home_of(hwloc_obj_t object) const;

  private:
    void add_socket(hwloc_obj_t package);
    void add_numa(hwloc_obj_t node, std::uint32_t parent);
    hwloc_obj_t package_around(hwloc_obj_t object) const;  // null: none holds all its processors

    hwloc_topology_t topology_;
    HwlocMachine& machine_;
    std::map<unsigned, std::uint32_t> sockets_;  // hwloc's logical index to ours
    std::map<unsigned, std::uint32_t> numas_;
};

}  // namespace hora::read
