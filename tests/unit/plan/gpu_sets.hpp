// Of a set of GPUs, which part spans it and which groups does it break? For trying every set.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/plan/node_fit.hpp"

namespace hora::tests {

using GpuIndices = std::vector<std::uint32_t>;

bool is_inside(const domain::Cluster& cluster, std::uint32_t gpu, std::uint32_t part);
bool is_in_mesh(const domain::Cluster& cluster, std::uint32_t part);

// Index of the smallest part that holds all of them, which are one at least.
std::uint32_t spanning_part(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

// Groups of free GPUs inside nodes of which `gpus` are some, and not all.
// What a set pays for: in a mesh its own, else that of the part that spans it.
domain::Link link_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);
// With the slowest link inside their nodes: of the largest part there.
cost::Members exchanging(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);
// By the request's rules, which every set keeps to.
Seconds exchange_time(const domain::Request& request, const domain::Cluster& cluster, Bytes size,
                      std::span<const std::uint32_t> gpus);
// By which sets of one price are compared: the same of a set on one node; of what a set has on one
// of several nodes, that of the part.
double closeness_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus,
                    bool is_all);
plan::Broken broken_by(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

// Calls `with` for each set of `count` of the given GPUs, which are less than 32; ascending.
void for_each_set(std::span<const std::uint32_t> gpus, std::size_t count,
                  const std::function<void(const GpuIndices&)>& with);

GpuIndices free_gpus(const domain::Cluster& cluster);

}  // namespace hora::tests
