// How do two devices of a machine meet, and how fast can they talk?
//
// The bandwidth of a path is that of its slowest link, with the figures of NCCL's search
// (graph/topo.h of 2.28): 0.75 GB/s a lane of PCIe generation 3, 10 GB/s between Skylake sockets.
#include "libplanner/model/links/path.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hora::model {
namespace {

using domain::no_object;
using domain::ObjectKind;
using domain::PathKind;
using domain::Topology;
using domain::TopologyObject;

// One lane of a PCIe generation, in GB/s.
struct Lane {
    double gigatransfers;
    double carries;  // net of encoding
    double attains;
};
constexpr std::array lanes_by_generation = {
    Lane{2.5, 0.25, 0.1875},           Lane{5, 0.5, 0.375},
    Lane{8, 8.0 * 128 / 130 / 8, .75}, Lane{16, 16.0 * 128 / 130 / 8, 1.5},
    Lane{32, 32.0 * 128 / 130 / 8, 3}, Lane{64, 64.0 * 242 / 256 / 8, 6},
};
constexpr double giga = 1e9;
// Where only a bandwidth is known: as for generation 3 and later.
constexpr double usual_share = 0.75 / (8.0 * 128 / 130 / 8);

// Intel's processors cut what GPUs send each other into small packets on their way through.
constexpr double intel_overhead = 1.2;

// Old files have only its name.
bool is_by_intel(const domain::Processor& processor) {
    return processor.vendor == "GenuineIntel" ||
           (processor.vendor.empty() && processor.name.starts_with("Intel"));
}

const Lane* lane_of(double gigatransfers) {
    const auto found =
        std::find_if(lanes_by_generation.begin(), lanes_by_generation.end(),
                     [&](const Lane& lane) { return lane.gigatransfers == gigatransfers; });
    return found == lanes_by_generation.end() ? nullptr : &*found;
}

// NCCL counts on 20 of the 25 GB/s of an NVLink.
constexpr double nvlink_share = 0.8;

// From an object upwards, itself first.
std::vector<std::uint32_t> way_up(const Topology& topology, std::uint32_t object) {
    std::vector<std::uint32_t> way;
    for (; object != no_object; object = topology.objects[object].parent) {
        way.push_back(object);
    }
    return way;
}

// Where two ways meet, and what lies on each below that.
struct Meeting {
    std::uint32_t at = 0;
    std::vector<std::uint32_t> below;  // both sides
    std::size_t switches = 0;          // below
};

Meeting meet(const Topology& topology, std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> from_a = way_up(topology, a);
    std::vector<std::uint32_t> from_b = way_up(topology, b);
    Meeting meeting;
    while (!from_a.empty() && !from_b.empty() && from_a.back() == from_b.back()) {
        meeting.at = from_a.back();
        from_a.pop_back();
        from_b.pop_back();
    }
    meeting.below = std::move(from_a);
    meeting.below.insert(meeting.below.end(), from_b.begin(), from_b.end());
    meeting.switches = static_cast<std::size_t>(
        std::count_if(meeting.below.begin(), meeting.below.end(),
                      [&](std::uint32_t object) { return topology.objects[object].is_switch; }));
    return meeting;
}

// A machine or a socket with several NUMA nodes.
bool is_divided(const Topology& topology, std::uint32_t object) {
    std::size_t nodes = 0;
    for (const TopologyObject& one : topology.objects) {
        const bool is_below =
            one.parent == object || topology.objects[object].kind == ObjectKind::machine;
        nodes += one.kind == ObjectKind::numa_node && is_below ? 1 : 0;
    }
    return nodes > 1;
}

PathKind kind_of(const Topology& topology, const Meeting& meeting) {
    switch (topology.objects[meeting.at].kind) {
        case ObjectKind::machine:
        case ObjectKind::socket:
            return is_divided(topology, meeting.at) ? PathKind::sys : PathKind::node;
        case ObjectKind::numa_node:
            return PathKind::node;
        case ObjectKind::host_bridge:
            return PathKind::phb;
        default:
            return meeting.switches == 0 ? PathKind::pix : PathKind::pxb;
    }
}

Bandwidth pcie_bandwidth_of(const Topology& topology, const Meeting& meeting, PathKind kind) {
    Bandwidth slowest{1e30};
    for (const std::uint32_t object : meeting.below) {
        const Bandwidth link = attained(topology.objects[object].uplink);
        slowest = link > Bandwidth(0) ? std::min(slowest, link) : slowest;
    }
    if (slowest == Bandwidth(1e30)) {  // nothing is known
        slowest = attained({8, 16, Bandwidth(0), true, true});
    }
    if (is_by_intel(topology.processor) && kind != PathKind::pix && kind != PathKind::pxb) {
        slowest = slowest / intel_overhead;
    }
    return kind == PathKind::sys ? std::min(slowest, between_sockets(topology.processor)) : slowest;
}

// What two objects exchange over NVLink, directly or over switches that both hang on.
class NvlinkMesh {
  public:
    explicit NvlinkMesh(const Topology& topology) {
        for (const domain::NvLink& link : topology.nvlinks) {
            direct_[{link.a, link.b}] += link.bandwidth;
            note_switch(topology, link.a, link.b, link.bandwidth);
            note_switch(topology, link.b, link.a, link.bandwidth);
        }
    }

