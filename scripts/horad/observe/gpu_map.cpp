// Which GPUs can stand in for each other, which of them idle, and to which does a job belong?
#include "scripts/horad/observe/gpu_map.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "libplanner/read/slurm/hostlist.hpp"
#include "scripts/horad/observe/job_request.hpp"

namespace hora::horad {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

std::vector<std::string> names_of(const std::string& hostlist) {
    return hostlist.empty() ? std::vector<std::string>()
                            : read::expand_hostlist(hostlist).value_or(std::vector<std::string>());
}

// GPUs of usable nodes, with a CPU for each.
std::uint32_t idle_on(const std::vector<std::uint32_t>& nodes, const domain::Snapshot& cluster) {
    std::map<std::uint32_t, std::uint32_t> free;
    for (const domain::Gpu& gpu : cluster.cluster.gpus) {
        free[gpu.node] += gpu.is_free ? 1 : 0;
    }
    std::uint32_t idle = 0;
    for (const std::uint32_t node : nodes) {
        const domain::NodeState& state = cluster.states[node];
        idle += state.is_usable ? std::min(free[node], state.free_cpus) : 0;
    }
    return idle;
}

// Has one of its nodes a partition besides, that has others too?
bool is_inside_another(const domain::Partition& inner, const domain::Snapshot& cluster) {
    return std::any_of(
        cluster.partitions.begin(), cluster.partitions.end(), [&](const domain::Partition& outer) {
            const bool is_more = !std::includes(inner.nodes.begin(), inner.nodes.end(),
                                                outer.nodes.begin(), outer.nodes.end());
            return is_more &&
                   std::find_first_of(inner.nodes.begin(), inner.nodes.end(), outer.nodes.begin(),
                                      outer.nodes.end()) != inner.nodes.end();
        });
}

// The node's that holds this part, or the part's own where none is one.
domain::Link link_inside(const domain::Cluster& cluster, std::uint32_t part) {
    if (part >= cluster.parts.size()) {
        return {};
    }
    const domain::Link own = cluster.parts[part].link;
    for (; part != domain::no_part; part = cluster.parts[part].parent) {
        if (cluster.parts[part].kind == domain::PartKind::node) {
            return cluster.parts[part].link;
        }
    }
    return own;
}

}  // namespace

std::vector<Apart> nodes_apart(const domain::Snapshot& cluster,
                               const std::vector<ObservedJob>& jobs, std::int64_t now) {
    std::vector<Apart> apart;
    for (const domain::Partition& partition : cluster.partitions) {
        const bool is_short =
            is_inside_another(partition, cluster) &&
            std::any_of(jobs.begin(), jobs.end(),
                        [&, idle = idle_on(partition.nodes, cluster)](const ObservedJob& job) {
                            return waits_for_gpus(job, now) && job.gpus > idle &&
                                   partition_of(job, cluster) == &partition;
                        });
        if (is_short) {
            apart.push_back({.name = partition.name, .nodes = partition.nodes});
        }
    }
    for (const domain::Reservation& reservation : cluster.reservations) {
        if (reservation.starts <= now && now < reservation.ends) {
            apart.push_back({.name = reservation.name, .nodes = reservation.nodes});
        }
    }
    // A node belongs to the smallest.
    std::stable_sort(apart.begin(), apart.end(), [](const Apart& a, const Apart& b) {
        return a.nodes.size() < b.nodes.size();
    });
    return apart;
}

GpuMap::GpuMap(const domain::Snapshot& cluster, std::vector<Apart> apart)
    : cluster_(cluster), apart_(std::move(apart)) {
    for (std::uint32_t i = 0; i < cluster.cluster.nodes.size(); ++i) {
        nodes_.emplace(cluster.cluster.nodes[i].name, i);
    }
    join_partitions();
    set_apart();
    group_nodes();
}

void GpuMap::set_apart() {
    for (std::size_t i = apart_.size(); i-- > 0;) {
        for (const std::uint32_t node : apart_[i].nodes) {
            part_[node] = static_cast<std::uint32_t>(cluster_.partitions.size() + i);
        }
    }
}

const std::string& GpuMap::name_of(std::uint32_t part) const {
    const std::size_t partitions = cluster_.partitions.size();
    return part < partitions ? cluster_.partitions[part].name : apart_[part - partitions].name;
}

void GpuMap::join_partitions() {
    const auto& partitions = cluster_.partitions;
    std::vector<std::uint32_t> root(partitions.size());
    std::iota(root.begin(), root.end(), 0U);
    const auto find = [&](std::uint32_t one) {
        while (root[one] != one) {
            one = root[one] = root[root[one]];
        }
        return one;
    };
    part_.assign(cluster_.cluster.nodes.size(), domain::no_part);
    for (std::uint32_t i = 0; i < partitions.size(); ++i) {
        for (const std::uint32_t node : partitions[i].nodes) {
            if (part_[node] == domain::no_part) {
                part_[node] = i;
            } else {
                const auto [low, high] = std::minmax({find(part_[node]), find(i)});
                root[high] = low;
            }
        }
    }
    for (std::uint32_t& part : part_) {
        part = part == domain::no_part ? part : find(part);
    }
}

