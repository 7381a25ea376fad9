// How are the machines of a snapshot shown to people and programs?
#include "libplanner/report/plan/cluster.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

// What is shown of one node.
struct View {
    std::span<const domain::Gpu> gpus;
    std::vector<std::string> partitions;
    std::string attached_to;
};

// The nearest switch above a node's GPUs; the whole network's own name says nothing.
std::string switch_name(const domain::Cluster& cluster, const domain::Gpu& gpu) {
    std::uint32_t part = gpu.part;
    while (part != domain::no_part) {
        const domain::Part& found = cluster.parts[part];
        if (found.kind == domain::PartKind::leaf_switch || found.kind == domain::PartKind::fabric) {
            return found.name;
        }
        part = found.parent;
    }
    return {};
}

std::vector<View> views_of(const domain::Snapshot& snapshot) {
    const domain::Cluster& cluster = snapshot.cluster;
    std::vector<View> views(cluster.nodes.size());
    const std::span<const domain::Gpu> all = cluster.gpus;
    for (std::size_t first = 0; first < all.size();) {
        std::size_t end = first;
        while (end < all.size() && all[end].node == all[first].node) {
            ++end;
        }
        views[all[first].node].gpus = all.subspan(first, end - first);
        views[all[first].node].attached_to = switch_name(cluster, all[first]);
        first = end;
    }
    for (const domain::Partition& partition : snapshot.partitions) {
        for (const std::uint32_t node : partition.nodes) {
            views[node].partitions.push_back(partition.name);
        }
    }
    return views;
}

// "4 titanx, 2 k80"
std::string gpus_text(const domain::Cluster& cluster, std::span<const domain::Gpu> gpus) {
    std::map<std::uint32_t, std::size_t> counts;
    for (const domain::Gpu& gpu : gpus) {
        ++counts[gpu.device];
    }
    std::string text;
    for (const auto& [device, count] : counts) {
        fmt::format_to(std::back_inserter(text), "{}{} {}", text.empty() ? "" : ", ", count,
                       cluster.devices[device].name);
    }
    return text.empty() ? "-" : text;
}

std::string free_text(std::span<const domain::Gpu> gpus) {
    std::vector<std::uint32_t> indices;
    for (const domain::Gpu& gpu : gpus) {
        if (gpu.is_free) {
            indices.push_back(gpu.index);
        }
    }
    return indices.empty() ? "-" : read::fold_ranges(indices);
}

// GPUs of one node that have a part of the machine to themselves.
struct Inner {
    const domain::Part* part = nullptr;
    std::vector<std::uint32_t> gpus;  // indices within the node
    bool is_smallest = false;         // some of them have no smaller part
};

// By part, outer ones first; the whole node is none.
std::vector<Inner> inner_of(const domain::Cluster& cluster, std::span<const domain::Gpu> gpus) {
    std::map<std::uint32_t, Inner> inner;
    for (const domain::Gpu& gpu : gpus) {
        for (std::uint32_t at = gpu.part; at != domain::no_part; at = cluster.parts[at].parent) {
            const domain::Part& part = cluster.parts[at];
            if (part.kind != domain::PartKind::pcie_switch &&
                part.kind != domain::PartKind::socket) {
                break;
            }
            Inner& found = inner[at];
            found.part = &part;
            found.gpus.push_back(gpu.index);
            found.is_smallest = found.is_smallest || at == gpu.part;
        }
    }
    std::vector<Inner> list;
    for (auto& [index, one] : inner) {
        list.push_back(std::move(one));
    }
    return list;
}

// "0-1 2-3": GPUs that are nearest to each other.
std::string groups_text(const domain::Cluster& cluster, std::span<const domain::Gpu> gpus) {
    std::string text;
    for (const Inner& inner : inner_of(cluster, gpus)) {
        if (inner.is_smallest) {
            text += (text.empty() ? "" : " ") + read::fold_ranges(inner.gpus);
        }
    }
    return text.empty() ? "-" : text;
}

using Row = std::vector<std::string>;

// All but the nodes' names.
Row row_of(const domain::Snapshot& snapshot, std::size_t node, const View& view) {
    const domain::NodeState& state = snapshot.states[node];
    return {"",
            gpus_text(snapshot.cluster, view.gpus),
            free_text(view.gpus),
            fmt::format("{}/{}", state.free_cpus, snapshot.cluster.nodes[node].cpus),
            state.is_usable ? "yes" : "no",
            view.partitions.empty() ? "-" : fmt::format("{}", fmt::join(view.partitions, ",")),
            view.attached_to.empty() ? "-" : view.attached_to,
            groups_text(snapshot.cluster, view.gpus)};
}

using Json = nlohmann::ordered_json;

Json groups_json(const domain::Cluster& cluster, const domain::Node& node,
                 std::span<const domain::Gpu> gpus) {
    Json groups = Json::array();
    for (const Inner& inner : inner_of(cluster, gpus)) {
        std::string_view name = inner.part->name;
        if (name.starts_with(node.name + ":")) {
            name.remove_prefix(node.name.size() + 1);
        }
        groups.push_back(
            {{"name", name},
             {"kind", domain::part_kind_names[static_cast<std::size_t>(inner.part->kind)]},
             {"gpus", inner.gpus},
             {"bandwidth", inner.part->link.bandwidth.count()}});
    }
    return groups;
}

}  // namespace

std::string cluster_table(const domain::Snapshot& snapshot) {
    const std::vector<View> views = views_of(snapshot);
    std::vector<Row> kinds;
    std::map<Row, std::size_t> number;
    std::vector<std::vector<std::string>> names;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Row row = row_of(snapshot, i, views[i]);
        const auto [found, is_new] = number.try_emplace(row, kinds.size());
        if (is_new) {
            kinds.push_back(row);
            names.emplace_back();
        }
        names[found->second].push_back(snapshot.cluster.nodes[i].name);
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        kinds[i][0] = read::fold_hostlist(names[i]);
    }
    return text_table({{"nodes"},
                       {"GPUs"},
                       {"free"},
                       {"free CPUs"},
                       {"usable"},
                       {"partitions"},
                       {"switch"},
                       {"groups"}},
                      kinds);
}

std::string cluster_json(const domain::Snapshot& snapshot) {
    const std::vector<View> views = views_of(snapshot);
    Json nodes = Json::array();
    for (std::size_t i = 0; i < views.size(); ++i) {
        const domain::NodeState& state = snapshot.states[i];
        Json gpus = Json::array();
        for (const domain::Gpu& gpu : views[i].gpus) {
            gpus.push_back({{"index", gpu.index},
                            {"type", snapshot.cluster.devices[gpu.device].name},
                            {"free", gpu.is_free}});
        }
        nodes.push_back(
            {{"name", snapshot.cluster.nodes[i].name},
             {"gpus", std::move(gpus)},
             {"usable", state.is_usable},
             {"cpus", snapshot.cluster.nodes[i].cpus},
             {"free_cpus", state.free_cpus},
             {"memory_mib", state.memory_mib},
             {"features", state.features},
             {"partitions", views[i].partitions},
             {"switch", views[i].attached_to},
             {"gpu_sockets", state.gpu_sockets},
             {"groups", groups_json(snapshot.cluster, snapshot.cluster.nodes[i], views[i].gpus)}});
    }
    const Json root = {{"version", 1},
                       {"cluster", snapshot.cluster_name},
                       {"written", snapshot.written},
                       {"nodes", std::move(nodes)}};
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hora::report