    std::optional<Bandwidth> between(std::uint32_t a, std::uint32_t b) const {
        const auto direct = direct_.find({std::min(a, b), std::max(a, b)});
        Bandwidth sum = direct == direct_.end() ? Bandwidth(0) : direct->second;
        const auto of_a = to_switches_.find(a);
        const auto of_b = to_switches_.find(b);
        if (of_a != to_switches_.end() && of_b != to_switches_.end()) {
            sum += std::min(of_a->second, of_b->second);
        }
        return sum > Bandwidth(0) ? std::optional(sum) : std::nullopt;
    }

  private:
    // NVSwitches of a machine form one fabric: a box's two boards are joined by links of their own.
    void note_switch(const Topology& topology, std::uint32_t gpu, std::uint32_t other,
                     Bandwidth bandwidth) {
        if (topology.objects[gpu].kind == ObjectKind::gpu &&
            topology.objects[other].kind == ObjectKind::nvswitch) {
            to_switches_[gpu] += bandwidth;
        }
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, Bandwidth> direct_;
    std::map<std::uint32_t, Bandwidth> to_switches_;
};

}  // namespace

Bandwidth pcie_bandwidth(double gigatransfers, std::uint32_t lanes) {
    const Lane* const lane = lane_of(gigatransfers);
    return Bandwidth(lane == nullptr ? 0 : lane->carries * lanes * giga);
}

Bandwidth attained(const domain::PcieLink& link) {
    const Lane* const lane = lane_of(link.gigatransfers);
    const Bandwidth specified = pcie_bandwidth(link.gigatransfers, link.lanes);
    if (lane == nullptr || specified == Bandwidth(0)) {
        return attained_over_pcie(link.bandwidth);
    }
    const Bandwidth figure(lane->attains * link.lanes * giga);
    return link.bandwidth > Bandwidth(0) ? figure * (link.bandwidth / specified) : figure;
}

Bandwidth attained_over_pcie(Bandwidth specified) {
    return specified * usual_share;
}

Bandwidth attained_over_nvlink(Bandwidth specified) {
    return specified * nvlink_share;
}

Bandwidth between_sockets(const domain::Processor& processor) {
    if (processor.architecture.starts_with("ppc64")) {
        return Bandwidth(32e9);
    }
    if (processor.architecture == "aarch64") {
        return Bandwidth(6e9);
    }
    if (processor.vendor == "AuthenticAMD") {
        return Bandwidth(16e9);
    }
    if (processor.vendor == "GenuineIntel" && processor.family == 6 &&
        processor.model != domain::not_known) {
        constexpr std::uint32_t skylake = 0x55;
        constexpr std::uint32_t sapphire_rapids = 0x8f;
        constexpr std::uint32_t emerald_rapids = 0xcf;
        return Bandwidth(processor.model >= emerald_rapids    ? 40e9
                         : processor.model >= sapphire_rapids ? 22e9
                         : processor.model >= skylake         ? 10e9
                                                              : 6e9);
    }
    // Intel called its servers so before Skylake.
    const bool is_old = processor.name.find("Xeon(R) CPU E") != std::string::npos;
    return Bandwidth(is_old ? 6e9 : 10e9);
}

PathKind pcie_path_kind(const Topology& topology, std::uint32_t a, std::uint32_t b) {
    return kind_of(topology, meet(topology, a, b));
}

void find_paths(Topology& topology) {
    const std::size_t gpus = topology.gpus.size();
    topology.paths.resize(gpus * gpus);
    const NvlinkMesh mesh(topology);
    for (std::size_t a = 0; a < gpus; ++a) {
        for (std::size_t b = a + 1; b < gpus; ++b) {
            const std::uint32_t one = topology.gpus[a].object;
            const std::uint32_t other = topology.gpus[b].object;
            domain::GpuPath path = topology.path(a, b);
            const auto nvlink = mesh.between(one, other);
            const Meeting meeting = meet(topology, one, other);
            path.kind = nvlink ? PathKind::nvlink : kind_of(topology, meeting);
            if (!path.is_measured) {
                path.bandwidth = nvlink ? attained_over_nvlink(*nvlink)
                                        : pcie_bandwidth_of(topology, meeting, path.kind);
            }
            topology.paths[a * gpus + b] = path;
            topology.paths[b * gpus + a] = path;
        }
    }
}

}  // namespace hora::model
