// Which GPUs can stand in for each other, which of them idle, and to which does a job belong?
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/elastic.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

struct GpuGroup {
    std::string name;          // "titanx of main, debug"
    std::uint32_t device = 0;  // index into Cluster::devices
    std::uint32_t usable = 0;  // on nodes that jobs can run on
    std::uint32_t idle = 0;    // of those, with a CPU for each
    std::uint32_t gpus_per_node = 1;
    domain::Link inside{};              // the slowest inside its first node
    std::vector<std::uint32_t> free{};  // what idles, by node of the group
};

// Nodes that are not for every job of their partitions, by the name of a partition or reservation.
struct Apart {
    std::string name;
    std::vector<std::uint32_t> nodes;  // ascending
};

// The reservations that hold now, and each partition inside others of which `jobs` wait for more
// GPUs than idle there: what idles around it is not idle for them.
std::vector<Apart> nodes_apart(const domain::Snapshot& cluster,
                               const std::vector<ObservedJob>& jobs, std::int64_t now);

// GPUs of one type on the nodes of partitions that share nodes, and on nodes that are apart.
// `cluster` must outlive the map.
class GpuMap {
  public:
    explicit GpuMap(const domain::Snapshot& cluster, std::vector<Apart> apart = {});

    const std::vector<GpuGroup>& groups() const { return groups_; }

    // By the nodes that it holds, else those that were planned, else its partition and the type of
    // GPU that it names. A job that holds some nodes that are apart belongs there. Empty where that
    // says nothing.
    std::optional<std::size_t> group_of(const ObservedJob& job) const;

    // What it holds, by node of the group as in `free`. Empty where Slurm does not say, or where it
    // holds other GPUs too.
    std::vector<domain::NodeGpus> held_by(const ObservedJob& job, std::size_t group) const;

    // GPUs of its group's type on the nodes that it may have. Fails, in words for a person, where
    // there is none: no other request of the job could start.
    Expected<std::uint32_t> usable_for(const ObservedJob& job, std::size_t group,
                                       std::int64_t now) const;

  private:
    void join_partitions();
    void set_apart();
    void group_nodes();
    const std::string& name_of(std::uint32_t part) const;
    std::optional<std::size_t> group_of_node(std::string_view name) const;
    std::optional<std::size_t> group_of_held(const ObservedJob& job) const;
    std::uint32_t gpus_on(const std::vector<std::uint32_t>& nodes, std::uint32_t device) const;
    bool is_open(std::uint32_t node, const ObservedJob& job,
                 const domain::Partition* partition) const;

    const domain::Snapshot& cluster_;
    std::vector<Apart> apart_;
    std::unordered_map<std::string_view, std::uint32_t> nodes_;
    // By node: its partitions' lowest index; of one that is apart, its place in apart_ behind all
    // partitions; none: no_part.
    std::vector<std::uint32_t> part_;
    std::vector<std::size_t> group_;    // by node; none: npos
    std::vector<std::uint32_t> place_;  // by node: among those of its group
    std::vector<std::uint32_t> gpus_;   // by node
    // By all that decides which nodes a job may have, and device: most jobs ask for the same as
    // others.
    using Asked =
        std::tuple<const domain::Partition*, std::uint32_t, std::string, std::string, std::string,
                   std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::int64_t, double>;
    mutable std::map<Asked, Expected<std::uint32_t>> usable_;
    std::vector<GpuGroup> groups_;
};

}  // namespace hora::horad
