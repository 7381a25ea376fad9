// Which machines does a cluster file describe?
// Keys: network.{bandwidth, latency}, gpu.NAME (device_catalog.cpp), switch[].{name, parent,
// bandwidth, latency}, node[].{name, gpu, count, switch, bandwidth, busy, overhead, cpus, slurm}
// and those of node_inside.cpp.
#include "libplanner/read/cluster/cluster_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/base/nearest.hpp"
#include "libplanner/read/cluster/node_inside.hpp"
#include "libplanner/read/format/toml_table.hpp"
#include "libplanner/read/machine/device_catalog.hpp"
#include "libplanner/read/machine/device_names.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/hostlist.hpp"

namespace hora::read {
namespace {

constexpr std::size_t most_nodes = 100'000;
constexpr std::uint32_t most_gpus_of_a_node = 256;
constexpr std::uint32_t most_gpus = 1'000'000;

// What the file is being turned into, with the names that are already taken.
class Reader {
  public:
    Reader(TomlTable root, const Settings& settings, TopologyReader read_layout)
        : root_(std::move(root)), settings_(settings), read_layout_(read_layout) {}

    Expected<ClusterDescription> read();

  private:
    Expected<void> read_network();
    Expected<void> read_switches();
    Expected<void> read_node(TomlTable table);
    std::optional<std::uint32_t> take_device(TomlTable& table);
    std::optional<std::uint32_t> take_switch(TomlTable& table, std::string_view key);
    std::optional<std::uint32_t> take_count(TomlTable& table,
                                            const std::optional<NodeLayout>& layout);
    Expected<std::optional<NodeLayout>> read_topology(const NodeInside& inside,
                                                      const domain::Device* device);
    void add_nodes(TomlTable& table, std::string_view names, NodeDescription node);

