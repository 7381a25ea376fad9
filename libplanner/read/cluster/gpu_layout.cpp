// How do the GPUs inside a node reach each other?
#include "libplanner/read/cluster/gpu_layout.hpp"

#include <fmt/format.h>

#include "libplanner/model/links/path.hpp"

namespace hora::read {
namespace {

using domain::Link;
using domain::no_part;
using domain::PartKind;

// What one step of a ring takes inside a node in NCCL's own cost model (graph/tuning.cc, simple
// protocol): NVLink 3.4 us, PCIe 5.7 us.
constexpr Seconds nvlink_latency{3.4e-6};
constexpr Seconds pcie_latency{5.7e-6};

}  // namespace

NodeLayout flat_layout(std::uint32_t gpus, Link link) {
    return {{{PartKind::node, "", no_part, link}}, std::vector<std::uint32_t>(gpus, 0), {}};
}

NodeLayout switched_layout(std::uint32_t gpus, std::uint32_t switches, Link inside, Link across) {
    NodeLayout layout = flat_layout(gpus, switches < 2 ? inside : across);
    if (switches < 2) {
        return layout;
    }
    for (std::uint32_t i = 0; i < switches; ++i) {
        layout.groups.push_back({PartKind::pcie_switch, fmt::format("switch{}", i), 0, inside});
    }
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        layout.group_of[gpu] = static_cast<std::uint32_t>(1 + std::uint64_t{gpu} * switches / gpus);
    }
    return layout;
}

Link pcie_link(Bandwidth bandwidth) {
    return {bandwidth, pcie_latency};
}

Link nvlink_link(Bandwidth bandwidth) {
    return {bandwidth, nvlink_latency};
}

Link usual_link(const domain::Device& device) {
    return device.nvlink > Bandwidth(0) ? nvlink_link(model::attained_over_nvlink(device.nvlink))
                                        : pcie_link(model::attained_over_pcie(device.pcie));
}

}  // namespace hora::read
