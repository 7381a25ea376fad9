// Which machines does a snapshot file describe? The part of snapshot.hpp that builds a
// Cluster.
#include "libplanner/read/state/snapshot_cluster.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_set>

#include "libplanner/read/slurm/hostlist.hpp"

namespace hora::read {
namespace {

constexpr std::size_t max_nodes = std::size_t{1} << 17;
constexpr std::size_t max_gpus = std::size_t{1} << 20;
constexpr std::size_t max_parts = std::size_t{1} << 20;
constexpr std::size_t max_devices = 256;
constexpr std::size_t max_in_node = 256;  // GPUs or parts of one node
constexpr std::size_t max_features = 128;
constexpr std::size_t max_all_features = std::size_t{1} << 21;
constexpr std::uint32_t max_small = 1U << 20;
constexpr std::uint64_t max_memory_mib = std::uint64_t{1} << 40;

// The parts inside a node and its GPUs. Part 0 is the switch that the node hangs on, so that
// nodes all over the cluster share a shape.
struct Shape {
    std::vector<domain::Part> parts;
    std::vector<domain::Gpu> gpus;
    std::uint32_t mesh = domain::no_mesh;  // index into Cluster::meshes
};

struct Group {
    std::vector<std::uint32_t> nodes;
    const Shape* shape = nullptr;
    std::uint32_t part = 0;
    std::vector<std::uint32_t> busy;
    domain::Node node;
    domain::NodeState state;
};

domain::Efficiency read_efficiency(JsonObject item) {
    constexpr NumberRange share{.min = 1e-6, .max = 100};
    domain::Efficiency efficiency;
    efficiency.name = item.text("name", 64);
    JsonObject shares = item.object("shares");
    for (const domain::DataTypeInfo& type : domain::data_types) {
        JsonObject of_type = shares.object(type.name.data());
        domain::Efficiency::Shares& read = efficiency.shares[static_cast<std::size_t>(type.type)];
        for (const domain::LayerKindInfo& kind : domain::layer_kinds) {
            (kind.kind == domain::LayerKind::memory
                 ? read.memory
                 : read.compute[static_cast<std::size_t>(kind.kind)]) =
                of_type.number(kind.name.data(), share);
        }
        of_type.finish();
    }
    shares.finish();
    efficiency.layer = Seconds(item.number("layer"));
    efficiency.step = Seconds(item.number("step"));
    efficiency.optimizer_bytes = item.number("optimizer_bytes");
    item.finish();
    return efficiency;
}

domain::Device read_device(JsonObject item) {
    domain::Device device;
    device.name = item.text("name", 64);
    if (device.name.empty()) {
        item.reject("name", "is empty");
    }
    JsonObject peak = item.object("peak");
    for (const domain::DataTypeInfo& type : domain::data_types) {
        device.peak[static_cast<std::size_t>(type.type)] = FlopRate(peak.number(type.name.data()));
    }
    peak.finish();
    device.memory_bandwidth = Bandwidth(item.number("memory_bandwidth"));
    device.memory = Bytes(item.number("memory"));
    device.pcie = Bandwidth(item.number("pcie"));
    device.nvlink = Bandwidth(item.number("nvlink"));
    device.source = item.text("source", 1024);
    if (item.has("efficiency")) {
        device.efficiency = read_efficiency(item.object("efficiency"));
    }
    item.finish();
    return device;
}

// `parents`: how many parts stand before it; the parent is one of them.
domain::Part read_part(JsonObject& item, std::size_t parents) {
    domain::Part part;
    const std::string kind = item.text("kind", 16);
    const auto& known = domain::part_kind_names;
    const auto found = std::find(known.begin(), known.end(), kind);
    if (found == known.end()) {
        item.reject("kind", "is not known");
    } else {
        part.kind = static_cast<domain::PartKind>(found - known.begin());
    }
    part.parent = parents == 0 ? domain::no_part : item.index("parent", parents);
    part.link.bandwidth = Bandwidth(
        item.number_or_null("bandwidth").value_or(std::numeric_limits<double>::infinity()));
    part.link.latency = Seconds(item.number("latency"));
    part.name = item.text("name", 512);
    item.finish();
    return part;
}

domain::Mesh read_mesh(JsonObject item, std::span<const domain::Gpu> gpus) {
    domain::Mesh mesh{static_cast<std::uint32_t>(gpus.size()), Seconds(item.number("latency")), {}};
    const bool are_alike = std::all_of(gpus.begin(), gpus.end(), [&](const domain::Gpu& gpu) {
        return gpu.device == gpus.front().device;
    });
    const nlohmann::json& list = item.list("bandwidths", std::size_t{1} << domain::most_mesh_gpus);
    for (const nlohmann::json& value : list) {
        const double bandwidth = value.is_number() ? value.get<double>() : -1;
        mesh.bandwidths.push_back(Bandwidth(bandwidth));
        if (!(bandwidth >= 0 && bandwidth <= NumberRange().max)) {
            item.reject("bandwidths", "has what is no bandwidth");
        }
    }
    if (!are_alike || gpus.size() > domain::most_mesh_gpus ||
        mesh.bandwidths.size() != std::size_t{1} << gpus.size()) {
        item.reject("bandwidths", "does not go with the GPUs of the shape");
    }
    item.finish();
    return mesh;
}

Shape read_shape(JsonObject item, JsonProblem& problem, domain::Cluster& cluster) {
    Shape shape;
    for (const auto& value : item.list("parts", max_in_node)) {
        JsonObject part(value, "parts", shape.parts.size(), problem);
        shape.parts.push_back(read_part(part, shape.parts.size() + 1));
    }
    std::size_t count = 0;
    for (const auto& value : item.list("gpus", max_in_node)) {
        JsonObject gpus(value, "gpus", count++, problem);
        domain::Gpu gpu;
        gpu.device = gpus.index("device", cluster.devices.size());
        gpu.part = gpus.index("part", shape.parts.size() + 1);
        for (const std::uint32_t index : gpus.indices("indices", max_in_node)) {
            gpu.index = index;
            shape.gpus.push_back(gpu);
        }
        gpus.finish();
    }
    const auto by_index = [](const domain::Gpu& a, const domain::Gpu& b) {
        return a.index < b.index;
    };
    std::sort(shape.gpus.begin(), shape.gpus.end(), by_index);
    if (std::adjacent_find(shape.gpus.begin(), shape.gpus.end(),
                           [](const domain::Gpu& a, const domain::Gpu& b) {
                               return a.index == b.index;
                           }) != shape.gpus.end()) {
        item.reject("gpus", "names an index twice");
    }
    if (item.has("mesh")) {
        shape.mesh = static_cast<std::uint32_t>(cluster.meshes.size());
        cluster.meshes.push_back(read_mesh(item.object("mesh"), shape.gpus));
    }
    item.finish();
    return shape;
}

Group read_group(JsonObject item, const domain::Snapshot& snapshot,
                 const std::vector<Shape>& shapes) {
    Group group;
    group.nodes = item.indices("nodes", snapshot.cluster.nodes.size());
    const std::uint32_t shape = item.index("shape", shapes.size());
    group.shape = shapes.empty() ? nullptr : &shapes[shape];
    group.part = item.index("switch", snapshot.cluster.parts.size());
    group.busy = item.indices("busy", max_in_node);
    group.node.overhead = Seconds(item.number("overhead", {-1e9, 1e9}));
    group.node.cpus = static_cast<std::uint32_t>(item.whole("cpus", max_small));
    domain::NodeState& state = group.state;
    state.is_usable = item.flag("usable");
    state.answers = !item.has("answers") || item.flag("answers");
    state.free_cpus = static_cast<std::uint32_t>(item.whole("free_cpus", max_small));
    state.sockets = static_cast<std::uint32_t>(item.whole("sockets", max_small));
    state.cores_per_socket = static_cast<std::uint32_t>(item.whole("cores_per_socket", max_small));
    state.threads_per_core = static_cast<std::uint32_t>(item.whole("threads_per_core", max_small));
    state.memory_mib = item.whole("memory_mib", max_memory_mib);
    state.features = item.texts("features", max_features, 256);
    state.gpu_sockets = item.numbers_if_there("gpu_sockets", max_in_node, state.sockets);
    const auto is_beyond = [&](const domain::Gpu& gpu) {
        return gpu.index >= state.gpu_sockets.size();
    };
    if (group.shape != nullptr && !state.gpu_sockets.empty() &&
        std::any_of(group.shape->gpus.begin(), group.shape->gpus.end(), is_beyond)) {
        item.reject("gpu_sockets", "leaves out a GPU");
    }
    item.finish();
    return group;
}

// "*/pci 0" is "n7/pci 0" on node n7.
std::string full_name(const std::string& name, const std::string& node) {
    return name.starts_with('*') ? node + name.substr(1) : name;
}

void build_node(std::uint32_t index, const Group& group, domain::Snapshot& snapshot) {
    domain::Cluster& cluster = snapshot.cluster;
    domain::Node& node = cluster.nodes[index];
    node.overhead = group.node.overhead;
    node.cpus = group.node.cpus;
    node.mesh = group.shape->mesh;
    snapshot.states[index] = group.state;
    const auto first = static_cast<std::uint32_t>(cluster.parts.size());
    const auto place = [&](std::uint32_t local) {
        return local == 0 ? group.part : first + local - 1;
    };
    for (const domain::Part& shaped : group.shape->parts) {
        domain::Part part = shaped;
        part.parent = place(shaped.parent);
        part.name = full_name(shaped.name, node.name);
        cluster.parts.push_back(std::move(part));
    }
    for (domain::Gpu gpu : group.shape->gpus) {
        gpu.node = index;
        gpu.part = place(gpu.part);
        gpu.is_free = !std::binary_search(group.busy.begin(), group.busy.end(), gpu.index);
        cluster.gpus.push_back(gpu);
    }
}

void read_names(JsonObject& nodes, domain::Cluster& cluster) {
    const std::string& folded = nodes.long_text("names");
    auto names =
        folded.empty() ? Expected<std::vector<std::string>>{} : expand_hostlist(folded, max_nodes);
    if (!names) {
        nodes.reject("names", names.error().message);
        return;
    }
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : *names) {
        if (name.empty() || name.size() > 256 || !seen.insert(name).second) {
            nodes.reject("names", "names a node twice, or one of an odd length");
            return;
        }
    }
    cluster.nodes.resize(names->size());
    for (std::size_t i = 0; i < names->size(); ++i) {
        cluster.nodes[i].name = std::move((*names)[i]);
    }
}

// Which group each node belongs to; every node to exactly one.
std::vector<const Group*> assign(JsonObject& nodes, const std::vector<Group>& groups,
                                 std::size_t node_count) {
    std::vector<const Group*> group_of(node_count, nullptr);
    std::size_t assigned = 0;
    std::size_t gpus = 0;
    std::size_t parts = 0;
    std::size_t features = 0;
    for (const Group& group : groups) {
        for (const std::uint32_t node : group.nodes) {
            assigned += group_of[node] == nullptr ? 1 : node_count + 1;
            group_of[node] = &group;
            gpus += group.shape->gpus.size();
            parts += group.shape->parts.size();
            features += group.state.features.size();
        }
    }
    if (assigned != node_count) {
        nodes.reject("groups", "do not hold each node exactly once");
    }
    if (gpus > max_gpus || parts > max_parts || features > max_all_features) {
        nodes.reject("groups", "hold too many GPUs, parts or features");
    }
    return group_of;
}

void read_parts(JsonObject& root, JsonProblem& problem, domain::Cluster& cluster) {
    for (const auto& value : root.list("switches", max_nodes)) {
        JsonObject item(value, "switches", cluster.parts.size(), problem);
        cluster.parts.push_back(read_part(item, cluster.parts.size()));
    }
    if (cluster.parts.empty()) {
        root.reject("switches", "is empty; there is at least the whole");
    }
}

}  // namespace

