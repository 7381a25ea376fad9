// Which nodes, GPUs and switches does Slurm have, and what of them is free?
#include "plugins/slurm/collect/collect_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/cluster/cluster_builder.hpp"
#include "libplanner/read/cluster/fabric_text.hpp"
#include "libplanner/read/machine/device_names.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/read/words.hpp"
#include "plugins/slurm/collect/collect_insides.hpp"
#include "plugins/slurm/tres.hpp"

namespace hora::slurm {
namespace {

constexpr std::size_t max_gpus_of_a_node = 128;

// As Slurm has it, letter by letter: requests for it are written with that, and slurmctld refuses
// one for "a100" where it has "A100".
domain::Device called(std::string_view name, domain::Device device) {
    device.name = name;
    return device;
}

domain::NodeState state_of(node_info_t& node, NodeUse use) {
    domain::NodeState state;
    const std::uint32_t cpus = node.cpus_efctv != 0 ? node.cpus_efctv : node.cpus;
    state.is_usable = use != NodeUse::none;
    state.answers = use != NodeUse::later;
    state.free_cpus = use == NodeUse::later ? 0 : cpus - std::min(cpus, allocated_cpus(node));
    state.sockets = node.sockets;
    state.cores_per_socket = node.cores;
    state.threads_per_core = node.threads;
    state.memory_mib = node.real_memory;
    state.features = read::given_words(
        text_of(node.features_act != nullptr ? node.features_act : node.features));
    return state;
}

// Gathers nodes for the builder of clusters: devices and layouts are shared.
class Gathering {
  public:
    Gathering(const SiteFacts& site, const read::GresConf& gres, Collected& collected)
        : site_(site), collected_(collected), insides_(site.nodes, gres) {
        description_.network = site.network;
    }

    void add_switches(std::string_view text);
    // A node of the future is there for those that name it, and not planned on.
    void pass_over(const node_info_t& node) { strangers_.erase(std::string(text_of(node.name))); }
    void add_node(node_info_t& node);
    Expected<void> finish();

  private:
    static constexpr const char* unknown_name = "?";

    // `is_only`: the node has GPUs of no other type, so a feature may say which this one is.
    std::uint32_t device_of(std::string_view type, const std::vector<std::string>& features,
                            bool is_only, std::string_view node);
    std::uint32_t number_of(const domain::Device& device);
    void remark_on(std::string_view name, const read::NamedDevice& named);
    std::string like_known(std::string_view type) const;
    const CollectedInside& inside_of(const read::NodeDescription& described,
                                     const domain::NodeState& state, const NodeGpus& gpus);

    const SiteFacts& site_;
    Collected& collected_;
    read::ClusterDescription description_;
    Insides insides_;
    std::map<std::string, std::uint32_t, std::less<>> switch_of_;
    std::set<std::string> strangers_;  // named in the topology, and not met as nodes so far
    std::set<std::string> remarked_;   // types of GPUs
};

void Gathering::add_switches(std::string_view text) {
    const auto named = read::read_fabric(text);
    if (!named) {
        collected_.remarks.push_back(
            fmt::format("the switches of 'scontrol show topology' count as one network: {}",
                        named.error().message));
        return;
    }
    strangers_.insert(named->nodes.begin(), named->nodes.end());
    for (std::size_t i = 0; i < named->nodes.size(); ++i) {
        switch_of_[named->nodes[i]] = named->fabric.attached_to[i];
    }
    for (const domain::FabricSwitch& one : named->fabric.switches) {
        description_.switches.push_back({one.name, one.parent, std::nullopt, std::nullopt});
    }
}

std::uint32_t Gathering::number_of(const domain::Device& device) {
    auto& devices = description_.devices;
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const auto& known) { return known.name == device.name; });
    if (found == devices.end()) {
        devices.push_back(device);
        return static_cast<std::uint32_t>(devices.size() - 1);
    }
    // Boards of one type that only features tell apart: Slurm may give either.
    if (device.memory < found->memory) {
        *found = device;
    }
    return static_cast<std::uint32_t>(found - devices.begin());
}

// Where the name and the node leave open which board it is.
void Gathering::remark_on(std::string_view name, const read::NamedDevice& named) {
    if (named.otherwise.empty() || !remarked_.emplace(name).second) {
        return;
    }
    const std::string_view other = named.otherwise.front();
    collected_.remarks.push_back(
        fmt::format("GPUs of type \"{0}\" count as {1}, and may be {2} as well; say which by a "
                    "feature of their nodes (\"{3}\"), or by [gpu.{0}] like = \"{3}\" in hora.toml",
                    name, named.device->name, fmt::join(named.otherwise, ", "), other));
}

