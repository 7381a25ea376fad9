// The machines of tests/topologies.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "libplanner/read/cluster/topology.hpp"

namespace hora::read {

inline std::string topology_path(const std::string& name) {
    const char* const source = std::getenv("srcdir");
    return std::string(source == nullptr ? "." : source) + "/tests/topologies/" + name + ".xml";
}

inline domain::Topology some_topology(const std::string& name) {
    auto topology = read_topology(topology_path(name));
    if (!topology) {
        ADD_FAILURE() << topology.error().message;
        return {};
    }
    return std::move(*topology);
}

constexpr const char* topology_names[] = {"amd",
                                          "four-switches",
                                          "management-graphics",
                                          "no-gpu",
                                          "nvswitch",
                                          "one-socket-four-switches",
                                          "two-switches-one-socket",
                                          "two-switches-two-sockets",
                                          "virtual"};

}  // namespace hora::read
