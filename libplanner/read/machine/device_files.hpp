// Through which device files does one reach the GPUs of a machine?
#pragma once

#include <string>
#include <vector>

#include "libplanner/domain/topology.hpp"

namespace hora::read {

struct DeviceFiles {
    std::vector<std::string> paths;  // by GPU, as in the topology: "/dev/nvidia0"
    bool are_assumed = true;
};

// /dev/nvidiaN, or /dev/dri/renderDN of other makers, in the order of bus ids: mostly so, but a
// driver may number otherwise.
DeviceFiles usual_device_files(const domain::Topology& topology);

// Of this machine, by what the drivers tell under `root`; the usual ones unless they tell of all.
DeviceFiles local_device_files(const domain::Topology& topology, const std::string& root = "");

}  // namespace hora::read
