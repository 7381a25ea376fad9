// How is a node of Slurm's built inside, by the site's word and by gres.conf?
#include "libplanner/read/cluster/site_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/model/links/path.hpp"
#include "libplanner/read/cluster/node_layout.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::Link;
using domain::PartKind;

// Whether the GPUs count to these sockets and to no others.
bool are_those(const std::vector<std::uint32_t>& gpu_sockets,
               const std::vector<std::uint32_t>& sockets) {
    const std::set<std::uint32_t> used(gpu_sockets.begin(), gpu_sockets.end());
    return std::equal(used.begin(), used.end(), sockets.begin(), sockets.end());
}

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
    const Link inside = usual_link(*device);
    const Bandwidth across = model::between_sockets(domain::Processor{});  // of any kind
    layout.groups[0].link = pcie_link(std::min(inside.bandwidth, across));
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
        return fmt::format("gres.conf gives it {}, Slurm {}", counted(node.gres.size(), "GPU"),
                           node.gpus.size());
    }
    if (!by_cores.empty() && !node.gpu_sockets.empty() && !are_those(by_cores, node.gpu_sockets)) {
        return "the Cores= that gres.conf gives its GPUs are not those that Slurm runs with; "
               "restart its slurmd, or correct the file";
    }
    return {};
}

// Which GPU of the topology each of Slurm's is: by the bus ids that gres.conf notes, else in order.
// On failure: why the topology cannot be of this node.
Expected<std::vector<std::uint32_t>> match(const SlurmNode& node, const NodeInside& inside,
                                           const domain::Topology& topology) {
    if (topology.gpus.size() != node.gpus.size()) {
        return failure(fmt::format("{} has {}, Slurm {}", quoted(inside.topology),
                                   counted(topology.gpus.size(), "GPU"), node.gpus.size()));
    }
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < node.gpus.size(); ++i) {
        const GresGpu gpu = i < node.gres.size() ? node.gres[i] : GresGpu();
        const auto at = std::find_if(topology.gpus.begin(), topology.gpus.end(),
                                     [&](const domain::TopologyGpu& one) {
                                         return topology.objects[one.object].address == gpu.address;
                                     });
        if (gpu.address && at == topology.gpus.end()) {
            return failure(fmt::format("{} has no GPU at {}, which gres.conf:{} notes for {}",
                                       quoted(inside.topology), format_pci_address(*gpu.address),
                                       gpu.line, quoted(gpu.file)));
        }
        found.push_back(gpu.address ? static_cast<std::uint32_t>(at - topology.gpus.begin()) : i);
    }
    if (std::set(found.begin(), found.end()).size() != found.size()) {
        return failure("gres.conf notes a bus id for two GPUs, or for some GPUs only");
    }
    return found;
}

// Where Slurm found out itself which sockets its GPUs count to, and its sockets are those of the
// machine or its NUMA nodes. Empty: it cannot be seen.
std::vector<std::uint32_t> detected_sockets(const SlurmNode& node,
                                            const domain::Topology& topology) {
    std::set<std::uint32_t> packages;
    std::set<std::uint32_t> numa_nodes;
    for (const domain::TopologyObject& object : topology.objects) {
        if (object.kind == domain::ObjectKind::socket) {
            packages.insert(object.os_index);
        } else if (object.kind == domain::ObjectKind::numa_node) {
            numa_nodes.insert(object.os_index);
        }
    }
    const bool are_packages = packages.size() == node.sockets;
    const std::set<std::uint32_t>& all = are_packages ? packages : numa_nodes;
    if (node.gpu_sockets.empty() || all.size() != node.sockets) {
        return {};
    }
    std::vector<std::uint32_t> sockets;
    for (const domain::TopologyGpu& gpu : topology.gpus) {
        const auto place = all.find(are_packages ? gpu.socket : gpu.numa);
        if (place == all.end()) {
            return {};
        }
        sockets.push_back(static_cast<std::uint32_t>(std::distance(all.begin(), place)));
    }
    return are_those(sockets, node.gpu_sockets) ? sockets : std::vector<std::uint32_t>();
}

std::vector<std::uint32_t> in_order(const std::vector<std::uint32_t>& values,
                                    const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> ordered;
    for (const std::uint32_t place : values.empty() ? values : order) {
        ordered.push_back(values[place]);
    }
    return ordered;
}

// GPUs of several types train at several speeds, which a mesh does not tell apart.
std::optional<domain::Mesh> in_order(const std::optional<domain::Mesh>& mesh, const SlurmNode& node,
                                     const std::vector<std::uint32_t>& order) {
    const bool are_alike = std::all_of(node.gpus.begin(), node.gpus.end(),
                                       [&](const auto* gpu) { return gpu == node.gpus.front(); });
    if (!mesh || !are_alike) {
        return std::nullopt;
    }
    domain::Mesh ordered = *mesh;
    for (std::uint32_t set = 0; set < ordered.bandwidths.size(); ++set) {
        std::uint32_t there = 0;
        for (std::uint32_t gpu = 0; gpu < ordered.gpus; ++gpu) {
            there |= (set >> gpu & 1U) << order[gpu];
        }
        ordered.bandwidths[set] = mesh->bandwidths[there];
    }
    return ordered;
}

SiteLayout by_topology(const SlurmNode& node, const SiteNode& site,
                       std::vector<std::uint32_t> sockets) {
    SiteLayout unknown{unknown_layout(node), {}, {}};
    if (!*site.topology) {
        unknown.problem = site.topology->error().message;
        return unknown;
    }
    const domain::Topology& topology = **site.topology;
    const auto order = match(node, *site.inside, topology);
    if (!order) {
        unknown.problem = order.error().message;
        return unknown;
    }
    const domain::Device* const device = slowest_device(node);
    SiteLayout found{
        device == nullptr ? unknown.layout : layout_of(topology, *device), std::move(sockets), {}};
    found.layout.group_of = in_order(found.layout.group_of, *order);
    found.layout.mesh = in_order(found.layout.mesh, node, *order);
    if (found.gpu_sockets.empty()) {
        found.gpu_sockets = in_order(detected_sockets(node, topology), *order);
    }
    return found;
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
    if (site.topology != nullptr) {
        return by_topology(node, site, std::move(sockets));
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
