// Which GPUs can stand in for each other, which of them idle, and to which does a job belong?
#include "scripts/horad/gpu_map.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "libplanner/read/hostlist.hpp"

namespace hora::horad {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

// "a" of "a,b": where a pending job goes first.
std::string_view first_of(std::string_view list) {
    return list.substr(0, list.find(','));
}

std::string first_node(const std::string& hostlist) {
    const auto names = hostlist.empty() ? Expected<std::vector<std::string>>(failure("none"))
                                        : read::expand_hostlist(hostlist);
    return names && !names->empty() ? names->front() : std::string();
}

}  // namespace

GpuMap::GpuMap(const domain::Snapshot& cluster) : cluster_(cluster) {
    for (std::uint32_t i = 0; i < cluster.cluster.nodes.size(); ++i) {
        nodes_.emplace(cluster.cluster.nodes[i].name, i);
    }
    join_partitions();
    group_nodes();
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
        std::uint32_t gpus = 0;
        std::uint32_t free = 0;
    };
    std::vector<Inside> insides(cluster_.cluster.nodes.size());
    for (const domain::Gpu& gpu : cluster_.cluster.gpus) {
        Inside& inside = insides[gpu.node];
        inside.device = gpu.device;
        ++inside.gpus;
        inside.free += gpu.is_free ? 1 : 0;
    }
    group_.assign(insides.size(), none);
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
                                       cluster_.partitions[part_[node]].name,
                               .device = inside.device});
        }
        group_[node] = place->second;
        GpuGroup& group = groups_[place->second];
        group.gpus_per_node = std::max(group.gpus_per_node, inside.gpus);
        if (cluster_.states[node].is_usable) {
            group.usable += inside.gpus;
            group.idle += std::min(inside.free, cluster_.states[node].free_cpus);
        }
    }
}

std::optional<std::size_t> GpuMap::group_of_node(std::string_view name) const {
    const auto found = nodes_.find(name);
    return found == nodes_.end() || group_[found->second] == none
               ? std::nullopt
               : std::optional(group_[found->second]);
}

const domain::Partition* GpuMap::partition_of(const ObservedJob& job) const {
    const std::string_view name = first_of(job.partition);
    const auto found = std::find_if(cluster_.partitions.begin(), cluster_.partitions.end(),
                                    [&](const auto& one) { return one.name == name; });
    return found == cluster_.partitions.end() ? nullptr : &*found;
}

std::optional<std::size_t> GpuMap::group_of(const ObservedJob& job) const {
    const bool is_planned = job.where.empty() && job.memory != nullptr;
    const std::string node = first_node(is_planned ? job.memory->decision.where : job.where);
    if (const auto group = group_of_node(node)) {
        return group;
    }
    const domain::Partition* const partition = partition_of(job);
    std::optional<std::size_t> chosen;
    for (const std::uint32_t one :
         partition != nullptr ? partition->nodes : std::vector<std::uint32_t>()) {
        if (group_[one] == none) {
            continue;
        }
        const std::string& type = cluster_.cluster.devices[groups_[group_[one]].device].name;
        if (job.tres_per_node.find(type) != std::string::npos ||
            job.features.find(type) != std::string::npos) {
            return group_[one];
        }
        chosen = chosen ? chosen : std::optional(group_[one]);
    }
    return chosen;
}

bool GpuMap::is_reserved(const ObservedJob& job, std::int64_t now) const {
    const domain::Partition* const partition = partition_of(job);
    if (partition == nullptr) {
        return false;
    }
    return std::any_of(
        cluster_.reservations.begin(), cluster_.reservations.end(),
        [&](const domain::Reservation& one) {
            const bool is_soon =
                one.ends > now && (!job.time_limit ||
                                   static_cast<double>(one.starts - now) < job.time_limit->count());
            std::vector<std::uint32_t> both;
            if (is_soon) {
                std::set_intersection(one.nodes.begin(), one.nodes.end(), partition->nodes.begin(),
                                      partition->nodes.end(), std::back_inserter(both));
            }
            return !both.empty();
        });
}

}  // namespace hora::horad