void GpuMap::group_nodes() {
    struct Inside {
        std::uint32_t device = 0;
        std::uint32_t part = domain::no_part;
        std::uint32_t gpus = 0;
        std::uint32_t free = 0;
    };
    std::vector<Inside> insides(cluster_.cluster.nodes.size());
    for (const domain::Gpu& gpu : cluster_.cluster.gpus) {
        Inside& inside = insides[gpu.node];
        inside.device = gpu.device;
        inside.part = gpu.part;
        ++inside.gpus;
        inside.free += gpu.is_free ? 1 : 0;
    }
    group_.assign(insides.size(), none);
    gpus_.assign(insides.size(), 0);
    place_.assign(insides.size(), 0);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> places;
    for (std::size_t node = 0; node < insides.size(); ++node) {
        const Inside& inside = insides[node];
        if (inside.gpus == 0 || part_[node] == domain::no_part) {
            continue;
        }
        const auto [place, is_new] =
            places.try_emplace({part_[node], inside.device}, groups_.size());
        if (is_new) {
            groups_.push_back({.name = cluster_.cluster.devices[inside.device].name + " of " +
                                       name_of(part_[node]),
                               .device = inside.device,
                               .inside = link_inside(cluster_.cluster, inside.part)});
        }
        group_[node] = place->second;
        gpus_[node] = inside.gpus;
        GpuGroup& group = groups_[place->second];
        group.gpus_per_node = std::max(group.gpus_per_node, inside.gpus);
        place_[node] = static_cast<std::uint32_t>(group.free.size());
        group.free.push_back(0);
        if (cluster_.states[node].is_usable) {
            group.usable += inside.gpus;
            group.free.back() = std::min(inside.free, cluster_.states[node].free_cpus);
            group.idle += group.free.back();
        }
    }
}

std::optional<std::size_t> GpuMap::group_of_node(std::string_view name) const {
    const auto found = nodes_.find(name);
    return found == nodes_.end() || group_[found->second] == none
               ? std::nullopt
               : std::optional(group_[found->second]);
}

// May a job that waits be given this node, as far as what is apart decides it?
bool GpuMap::is_open(std::uint32_t node, const ObservedJob& job,
                     const domain::Partition* partition) const {
    if (part_[node] == domain::no_part || part_[node] < cluster_.partitions.size()) {
        return job.reservation.empty();
    }
    const std::string& name = name_of(part_[node]);
    return job.reservation.empty() ? partition != nullptr && name == partition->name
                                   : name == job.reservation;
}

std::optional<std::size_t> GpuMap::group_of_held(const ObservedJob& job) const {
    std::optional<std::size_t> first;
    for (const std::string& name : names_of(job.where)) {
        const auto group = group_of_node(name);
        if (group && part_[nodes_.at(name)] >= cluster_.partitions.size()) {
            return group;
        }
        first = first ? first : group;
    }
    return first;
}

std::vector<domain::NodeGpus> GpuMap::held_by(const ObservedJob& job, std::size_t group) const {
    std::vector<domain::NodeGpus> held;
    for (const slurm::GpusOfNode& of_node : job.allocation) {
        if (group_of_node(of_node.node) != group) {
            return {};
        }
        held.push_back({place_[nodes_.at(of_node.node)], of_node.gpus});
    }
    return held;
}

Expected<std::uint32_t> GpuMap::usable_for(const ObservedJob& job, std::size_t group,
                                           std::int64_t now) const {
    const domain::Partition* const partition = partition_of(job, cluster_);
    if (partition == nullptr) {
        return groups_[group].usable;
    }
    const std::uint32_t device = groups_[group].device;
    // When it starts and ends matters to reservations alone.
    const request::Window window =
        cluster_.reservations.empty() ? request::Window() : window_of(job, cluster_, now);
    const auto [place, is_new] = usable_.try_emplace(
        {partition, device, job.features, job.reservation, job.required_nodes, job.excluded_nodes,
         job.memory_per_node.value_or(0), job.memory_per_cpu.value_or(0),
         job.memory_per_gpu.value_or(0), window.now, window.lasts.count()},
        0);
    if (is_new) {
        place->second = scope_of(job, cluster_, window).map([&](const request::Scope& scope) {
            return gpus_on(scope.nodes, device);
        });
    }
    return place->second;
}

std::uint32_t GpuMap::gpus_on(const std::vector<std::uint32_t>& nodes, std::uint32_t device) const {
    std::uint32_t gpus = 0;
    for (const std::uint32_t node : nodes) {
        const bool is_its = group_[node] != none && groups_[group_[node]].device == device;
        gpus += is_its ? gpus_[node] : 0;
    }
    return gpus;
}

std::optional<std::size_t> GpuMap::group_of(const ObservedJob& job) const {
    if (const auto held = group_of_held(job)) {
        return held;
    }
    const domain::Partition* const partition = partition_of(job, cluster_);
    if (job.where.empty() && job.memory != nullptr) {
        for (const std::string& name : names_of(job.memory->decision.where)) {
            const auto group = group_of_node(name);
            if (group && is_open(nodes_.at(name), job, partition)) {
                return group;
            }
        }
    }
    std::optional<std::size_t> chosen;
    for (const std::uint32_t one :
         partition != nullptr ? partition->nodes : std::vector<std::uint32_t>()) {
        if (group_[one] == none || !is_open(one, job, partition)) {
            continue;
        }
        const std::string& type = cluster_.cluster.devices[groups_[group_[one]].device].name;
        if (job.shape.tres_per_node.find(type) != std::string::npos ||
            job.features.find(type) != std::string::npos) {
            return group_[one];
        }
        chosen = chosen ? chosen : std::optional(group_[one]);
    }
    return chosen;
}

}  // namespace hora::horad
