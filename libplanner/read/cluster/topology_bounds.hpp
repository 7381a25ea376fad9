// How large may a machine be that is read from a file?
#pragma once

#include <cstddef>

namespace hora::read {

constexpr std::size_t max_topology_objects = 8192;
constexpr std::size_t max_topology_gpus = 256;
constexpr std::size_t max_topology_nics = 1024;
constexpr std::size_t max_topology_nvlinks = std::size_t{1} << 16;
constexpr std::size_t max_topology_cpus = std::size_t{1} << 16;
// Of all devices together: "0-65535" is short in a file and long in memory.
constexpr std::size_t max_listed_cpus = std::size_t{1} << 21;
constexpr double max_topology_bandwidth = 1e18;  // bytes a second

}  // namespace hora::read
