// What does a node know of itself: its topology, and whether it is a virtual machine?
#pragma once

#include <string>

#include "plugins/spank/task_environment.hpp"

namespace hora::spank {

// "/etc/hora/{node}.json" for a node.
std::string file_of_node(std::string path, const std::string& node);

// Notes the topology of the file, or what is wrong with it; a missing file is no problem.
void read_topology_of(const std::string& file, TaskFacts& facts);

// By the hypervisor's flag among those of the CPU, as /proc/cpuinfo has it on x86.
bool is_virtual_machine(const std::string& cpuinfo);

// The file for NCCL_TOPO_FILE; empty where it cannot be read, or where NCCL sees the machine
// itself: a virtual machine hides the PCIe tree, on others a file would only go stale.
std::string nccl_topo_file(const std::string& file, const std::string& cpuinfo);

}  // namespace hora::spank
