// What `hora topology` can print: one function for each option.
#pragma once

#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::scripts {

struct TopologyRequest {
    std::string path;   // of the topology; empty with --local
    std::string value;  // of the option, where it takes one
    std::string node;   // of --node, for what names one
    std::string type;   // of --type: Slurm's name of the GPUs
};

// Returns what goes to stdout.
using PrintTopology = Expected<std::string> (*)(const domain::Topology&, const TopologyRequest&);

struct TopologyOutput {
    const char* option;  // "--json"; at most one of them is given
    const char* value;   // what it takes, as "FILE"; empty for a flag
    const char* help;
    PrintTopology print;
    bool has_node = false;  // whether --node says something of it
    bool has_type = false;  // whether --type does
};

}  // namespace hora::scripts
