// How is a node of Slurm's built inside, by the site's word and by gres.conf?
#include "libplanner/read/site_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::Link;
using domain::PartKind;

// What two sockets of an unknown kind exchange, by NCCL's figures.
constexpr Bandwidth between_unknown_sockets{10e9};

// The slowest type decides where a node has several; one whose figures are unknown does not count.
const domain::Device* slowest_device(const SlurmNode& node) {
    const domain::Device* slowest = nullptr;
    for (const domain::Device* const device : node.gpus) {
        const Bandwidth own = usual_link(*device).bandwidth;
        const bool is_known = own > Bandwidth(0);
        if (is_known && (slowest == nullptr || own < usual_link(*slowest).bandwidth)) {
            slowest = device;
        }
    }
    return slowest;
}

NodeLayout unknown_layout(const SlurmNode& node) {
    const domain::Device* const device = slowest_device(node);
    return flat_layout(static_cast<std::uint32_t>(node.gpus.size()),
                       device == nullptr ? pcie_link(Bandwidth(1)) : usual_link(*device));
}

// GPUs with NVLink reach each other past the sockets.
NodeLayout layout_by_socket(const SlurmNode& node, const std::vector<std::uint32_t>& sockets) {
    NodeLayout layout = unknown_layout(node);
    const std::set<std::uint32_t> used(sockets.begin(), sockets.end());
    const domain::Device* const device = slowest_device(node);
    if (used.size() < 2 || device == nullptr || device->nvlink > Bandwidth(0)) {
        return layout;
    }
    const Link inside = pcie_link(device->pcie);
    layout.groups[0].link = pcie_link(std::min(device->pcie, between_unknown_sockets));
    for (const std::uint32_t socket : used) {
        layout.groups.push_back({PartKind::socket, fmt::format("socket{}", socket), 0, inside});
    }
    for (std::size_t gpu = 0; gpu < sockets.size(); ++gpu) {
        const auto place = std::distance(used.begin(), used.find(sockets[gpu]));
        layout.group_of[gpu] = static_cast<std::uint32_t>(1 + place);
    }
    return layout;
}

// Why gres.conf cannot be of this node; empty: it can.
std::string contradiction(const SlurmNode& node, const std::vector<std::uint32_t>& by_cores) {
    if (!node.gres.empty() && node.gres.size() != node.gpus.size()) {
        return fmt::format("gres.conf gives it {} GPUs, Slurm {}", node.gres.size(),
                           node.gpus.size());
    }
    const std::set<std::uint32_t> used(by_cores.begin(), by_cores.end());
    if (!used.empty() && !node.gpu_sockets.empty() &&
        !std::equal(used.begin(), used.end(), node.gpu_sockets.begin(), node.gpu_sockets.end())) {
        return "the Cores= that gres.conf gives its GPUs are not those that Slurm runs with; "
               "restart its slurmd, or correct the file";
    }
    return {};
}

}  // namespace

SiteLayout site_layout(const SlurmNode& node, const SiteNode& site) {
    SiteLayout found{unknown_layout(node), {}, {}};
    if (node.gpus.empty()) {
        return found;
    }
    std::vector<std::uint32_t> sockets = sockets_of(node.gres, node.sockets, node.cores_per_socket);
    found.problem = contradiction(node, sockets);
    if (!found.problem.empty()) {
        return found;
    }
    const bool is_said = site.inside != nullptr && site.inside->is_said();
    if (!is_said) {
        found.layout = layout_by_socket(node, sockets);
        found.gpu_sockets = std::move(sockets);
        return found;
    }
    auto layout =
        layout_of(*site.inside, static_cast<std::uint32_t>(node.gpus.size()), slowest_device(node));
    if (!layout) {
        found.problem = layout.error().message;
        return found;
    }
    found.layout = *std::move(layout);
    found.gpu_sockets = std::move(sockets);
    return found;
}

}  // namespace hora::read
