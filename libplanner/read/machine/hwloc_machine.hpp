// What does hwloc's tree say of a machine, in our words?
#pragma once

#include <hwloc.h>

#include <cstdint>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::read {

struct HwlocMachine {
    domain::Topology topology;   // without switches, links and paths
    std::vector<double> speeds;  // by object: bandwidth of its port at the time, in GB/s

    // The index of the new object.
    std::uint32_t add(domain::TopologyObject object, double speed = 0);
};

// On failure: what cannot be, as two devices at one place.
Expected<HwlocMachine> read_machine(hwloc_topology_t topology);

}  // namespace hora::read