std::string Gathering::like_known(std::string_view type) const {
    std::vector<std::string_view> names;
    for (const domain::Device& known : site_.devices) {
        names.push_back(known.name);
    }
    return did_you_mean(type, names);
}

std::uint32_t Gathering::device_of(std::string_view type, const std::vector<std::string>& features,
                                   bool is_only, std::string_view node) {
    if (const auto named = read::named_device(site_.devices, type, features); named.device) {
        remark_on(type, named);
        return number_of(called(type, *named.device));
    }
    for (const std::string& feature : is_only ? features : std::vector<std::string>()) {
        if (const auto named = read::named_device(site_.devices, feature, features); named.device) {
            remark_on(feature, named);
            return number_of(called(feature, *named.device));
        }
    }
    if (remarked_.emplace(type).second) {
        collected_.remarks.push_back(
            type.empty()
                ? fmt::format("node \"{}\" has GPUs of no stated type, which are not "
                              "planned on; name it in Gres= or as a feature",
                              node)
                : fmt::format("node \"{}\" has GPUs of unknown type \"{}\"{}, which are not "
                              "planned on; describe it as [gpu.{}] in hora.toml",
                              node, type, like_known(type), type));
    }
    domain::Device unknown;
    unknown.name = unknown_name;
    return number_of(unknown);
}

const CollectedInside& Gathering::inside_of(const read::NodeDescription& described,
                                            const domain::NodeState& state, const NodeGpus& gpus) {
    read::SlurmNode node;
    for (const std::uint32_t device : described.devices) {
        node.gpus.push_back(&description_.devices[device]);
    }
    node.sockets = state.sockets;
    node.cores_per_socket = state.cores_per_socket;
    node.gpu_sockets = gpus.sockets;
    return insides_.find(described.name, std::move(node), described.devices);
}

void Gathering::add_node(node_info_t& node) {
    read::NodeDescription described;
    described.name = text_of(node.name);
    const NodeUse use = use_of(node.node_state);
    domain::NodeState state = state_of(node, use);
    auto gpus = read_node_gpus(text_of(node.gres), text_of(node.gres_used));
    if (!gpus) {
        collected_.remarks.push_back(fmt::format("node \"{}\" is planned on without its GPUs: {}",
                                                 described.name, gpus.error().message));
        gpus = NodeGpus{};
    }
    const bool is_only = std::adjacent_find(gpus->types.begin(), gpus->types.end(),
                                            std::not_equal_to<>()) == gpus->types.end();
    for (const std::string& type : gpus->types) {
        described.devices.push_back(device_of(type, state.features, is_only, described.name));
    }
    if (has_refused_a_start(node.node_state, text_of(node.reason))) {
        collected_.refused_starts.push_back(node.reason_time);
        collected_.remarks.push_back(
            fmt::format("'scontrol update NodeName={} State=RESUME' once it is idle: slurmctld "
                        "drained it, for it took a job for running that was to start on it "
                        "(Duplicate jobid)",
                        described.name));
    }
    const CollectedInside& inside = inside_of(described, state, *gpus);
    described.busy = std::move(gpus->busy);
    if (use == NodeUse::later) {
        described.busy.resize(described.devices.size());
        std::iota(described.busy.begin(), described.busy.end(), 0U);
    }
    described.layout = inside.layout;
    state.gpu_sockets = inside.gpu_sockets;
    described.cpus = node.cpus_efctv != 0 ? node.cpus_efctv : node.cpus;
    strangers_.erase(described.name);
    if (const auto found = switch_of_.find(described.name); found != switch_of_.end()) {
        described.attached_to = found->second;
    }
    description_.nodes.push_back(std::move(described));
    collected_.snapshot.states.push_back(std::move(state));
}

