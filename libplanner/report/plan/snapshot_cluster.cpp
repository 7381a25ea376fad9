// How are the machines of a snapshot written down? The part of report/snapshot.hpp for a Cluster.
#include "libplanner/report/plan/snapshot_cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/slurm/hostlist.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

// A layer of no arithmetic has the share of the memory bandwidth.
Json efficiency_json(const domain::Efficiency& efficiency) {
    Json shares = Json::object();
    for (const domain::DataTypeInfo& type : domain::data_types) {
        Json of_type = Json::object();
        for (const domain::LayerKindInfo& kind : domain::layer_kinds) {
            of_type[std::string(kind.name)] = kind.kind == domain::LayerKind::memory
                                                  ? efficiency.memory(type.type)
                                                  : efficiency.compute(type.type, kind.kind);
        }
        shares[std::string(type.name)] = std::move(of_type);
    }
    return {{"name", efficiency.name},
            {"shares", std::move(shares)},
            {"layer", efficiency.layer.count()},
            {"step", efficiency.step.count()},
            {"optimizer_bytes", efficiency.optimizer_bytes}};
}

Json device_json(const domain::Device& device) {
    Json peak = Json::object();
    for (const domain::DataTypeInfo& type : domain::data_types) {
        peak[std::string(type.name)] = device.peak[static_cast<std::size_t>(type.type)].count();
    }
    Json json = {{"name", device.name},
                 {"peak", peak},
                 {"memory_bandwidth", device.memory_bandwidth.count()},
                 {"memory", device.memory.count()},
                 {"pcie", device.pcie.count()},
                 {"nvlink", device.nvlink.count()},
                 {"source", device.source}};
    if (device.efficiency != domain::Efficiency{}) {
        json["efficiency"] = efficiency_json(device.efficiency);
    }
    return json;
}

// JSON has no infinity: null stands for a link without a limit.
Json part_json(const domain::Part& part, std::uint32_t parent, std::string name) {
    Json json = {{"kind", domain::part_kind_names[static_cast<std::size_t>(part.kind)]}};
    if (parent != domain::no_part) {
        json["parent"] = parent;
    }
    const double bandwidth = part.link.bandwidth.count();
    json["bandwidth"] = std::isfinite(bandwidth) ? Json(bandwidth) : Json(nullptr);
    json["latency"] = part.link.latency.count();
    json["name"] = std::move(name);
    return json;
}

bool is_switch(const domain::Part& part) {
    return part.kind == domain::PartKind::leaf_switch || part.kind == domain::PartKind::fabric;
}

// Writes each different text once and gives its number.
class Numbering {
  public:
    std::uint32_t number(Json json) {
        const auto [found, is_new] =
            numbers_.try_emplace(json.dump(-1, ' ', false, Json::error_handler_t::replace),
                                 static_cast<std::uint32_t>(list_.size()));
        if (is_new) {
            list_.push_back(std::move(json));
        }
        return found->second;
    }
    Json take_list() { return std::move(list_); }
    std::size_t size() const { return list_.size(); }

  private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    Json list_ = Json::array();
};

struct Shaped {
    Json shape;
    std::uint32_t part = 0;  // the switch that the node hangs on
    std::vector<std::uint32_t> busy;
};

// The parts of a node, parents first: all between its GPUs and the switch.
std::vector<std::uint32_t> inner_parts(const domain::Cluster& cluster,
                                       std::span<const domain::Gpu> gpus, std::uint32_t& outer) {
    std::vector<std::uint32_t> inner;
    for (const domain::Gpu& gpu : gpus) {
        std::uint32_t part = gpu.part;
        while (!is_switch(cluster.parts[part]) && cluster.parts[part].parent != domain::no_part) {
            inner.push_back(part);
            part = cluster.parts[part].parent;
        }
        outer = part;
    }
    std::sort(inner.begin(), inner.end());
    inner.erase(std::unique(inner.begin(), inner.end()), inner.end());
    return inner;
}

Json gpus_json(std::span<const domain::Gpu> gpus, const auto& local) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> alike;
    for (const domain::Gpu& gpu : gpus) {
        alike[{local(gpu.part), gpu.device}].push_back(gpu.index);
    }
    Json list = Json::array();
    for (const auto& [key, indices] : alike) {
        list.push_back(
            {{"indices", read::fold_ranges(indices)}, {"device", key.second}, {"part", key.first}});
    }
    return list;
}

Json mesh_json(const domain::Mesh& mesh) {
    Json bandwidths = Json::array();
    for (const Bandwidth bandwidth : mesh.bandwidths) {
        bandwidths.push_back(bandwidth.count());
    }
    return {{"latency", mesh.latency.count()}, {"bandwidths", std::move(bandwidths)}};
}

