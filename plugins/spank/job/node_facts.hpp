// What does a node know of itself: its topology, its address, whether it is a virtual machine?
#pragma once

#include <string>

#include "plugins/spank/job/task_facts.hpp"

namespace hora::spank {

// "/etc/hora/{node}.json" for a node; empty where its name is needed and is none: it comes from a
// variable of the job, which may lead out of the folder.
std::string file_of_node(std::string path, const std::string& node);

// Notes the topology of the file, or what is wrong with it; a missing file is no problem.
void read_topology_of(const std::string& file, TaskFacts& facts);

// Does the resolver of this machine know the name?
bool resolves(const std::string& name);

// Under which name this node is reached: `name`, which is Slurm's, where that resolves, else the
// host's own where that does, else `name` again.
std::string own_address(const std::string& name);

// By the hypervisor's flag among those of the CPU, as /proc/cpuinfo has it on x86.
bool is_virtual_machine(const std::string& cpuinfo);

// The file for NCCL_TOPO_FILE; empty where it cannot be read, or where NCCL sees the machine
// itself: a virtual machine hides the PCIe tree, on others a file would only go stale.
std::string nccl_topo_file(const std::string& file, const std::string& cpuinfo);

}  // namespace hora::spank
