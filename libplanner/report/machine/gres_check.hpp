// Where do a machine and its lines in gres.conf disagree?
#pragma once

#include <string>
#include <vector>

#include "libplanner/domain/topology.hpp"
#include "libplanner/read/machine/device_files.hpp"
#include "libplanner/read/slurm/gres_conf.hpp"

namespace hora::report {

// A sentence each: how many GPUs, their bus ids where comments note them, cores that are not near,
// GPUs of one switch that Slurm would not place together, Links=. `gpus` as Slurm numbers them;
// those without a bus id are found by their file. Only what the lines say is compared.
std::vector<std::string> gres_differences(const domain::Topology& topology,
                                          const std::vector<read::GresGpu>& gpus,
                                          const read::DeviceFiles& files);

}  // namespace hora::report