    TomlTable root_;
    const Settings& settings_;
    TopologyReader read_layout_;
    ClusterDescription cluster_;
    std::map<std::string, std::uint32_t, std::less<>> switches_;
    bool declares_switches_ = false;
    std::map<std::string, std::string, std::less<>> node_names_;  // to the place of each
    std::size_t gpus_ = 0;
};

std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string_view>& known) {
    return fmt::format("unknown {} {}{}", what, quoted(name), did_you_mean(name, known));
}

Expected<void> Reader::read_network() {
    cluster_.network = network_link(settings_);
    auto table = root_.take_table("network");
    if (!table) {
        return {};
    }
    table->take("bandwidth", cluster_.network.bandwidth);
    table->take("latency", cluster_.network.latency);
    return table->finish();
}

// The switch named by `key`. A file without [[switch]] tables may name leaves that stand nowhere
// else; where there are such tables, each name must be one of theirs.
std::optional<std::uint32_t> Reader::take_switch(TomlTable& table, std::string_view key) {
    std::string name;
    if (!table.take(key, name)) {
        return std::nullopt;
    }
    const auto found = switches_.find(name);
    if (found != switches_.end()) {
        return found->second;
    }
    if (declares_switches_) {
        std::vector<std::string_view> known;
        for (const auto& [other, index] : switches_) {
            known.push_back(other);
        }
        table.reject(key, unknown_name("switch", name, known));
        return std::nullopt;
    }
    const auto index = static_cast<std::uint32_t>(cluster_.switches.size());
    cluster_.switches.push_back({name, no_switch, std::nullopt, std::nullopt});
    switches_.emplace(std::move(name), index);
    return index;
}

Expected<void> Reader::read_switches() {
    std::vector<TomlTable> tables = root_.take_tables("switch");
    declares_switches_ = !tables.empty();
    for (TomlTable& table : tables) {
        SwitchDescription one;
        table.require("name", one.name);
        table.take("bandwidth", one.bandwidth);
        table.take("latency", one.latency);
        const auto index = static_cast<std::uint32_t>(cluster_.switches.size());
        if (!switches_.emplace(one.name, index).second) {
            table.reject("name", fmt::format("switch {} is there twice", quoted(one.name)));
        }
        cluster_.switches.push_back(std::move(one));
    }
    for (std::size_t i = 0; i < tables.size(); ++i) {
        cluster_.switches[i].parent = take_switch(tables[i], "parent").value_or(no_switch);
        if (auto good = tables[i].finish(); !good) {
            return good;
        }
    }
    return {};
}

std::optional<std::uint32_t> Reader::take_device(TomlTable& table) {
    std::string name;
    if (!table.take("gpu", name)) {
        return std::nullopt;
    }
    if (const domain::Device* const device = named_device(cluster_.devices, name).device) {
        return static_cast<std::uint32_t>(device - cluster_.devices.data());
    }
    std::vector<std::string_view> known;
    for (const domain::Device& device : cluster_.devices) {
        known.push_back(device.name);
    }
    table.reject("gpu", unknown_name("device", name, known));
    return std::nullopt;
}

Expected<std::optional<NodeLayout>> Reader::read_topology(const NodeInside& inside,
                                                          const domain::Device* device) {
    if (inside.topology.empty()) {
        return std::nullopt;
    }
    if (device == nullptr) {
        return wrong_use(fmt::format("{}: \"topology\" needs the type of the GPUs in \"gpu\"",
                                     inside.where_topology));
    }
    auto layout = read_layout_(inside.topology, *device);
    if (!layout) {
        return unexpected(layout.error().within(inside.where_topology));
    }
    return std::move(*layout);
}

// How many GPUs each node has: what the topology file found, or "count", or one.
std::optional<std::uint32_t> Reader::take_count(TomlTable& table,
                                                const std::optional<NodeLayout>& layout) {
    std::uint32_t count = table.has("gpu") ? 1 : 0;
    const auto found = layout ? static_cast<std::uint32_t>(layout->group_of.size()) : count;
    if (!table.take("count", count)) {
        return table.has("count") ? std::nullopt : std::optional(found);
    }
    if (layout && count != found) {
        table.reject("count", fmt::format("\"count\" is {}, but the topology file has {}", count,
                                          counted(found, "GPU")));
        return std::nullopt;
    }
    if (count > most_gpus_of_a_node) {
        table.reject("count",
                     fmt::format("a node has at most {} GPUs, not {}", most_gpus_of_a_node, count));
        return std::nullopt;
    }
    if (count > 0 && !table.has("gpu")) {
        table.reject("count", "\"count\" needs the type of the GPUs in \"gpu\"");
        return std::nullopt;
    }
    return count;
}

void Reader::add_nodes(TomlTable& table, std::string_view names, NodeDescription node) {
    auto hosts = expand_hostlist(names, most_nodes - cluster_.nodes.size());
    if (!hosts) {
        table.reject("name", hosts.error().message);
        return;
    }
    gpus_ += hosts->size() * node.devices.size();
    if (gpus_ > most_gpus) {
        table.reject("name", fmt::format("the file has more than {} GPUs", most_gpus));
        return;
    }
    for (std::string& host : *hosts) {
        const auto [known, is_new] = node_names_.emplace(host, table.where());
        if (!is_new) {
            table.reject("name", fmt::format("node {} is there twice, first at {}", quoted(host),
                                             known->second));
            return;
        }
        node.name = std::move(host);
        cluster_.nodes.push_back(node);
    }
}

Expected<void> Reader::read_node(TomlTable table) {
    NodeDescription node;
    std::string names;
    table.require("name", names);
    const auto index = take_device(table);
    const domain::Device* const device = index ? &cluster_.devices[*index] : nullptr;
    const auto inside = take_inside(table);
    auto layout = inside ? read_topology(*inside, device) : unexpected(inside.error());
    if (!layout) {
        return unexpected(layout.error());
    }
    const auto count = take_count(table, *layout);
    node.attached_to = take_switch(table, "switch").value_or(no_switch);
    std::vector<std::uint64_t> busy;
    table.take("busy", busy);
    table.take("bandwidth", node.bandwidth);
    table.take("overhead", node.overhead);
    table.take("cpus", node.cpus);
    // What a private cluster's Slurm is configured with besides; a plan needs none of it.
    static_cast<void>(table.take_table("slurm"));
    for (const std::uint64_t gpu : busy) {
        if (gpu >= count.value_or(most_gpus_of_a_node)) {
            table.reject("busy", fmt::format("GPU {} cannot be busy: \"count\" is {}", gpu,
                                             count.value_or(0)));
        }
        node.busy.push_back(static_cast<std::uint32_t>(gpu));
    }
    if (auto good = table.finish(); !good) {
        return good;
    }
    if (!*layout) {
        auto links = layout_of(*inside, *count, device);
        if (!links) {
            return unexpected(links.error());
        }
        *layout = std::move(*links);
    }
    node.devices.assign(*count, index.value_or(0));
    node.layout = static_cast<std::uint32_t>(cluster_.layouts.size());
    cluster_.layouts.push_back(std::move(**layout));
    add_nodes(table, names, std::move(node));
    return table.finish();
}

Expected<ClusterDescription> Reader::read() {
    auto devices = take_devices(root_, settings_.devices());
    if (!devices) {
        return unexpected(devices.error());
    }
    cluster_.devices = std::move(*devices);
    if (auto good = read_network(); !good) {
        return unexpected(good.error());
    }
    if (auto good = read_switches(); !good) {
        return unexpected(good.error());
    }
    for (TomlTable& table : root_.take_tables("node")) {
        if (auto good = read_node(std::move(table)); !good) {
            return unexpected(good.error());
        }
    }
    if (auto good = root_.finish(); !good) {
        return unexpected(good.error());
    }
    if (cluster_.nodes.empty()) {
        return wrong_use(root_.shown_file() + ": no [[node]] table says which machines there are");
    }
    return std::move(cluster_);
}

}  // namespace

Expected<domain::Cluster> read_cluster(std::string_view toml, const std::string& file_name,
                                       const Settings& settings, TopologyReader read_layout) {
    auto root = read_toml(toml, file_name);
    if (!root) {
        return unexpected(root.error());
    }
    auto description = Reader(std::move(*root), settings, read_layout).read();
    if (!description) {
        return unexpected(description.error());
    }
    auto cluster = build_cluster(std::move(*description));
    if (!cluster) {
        return wrong_use(cluster.error().within(file_name).message);
    }
    return cluster;
}

}  // namespace hora::read
