// Which ring will a job get over some GPUs, link by link, and what would the plain order give?
#include "libplanner/plan/ring/predicted_ring.hpp"

#include <algorithm>
#include <utility>

#include "libplanner/model/links/ring_pace.hpp"
#include "libplanner/plan/price/set_link.hpp"
#include "libplanner/plan/ring/node_order.hpp"
#include "libplanner/plan/ring/ring.hpp"

namespace hora::plan {
namespace {

using Order = std::vector<std::uint32_t>;
using domain::no_part;
using domain::PartKind;

// Fills in the links between the stops and the slowest of them.
template <class LinkBetween>
void add_links(RingFigures& figures, LinkBetween link_between) {
    const std::size_t count = figures.stops.size();
    const std::size_t links = count < 2 ? 0 : count == 2 ? 1 : count;
    for (std::size_t i = 0; i < links; ++i) {
        figures.links.push_back(link_between(i, (i + 1) % count));
        const Bandwidth bandwidth = figures.links.back().bandwidth;
        figures.bottleneck = i == 0 ? bandwidth : std::min(figures.bottleneck, bandwidth);
    }
}

std::vector<std::uint32_t> ascending(std::span<const std::uint32_t> numbers) {
    std::vector<std::uint32_t> sorted(numbers.begin(), numbers.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

// The GPUs of each node, nodes as they first stand in the list.
std::vector<Order> by_node(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    constexpr std::size_t not_met = static_cast<std::size_t>(-1);
    std::vector<std::size_t> place(cluster.nodes.size(), not_met);
    std::vector<Order> groups;
    for (const std::uint32_t gpu : gpus) {
        std::size_t& own = place[cluster.gpus[gpu].node];
        if (own == not_met) {
            own = groups.size();
            groups.emplace_back();
        }
        groups[own].push_back(gpu);
    }
    for (Order& group : groups) {
        std::sort(group.begin(), group.end());
    }
    return groups;
}

std::uint32_t smallest_common(const domain::Cluster& cluster, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t pair[] = {a, b};
    return spanning_part(cluster, pair);
}

Bandwidth bandwidth_between(const domain::Cluster& cluster, std::uint32_t a, std::uint32_t b) {
    const auto [first, second] = std::minmax(a, b);
    const std::uint32_t pair[] = {first, second};
    return a == b ? Bandwidth(0) : link_of(cluster, pair).bandwidth;
}

bool has_sockets(const domain::Cluster& cluster, std::uint32_t a) {
    for (std::uint32_t part = cluster.gpus[a].part; part != no_part;
         part = cluster.parts[part].parent) {
        if (cluster.parts[part].kind == PartKind::socket) {
            return true;
        }
    }
    return false;
}

std::string_view kind_between(const domain::Cluster& cluster, std::uint32_t a, std::uint32_t b) {
    const auto name = [](domain::PathKind kind) {
        return domain::path_kind_names[static_cast<std::size_t>(kind)];
    };
    if (cluster.gpus[a].node != cluster.gpus[b].node) {
        return network_kind;
    }
    const domain::Part& part = cluster.parts[smallest_common(cluster, a, b)];
    const domain::Device& device = cluster.devices[cluster.gpus[a].device];
    if (device.nvlink > Bandwidth(0) && bandwidth_between(cluster, a, b) > device.pcie) {
        return name(domain::PathKind::nvlink);
    }
    switch (part.kind) {
        case PartKind::pcie_switch:
            return name(domain::PathKind::pix);
        case PartKind::socket:
            return name(domain::PathKind::node);
        default:
            return name(has_sockets(cluster, a) ? domain::PathKind::sys : domain::PathKind::phb);
    }
}

Order best_order_of(const domain::Cluster& cluster, const Order& gpus, bool is_closed) {
    std::vector<Bandwidth> between;
    for (const std::uint32_t a : gpus) {
        for (const std::uint32_t b : gpus) {
            between.push_back(bandwidth_between(cluster, a, b));
        }
    }
    const Ring ring =
        is_closed ? best_ring(between, gpus.size()) : best_chain(between, gpus.size());
    Order order;
    for (const std::uint32_t place : ring.order) {
        order.push_back(gpus[place]);
    }
    return order;
}

}  // namespace

RingFigures figures_of(const domain::Topology& machine, std::vector<std::uint32_t> order) {
    RingFigures figures;
    for (const std::uint32_t gpu : order) {
        figures.stops.push_back({"", gpu});
    }
    add_links(figures, [&](std::size_t a, std::size_t b) {
        const domain::GpuPath path =
            machine.paths.empty() ? domain::GpuPath() : machine.path(order[a], order[b]);
        return RingLink{a, b, domain::path_kind_names[static_cast<std::size_t>(path.kind)],
                        path.bandwidth};
    });
    figures.pace = model::ring_pace(machine, order);
    return figures;
}

PredictedRing predict_ring(const domain::Topology& machine, std::span<const std::uint32_t> gpus) {
    const Order plain = ascending(gpus);
    Order best;
    for (const std::uint32_t place :
         best_ring(bandwidths_between(machine, plain), plain.size()).order) {
        best.push_back(plain[place]);
    }
    PredictedRing ring{figures_of(machine, std::move(best)), figures_of(machine, plain)};
    ring.best.set = model::set_bandwidth(machine, plain);
    return ring;
}

RingFigures figures_of(const domain::Cluster& cluster, std::vector<std::uint32_t> order) {
    RingFigures figures;
    Order nodes;
    for (const std::uint32_t gpu : order) {
        const std::uint32_t node = cluster.gpus[gpu].node;
        figures.stops.push_back({cluster.nodes[node].name, cluster.gpus[gpu].index});
        if (nodes.empty() || nodes.back() != node) {
            nodes.push_back(node);
            figures.nodes.push_back(cluster.nodes[node].name);
        }
    }
    add_links(figures, [&](std::size_t a, std::size_t b) {
        return RingLink{a, b, kind_between(cluster, order[a], order[b]),
                        bandwidth_between(cluster, order[a], order[b])};
    });
    figures.crossings = crossings(fabric_of(cluster), nodes);
    return figures;
}

PredictedRing predict_ring(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    const std::vector<Order> groups = by_node(cluster, gpus);
    std::vector<const Order*> group_of(cluster.nodes.size(), nullptr);
    Order nodes;
    Order plain;
    for (const Order& group : groups) {
        nodes.push_back(cluster.gpus[group.front()].node);
        group_of[nodes.back()] = &group;
        plain.insert(plain.end(), group.begin(), group.end());
    }
    Order best;
    for (const std::uint32_t node : order_nodes(fabric_of(cluster), nodes)) {
        const Order inside = best_order_of(cluster, *group_of[node], nodes.size() == 1);
        best.insert(best.end(), inside.begin(), inside.end());
    }
    PredictedRing ring{figures_of(cluster, std::move(best)), figures_of(cluster, plain)};
    if (groups.size() == 1 && plain.size() > 1) {
        ring.best.set.emplace().bandwidth = link_of(cluster, plain).bandwidth;
    }
    return ring;
}

domain::Fabric fabric_of(const domain::Cluster& cluster) {
    if (!cluster.fabric.attached_to.empty()) {
        return cluster.fabric;
    }
    domain::Fabric fabric;
    std::vector<std::uint32_t> switch_of(cluster.parts.size(), domain::no_fabric_switch);
    for (std::size_t i = 0; i < cluster.parts.size(); ++i) {
        const domain::Part& part = cluster.parts[i];
        const bool is_switch = part.kind == PartKind::leaf_switch || part.kind == PartKind::fabric;
        const std::uint32_t above =
            part.parent == no_part ? domain::no_fabric_switch : switch_of[part.parent];
        switch_of[i] = is_switch ? static_cast<std::uint32_t>(fabric.switches.size()) : above;
        if (is_switch) {
            fabric.switches.push_back({part.name, above});
        }
    }
    fabric.attached_to.assign(cluster.nodes.size(), domain::no_fabric_switch);
    for (const domain::Gpu& gpu : cluster.gpus) {
        fabric.attached_to[gpu.node] = switch_of[gpu.part];
    }
    return fabric;
}

}  // namespace hora::plan