void read_machines(JsonObject& root, JsonProblem& problem, domain::Snapshot& snapshot) {
    domain::Cluster& cluster = snapshot.cluster;
    for (const auto& value : root.list("devices", max_devices)) {
        cluster.devices.push_back(
            read_device(JsonObject(value, "devices", cluster.devices.size(), problem)));
    }
    read_parts(root, problem, cluster);
    std::vector<Shape> shapes;
    for (const auto& value : root.list("shapes", max_nodes)) {
        shapes.push_back(
            read_shape(JsonObject(value, "shapes", shapes.size(), problem), problem, cluster));
    }
    JsonObject nodes = root.object("nodes");
    read_names(nodes, cluster);
    std::vector<Group> groups;
    for (const auto& value : nodes.list("groups", max_nodes)) {
        groups.push_back(
            read_group(JsonObject(value, "groups", groups.size(), problem), snapshot, shapes));
    }
    nodes.finish();
    if (problem.is_there()) {
        return;
    }
    const auto group_of = assign(nodes, groups, cluster.nodes.size());
    if (problem.is_there()) {
        return;
    }
    snapshot.states.resize(cluster.nodes.size());
    for (std::uint32_t node = 0; node < cluster.nodes.size(); ++node) {
        build_node(node, *group_of[node], snapshot);
    }
}

}  // namespace hora::read
