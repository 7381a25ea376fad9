// Which GPUs can stand in for each other, which of them idle, and to which does a job belong?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scripts/horad/observation.hpp"

namespace hora::horad {

struct GpuGroup {
    std::string name;          // "titanx of main, debug"
    std::uint32_t device = 0;  // index into Cluster::devices
    std::uint32_t usable = 0;  // on nodes that jobs can run on
    std::uint32_t idle = 0;    // of those, with a CPU for each
    std::uint32_t gpus_per_node = 1;
};

// GPUs of one type on the nodes of partitions that share nodes. `cluster` must outlive the map.
class GpuMap {
  public:
    explicit GpuMap(const domain::Snapshot& cluster);

    const std::vector<GpuGroup>& groups() const { return groups_; }

    // By the nodes that it holds, else those that were planned, else its partition and the type of
    // GPU that it names. Empty where that says nothing.
    std::optional<std::size_t> group_of(const ObservedJob& job) const;

    // Does a reservation of nodes of its partition begin before the job, started now, has had its
    // time? Slurm would not start it then.
    bool is_reserved(const ObservedJob& job, std::int64_t now) const;

  private:
    void join_partitions();
    void group_nodes();
    std::optional<std::size_t> group_of_node(std::string_view name) const;
    const domain::Partition* partition_of(const ObservedJob& job) const;

    const domain::Snapshot& cluster_;
    std::unordered_map<std::string_view, std::uint32_t> nodes_;
    std::vector<std::uint32_t> part_;  // by node: its partitions' lowest index; none: no_part
    std::vector<std::size_t> group_;   // by node; none: npos
    std::vector<GpuGroup> groups_;
};

}  // namespace hora::horad