Expected<void> Gathering::finish() {
    if (!strangers_.empty()) {
        const std::vector<std::string> names(strangers_.begin(), strangers_.end());
        collected_.remarks.push_back(
            fmt::format("topology.conf names {}, which slurm.conf does not have as nodes",
                        read::quoted(read::fold_hostlist(names))));
    }
    const std::vector<std::string> remarks = insides_.remarks();
    collected_.remarks.insert(collected_.remarks.end(), remarks.begin(), remarks.end());
    description_.layouts = insides_.take_layouts();
    auto cluster = read::build_cluster(std::move(description_));
    if (!cluster) {
        return unexpected(cluster.error());
    }
    std::erase_if(cluster->gpus, [&](const domain::Gpu& gpu) {
        return cluster->devices[gpu.device].name == unknown_name;
    });
    collected_.snapshot.cluster = *std::move(cluster);
    return {};
}

}  // namespace

NodeUse use_of(std::uint32_t node_state) {
    const std::uint32_t base = node_state & NODE_STATE_BASE;
    // A slurmctld that has just started knows no other state of a node that was well before.
    const bool is_unheard = base == NODE_STATE_UNKNOWN;
    const bool is_up = base == NODE_STATE_IDLE || base == NODE_STATE_ALLOCATED ||
                       base == NODE_STATE_MIXED || is_unheard;
    constexpr std::uint32_t out_of_use = NODE_STATE_DRAIN | NODE_STATE_FAIL | NODE_STATE_MAINT |
                                         NODE_STATE_INVALID_REG | NODE_STATE_REBOOT_ISSUED;
    if (!is_up || (node_state & out_of_use) != 0) {
        return NodeUse::none;
    }
    return is_unheard || (node_state & NODE_STATE_NO_RESPOND) != 0 ? NodeUse::later : NodeUse::now;
}

bool has_refused_a_start(std::uint32_t node_state, std::string_view reason) {
    return (node_state & NODE_STATE_DRAIN) != 0 && reason == "Duplicate jobid";
}

Expected<NodeGpus> read_node_gpus(std::string_view gres, std::string_view gres_used) {
    const auto configured = parse_tres(gres);
    const auto used = parse_tres(gres_used);
    if (!configured || !used) {
        return unexpected(configured ? used.error() : configured.error());
    }
    NodeGpus gpus;
    for (const Tres& item : *configured) {
        if (item.name != "gpu") {
            continue;
        }
        if (item.count > max_gpus_of_a_node - std::min(max_gpus_of_a_node, gpus.types.size())) {
            return failure(fmt::format("\"{}\" is more than {} GPUs", gres, max_gpus_of_a_node));
        }
        gpus.types.insert(gpus.types.end(), item.count, item.type);
        gpus.sockets.insert(gpus.sockets.end(), item.sockets.begin(), item.sockets.end());
    }
    std::sort(gpus.sockets.begin(), gpus.sockets.end());
    gpus.sockets.erase(std::unique(gpus.sockets.begin(), gpus.sockets.end()), gpus.sockets.end());
    std::size_t first = 0;  // without File= Slurm names no index: then the first ones count as busy
    for (const Tres& item : *used) {
        if (item.name != "gpu") {
            continue;
        }
        const std::uint64_t counted =
            item.indices.empty() ? std::min<std::uint64_t>(item.count, max_gpus_of_a_node) : 0;
        for (std::size_t i = 0; i < counted; ++i) {
            gpus.busy.push_back(static_cast<std::uint32_t>(first + i));
        }
        gpus.busy.insert(gpus.busy.end(), item.indices.begin(), item.indices.end());
        const auto of_type = [&](const std::string& type) { return type == item.type; };
        first +=
            static_cast<std::size_t>(std::count_if(gpus.types.begin(), gpus.types.end(), of_type));
    }
    std::sort(gpus.busy.begin(), gpus.busy.end());
    gpus.busy.erase(std::unique(gpus.busy.begin(), gpus.busy.end()), gpus.busy.end());
    std::erase_if(gpus.busy, [&](std::uint32_t index) { return index >= gpus.types.size(); });
    return gpus;
}

Expected<void> collect_nodes(node_info_msg_t& nodes, std::string_view topology,
                             const SiteFacts& site, const read::GresConf& gres,
                             Collected& collected) {
    Gathering gathering(site, gres, collected);
    gathering.add_switches(topology);
    for (std::uint32_t i = 0; i < nodes.record_count; ++i) {
        node_info_t& node = nodes.node_array[i];
        if (node.name == nullptr) {
            continue;  // a dynamic node that was removed
        }
        if ((node.node_state & NODE_STATE_BASE) == NODE_STATE_FUTURE) {
            gathering.pass_over(node);
        } else {
            gathering.add_node(node);
        }
    }
    return gathering.finish();
}

}  // namespace hora::slurm