Shaped shape_of(const domain::Cluster& cluster, const domain::Node& node,
                std::span<const domain::Gpu> gpus) {
    Shaped shaped;
    const auto inner = inner_parts(cluster, gpus, shaped.part);
    const auto local = [&](std::uint32_t part) -> std::uint32_t {
        const auto found = std::lower_bound(inner.begin(), inner.end(), part);
        return found != inner.end() && *found == part
                   ? static_cast<std::uint32_t>(found - inner.begin()) + 1
                   : 0;
    };
    Json parts = Json::array();
    for (const std::uint32_t index : inner) {
        const domain::Part& part = cluster.parts[index];
        std::string name = part.name;
        if (name.starts_with(node.name)) {
            name = fmt::format("*{}", std::string_view(part.name).substr(node.name.size()));
        }
        parts.push_back(part_json(part, local(part.parent), std::move(name)));
    }
    shaped.shape = {{"parts", std::move(parts)}, {"gpus", gpus_json(gpus, local)}};
    if (node.mesh != domain::no_mesh) {
        shaped.shape["mesh"] = mesh_json(cluster.meshes[node.mesh]);
    }
    for (const domain::Gpu& gpu : gpus) {
        if (!gpu.is_free) {
            shaped.busy.push_back(gpu.index);
        }
    }
    return shaped;
}

Json group_json(const domain::Node& node, const domain::NodeState& state) {
    Json json = {{"cpus", node.cpus},
                 {"overhead", node.overhead.count()},
                 {"usable", state.is_usable},
                 {"free_cpus", state.free_cpus},
                 {"sockets", state.sockets},
                 {"cores_per_socket", state.cores_per_socket},
                 {"threads_per_core", state.threads_per_core},
                 {"memory_mib", state.memory_mib},
                 {"features", state.features}};
    if (!state.answers) {
        json["answers"] = false;
    }
    if (!state.gpu_sockets.empty()) {
        json["gpu_sockets"] = state.gpu_sockets;
    }
    return json;
}

std::vector<std::uint32_t> write_switches(const domain::Cluster& cluster, Json& root) {
    std::vector<std::uint32_t> number(cluster.parts.size(), domain::no_part);
    Json switches = Json::array();
    for (std::size_t i = 0; i < cluster.parts.size(); ++i) {
        const domain::Part& part = cluster.parts[i];
        if (i != 0 && !is_switch(part)) {
            continue;
        }
        const std::uint32_t parent =
            part.parent == domain::no_part ? domain::no_part : number[part.parent];
        number[i] = static_cast<std::uint32_t>(switches.size());
        switches.push_back(part_json(part, parent, part.name));
    }
    root["switches"] = std::move(switches);
    return number;
}

// GPUs are by node, so each node's are one run of the list.
std::vector<std::span<const domain::Gpu>> gpus_by_node(const domain::Cluster& cluster) {
    std::vector<std::span<const domain::Gpu>> by_node(cluster.nodes.size());
    const std::span<const domain::Gpu> all = cluster.gpus;
    for (std::size_t first = 0; first < all.size();) {
        std::size_t end = first;
        while (end < all.size() && all[end].node == all[first].node) {
            ++end;
        }
        by_node[all[first].node] = all.subspan(first, end - first);
        first = end;
    }
    return by_node;
}

std::string names_text(const domain::Cluster& cluster) {
    std::vector<std::string> names;
    names.reserve(cluster.nodes.size());
    for (const domain::Node& node : cluster.nodes) {
        names.push_back(node.name);
    }
    return read::fold_hostlist(names);
}

}  // namespace

void write_machines(const domain::Snapshot& snapshot, Json& root) {
    const domain::Cluster& cluster = snapshot.cluster;
    root["devices"] = Json::array();
    for (const domain::Device& device : cluster.devices) {
        root["devices"].push_back(device_json(device));
    }
    const auto switch_number = write_switches(cluster, root);
    const auto gpus = gpus_by_node(cluster);
    Numbering shapes;
    Numbering groups;
    std::vector<std::vector<std::uint32_t>> members;
    for (std::uint32_t i = 0; i < cluster.nodes.size(); ++i) {
        Shaped shaped = shape_of(cluster, cluster.nodes[i], gpus[i]);
        Json group = group_json(cluster.nodes[i], snapshot.states[i]);
        group["shape"] = shapes.number(std::move(shaped.shape));
        group["switch"] = switch_number[shaped.part];
        group["busy"] = read::fold_ranges(shaped.busy);
        const std::uint32_t number = groups.number(std::move(group));
        members.resize(groups.size());
        members[number].push_back(i);
    }
    Json list = groups.take_list();
    for (std::size_t i = 0; i < members.size(); ++i) {
        list[i]["nodes"] = read::fold_ranges(members[i]);
    }
    root["shapes"] = shapes.take_list();
    root["nodes"] = {{"names", names_text(cluster)}, {"groups", std::move(list)}};
}

}  // namespace hora::report
