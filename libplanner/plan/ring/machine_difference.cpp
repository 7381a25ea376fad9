// Did NCCL see the machine that the topology describes, and where not?
#include "libplanner/plan/ring/machine_difference.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "libplanner/plan/ring/ring.hpp"

namespace hora::plan {
namespace {

using domain::no_object;
using domain::ObjectKind;
using domain::PathKind;
using domain::PciAddress;
using domain::Topology;

constexpr double tolerance = 0.05;

bool are_alike(Bandwidth a, Bandwidth b) {
    return std::max(a, b) <= std::min(a, b) * (1 + tolerance);
}

PathKind known_to_nccl(PathKind kind) {
    return kind == PathKind::node ? PathKind::phb : kind;
}

bool are_alike(const domain::GpuPath& described, const domain::GpuPath& seen) {
    return known_to_nccl(described.kind) == known_to_nccl(seen.kind) &&
           (described.is_measured || are_alike(described.bandwidth, seen.bandwidth));
}

// GPUs and switches.
std::map<PciAddress, std::uint32_t> devices_of(const Topology& machine) {
    std::map<PciAddress, std::uint32_t> devices;
    for (std::uint32_t i = 0; i < machine.objects.size(); ++i) {
        const domain::TopologyObject& object = machine.objects[i];
        if (object.kind == ObjectKind::gpu || object.is_switch) {
            devices.emplace(object.address, i);
        }
    }
    return devices;
}

std::optional<PciAddress> switch_above(const Topology& machine, std::uint32_t gpu) {
    std::uint32_t at = machine.objects[machine.gpus[gpu].object].parent;
    while (at != no_object && !machine.objects[at].is_switch) {
        at = machine.objects[at].parent;
    }
    return at == no_object ? std::nullopt : std::optional(machine.objects[at].address);
}

// Links of GPUs that were asked for and of switches, where both sides know the device.
std::vector<LinkDifference> link_differences(const Topology& described, const Topology& seen,
                                             const std::vector<bool>& is_asked) {
    const std::map<PciAddress, std::uint32_t> others = devices_of(seen);
    std::vector<LinkDifference> links;
    for (const auto& [address, object] : devices_of(described)) {
        const auto other = others.find(address);
        const domain::TopologyObject& own = described.objects[object];
        if (other == others.end() || (own.kind == ObjectKind::gpu && !is_asked[object])) {
            continue;
        }
        const Bandwidth bandwidth = seen.objects[other->second].uplink.bandwidth;
        const bool is_told = own.uplink.bandwidth > Bandwidth(0) &&
                             (bandwidth > Bandwidth(0) || !own.uplink.is_usual);
        if (is_told && !are_alike(own.uplink.bandwidth, bandwidth)) {
            links.push_back({address, own.uplink.bandwidth, bandwidth});
        }
    }
    return links;
}

// Two numbers of each GPU that both have: the topology's, and that of what NCCL saw.
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

void find_paths(const Topology& described, const Topology& seen, const Pairs& pairs,
                MachineDifference& result) {
    std::vector<bool> is_touched(pairs.size(), false);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        for (std::size_t k = i + 1; k < pairs.size(); ++k) {
            const domain::GpuPath& own = described.path(pairs[i].first, pairs[k].first);
            domain::GpuPath other = seen.path(pairs[i].second, pairs[k].second);
            other.kind = known_to_nccl(other.kind);
            if (!are_alike(own, other)) {
                result.paths.push_back({pairs[i].first, pairs[k].first, own, other});
                is_touched[i] = is_touched[k] = true;
            }
        }
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto own = switch_above(described, pairs[i].first);
        const auto other = switch_above(seen, pairs[i].second);
        if (is_touched[i] && own != other) {
            result.switches.push_back({pairs[i].first, own, other});
        }
    }
}

}  // namespace

MachineDifference compare(const Topology& described, std::span<const std::uint32_t> gpus,
                          const Topology& seen) {
    MachineDifference result;
    std::map<PciAddress, std::uint32_t> unmatched;
    for (std::uint32_t i = 0; i < seen.gpus.size(); ++i) {
        unmatched.emplace(seen.objects[seen.gpus[i].object].address, i);
    }
    std::vector<bool> is_asked(described.objects.size(), false);
    Pairs pairs;
    for (const std::uint32_t gpu : gpus) {
        const std::uint32_t object = described.gpus[gpu].object;
        is_asked[object] = true;
        const auto found = unmatched.find(described.objects[object].address);
        if (found == unmatched.end()) {
            result.unseen.push_back(gpu);
            continue;
        }
        result.gpus.push_back(gpu);
        pairs.emplace_back(gpu, found->second);
    }
    for (const domain::TopologyGpu& gpu : described.gpus) {
        unmatched.erase(described.objects[gpu.object].address);
    }
    for (const auto& [address, gpu] : unmatched) {
        result.unknown.push_back(address);
    }
    find_paths(described, seen, pairs, result);
    result.links = link_differences(described, seen, is_asked);
    std::vector<std::uint32_t> others;
    for (const auto& [own, other] : pairs) {
        others.push_back(other);
    }
    std::vector<std::uint32_t> order;
    for (const std::uint32_t place :
         best_ring(bandwidths_between(seen, others), others.size()).order) {
        order.push_back(pairs[place].first);
    }
    result.ring = predict_ring(described, result.gpus).best;
    result.ring_by_seen = figures_of(described, std::move(order));
    return result;
}

}  // namespace hora::plan
