// What does Slurm know of the cluster at this moment?
#include "plugins/slurm/collect/collect.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <utility>

#include "libplanner/read/slurm/gres_conf.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/slurm/collect/collect_limits.hpp"
#include "plugins/slurm/collect/collect_nodes.hpp"
#include "plugins/slurm/collect/topology_message.hpp"
#include "plugins/slurm/jobs/restart_name.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {
namespace {

using NodeNumbers = std::unordered_map<std::string, std::uint32_t>;

NodeNumbers number_nodes(const domain::Cluster& cluster) {
    NodeNumbers numbers;
    for (std::uint32_t i = 0; i < cluster.nodes.size(); ++i) {
        numbers.emplace(cluster.nodes[i].name, i);
    }
    return numbers;
}

// Nodes that the list of nodes does not have came or went between two calls.
Expected<std::vector<std::uint32_t>> nodes_of(const char* hostlist, const NodeNumbers& numbers) {
    std::vector<std::uint32_t> nodes;
    if (text_of(hostlist).empty()) {
        return nodes;
    }
    const auto names = read::expand_hostlist(hostlist);
    if (!names) {
        return unexpected(names.error());
    }
    for (const std::string& name : *names) {
        if (const auto found = numbers.find(name); found != numbers.end()) {
            nodes.push_back(found->second);
        }
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

std::optional<std::uint32_t> limit(std::uint32_t value) {
    return value == INFINITE || value == NO_VAL ? std::nullopt : std::optional(value);
}

// DefCpuPerGPU among the defaults for jobs; empty where it is not said.
std::optional<std::uint32_t> default_cpus_per_gpu(ListPointer defaults) {
    std::optional<std::uint32_t> cpus;
    for_each<const job_defaults_t>(defaults, [&](const job_defaults_t& one) {
        if (one.type == JOB_DEF_CPU_PER_GPU && one.value < NO_VAL16) {
            cpus = static_cast<std::uint32_t>(one.value);
        }
    });
    return cpus;
}

std::uint32_t fitted(std::uint64_t number) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, 0xffffffff));
}

// DefMemPerGPU, and DefMemPerCPU or DefMemPerNode, which share a field.
domain::DefaultMemory default_memory(ListPointer defaults, std::uint64_t by_cpu_or_node) {
    domain::DefaultMemory memory;
    for_each<const job_defaults_t>(defaults, [&](const job_defaults_t& one) {
        if (one.type == JOB_DEF_MEM_PER_GPU && one.value < NO_VAL64) {
            memory.per_gpu = fitted(one.value);
        }
    });
    if (by_cpu_or_node == 0 || by_cpu_or_node == NO_VAL64 || by_cpu_or_node == INFINITE64) {
        return memory;
    }
    if ((by_cpu_or_node & MEM_PER_CPU) != 0) {
        memory.per_cpu = fitted(by_cpu_or_node & ~MEM_PER_CPU);
    } else {
        memory.per_node = fitted(by_cpu_or_node);
    }
    return memory;
}

// As Slurm takes it: by the GPU where the partition or slurm.conf says that, else by what the
// partition says, else by slurm.conf.
domain::DefaultMemory in_force(const domain::DefaultMemory& own,
                               const domain::DefaultMemory& usual) {
    domain::DefaultMemory memory;
    memory.per_gpu = own.per_gpu ? own.per_gpu : usual.per_gpu;
    if (!memory.per_gpu) {
        const domain::DefaultMemory& others = own.per_cpu || own.per_node ? own : usual;
        memory.per_cpu = others.per_cpu;
        memory.per_node = others.per_node;
    }
    return memory;
}

// What slurm.conf says for the partitions that do not say it themselves.
struct JobDefaults {
    std::optional<std::uint32_t> cpus_per_gpu;
    domain::DefaultMemory memory;
    bool is_memory_allocated = false;
};

JobDefaults job_defaults_of(const slurm_conf_t& configuration) {
    return {
        .cpus_per_gpu = default_cpus_per_gpu(configuration.job_defaults_list),
        .memory = default_memory(configuration.job_defaults_list, configuration.def_mem_per_cpu),
        .is_memory_allocated = (configuration.select_type_param & select_memory) != 0};
}

Expected<void> collect_partitions(const partition_info_msg_t& list, const NodeNumbers& numbers,
                                  const JobDefaults& usual, domain::Snapshot& snapshot) {
    for (std::uint32_t i = 0; i < list.record_count; ++i) {
        const partition_info_t& given = list.partition_array[i];
        domain::Partition partition;
        partition.name = text_of(given.name);
        auto nodes = nodes_of(given.nodes, numbers);
        if (!nodes) {
            return unexpected(
                nodes.error().within(fmt::format("partition \"{}\"", partition.name)));
        }
        partition.nodes = *std::move(nodes);
        partition.is_up = given.state_up == PARTITION_UP;
        partition.is_default = (given.flags & PART_FLAG_DEFAULT) != 0;
        partition.max_nodes = limit(given.max_nodes);
        if (const auto minutes = limit(given.max_time)) {
            partition.max_time = Seconds(*minutes * 60.0);
        }
        partition.max_cpus_per_node = limit(given.max_cpus_per_node);
        const auto own_default = default_cpus_per_gpu(given.job_defaults_list);
        partition.default_cpus_per_gpu = own_default ? own_default : usual.cpus_per_gpu;
        if (usual.is_memory_allocated) {
            partition.default_memory = in_force(
                default_memory(given.job_defaults_list, given.def_mem_per_cpu), usual.memory);
        }
        partition.qos = text_of(given.qos_char);
        snapshot.partitions.push_back(std::move(partition));
    }
    return {};
}

Expected<void> collect_reservations(const reserve_info_msg_t& list, const NodeNumbers& numbers,
                                    Collected& collected) {
    for (std::uint32_t i = 0; i < list.record_count; ++i) {
        const reserve_info_t& given = list.reservation_array[i];
        if (text_of(given.name) == restart_reservation) {
            collected.has_restart_reservation = true;
            continue;  // over in a minute or two: nothing is planned around it
        }
        auto nodes = nodes_of(given.node_list, numbers);
        if (!nodes) {
            return unexpected(
                nodes.error().within(fmt::format("reservation \"{}\"", text_of(given.name))));
        }
        collected.snapshot.reservations.push_back({std::string(text_of(given.name)),
                                                   *std::move(nodes), given.start_time,
                                                   given.end_time});
    }
    return {};
}

// It stands beside slurm.conf, where the controller or this machine has that. A site may well do
// without.
read::GresConf load_gres_conf(const slurm_conf_t& configuration,
                              std::vector<std::string>& remarks) {
    const char* const own = std::getenv("SLURM_CONF");
    for (const std::string_view conf : {text_of(configuration.slurm_conf), text_of(own)}) {
        const std::string path = std::string(conf.substr(0, conf.rfind('/') + 1)) + "gres.conf";
        if (conf.empty() || ::access(path.c_str(), F_OK) != 0) {
            continue;
        }
        auto gres = read::read_gres_conf(path);
        if (!gres) {
            remarks.push_back(gres.error().message);
            return {};
        }
        remarks.insert(remarks.end(), gres->remarks.begin(), gres->remarks.end());
        return *std::move(gres);
    }
    return {};
}

// Puts a newer answer in the place of the one that is kept.
template <class Answer, class Load>
Expected<void> renew(Answer& kept, bool& is_new, Load load) {
    auto fresh = load(kept ? kept->last_update : 0);
    if (!fresh) {
        return unexpected(fresh.error());
    }
    if (*fresh != nullptr) {
        kept = *std::move(fresh);
        is_new = true;
    }
    return {};
}

// The bit that AccountingStorageEnforce=limits sets; its name is in no public header.
constexpr std::uint16_t enforces_limits = 0x0002;

// slurmctld does not say whether these have changed, and they may be many.
constexpr std::chrono::seconds limits_age{10};

// Where it does not say, what it is asked for may be slow, or a program to be started.
constexpr std::chrono::seconds topology_pause{60};

}  // namespace

Collector::Collector(SiteFacts site) : site_(std::move(site)) {}

Expected<bool> Collector::refresh(Clock::time_point now) {
    if (const auto asked = ask(now); !asked) {
        return unexpected(asked.error());
    }
    // Switches and gres.conf change with a `scontrol reconfigure`, which makes a new configuration.
    if (std::exchange(has_new_configuration_, false)) {
        gres_remarks_.clear();
        gres_ = load_gres_conf(*configuration_, gres_remarks_);
        topology_due_ = now;
        has_news_ = true;
    }
    if (topology_due_ && now >= *topology_due_) {
        has_news_ = refresh_topology(now) || has_news_;
    }
    return std::exchange(has_news_, false);
}

// An answer is news until a refresh() is good, as Slurm does not send it a second time.
Expected<void> Collector::ask(Clock::time_point now) {
    auto asked = renew(configuration_, has_new_configuration_, load_configuration);
    asked = asked ? renew(nodes_, has_news_, load_nodes) : asked;
    asked = asked ? renew(partitions_, has_news_, load_partitions) : asked;
    asked = asked ? renew(reservations_, has_news_, load_reservations) : asked;
    return asked ? refresh_limits(now) : asked;
}

bool Collector::refresh_topology(Clock::time_point now) {
    auto text = load_topology_text();
    topology_due_ = text ? std::nullopt : std::optional(now + topology_pause);
    std::string topology = text ? *std::move(text) : std::string();
    std::vector<std::string> remarks;
    const std::string_view plugin = text_of(configuration_->topology_plugin);
    const bool has_switches = plugin == "topology/tree" || plugin == "topology/block";
    std::string why;
    if (!text) {
        why = text.error().message;
    } else if (has_switches && topology.find("Name=") == std::string::npos) {
        why = fmt::format("TopologyPlugin={}, and Slurm names no switch", plugin);
    }
    if (!why.empty()) {
        remarks.push_back(
            fmt::format("the fabric is unknown: all nodes count as on one switch: {}", why));
    }
    const bool is_new = topology != topology_ || remarks != topology_remarks_;
    topology_ = std::move(topology);
    topology_remarks_ = std::move(remarks);
    return is_new;
}

Expected<void> Collector::refresh_limits(Clock::time_point now) {
    if ((configuration_->accounting_storage_enforce & enforces_limits) == 0) {
        limits_.reset();
        return {};
    }
    if (limits_ && now - limits_loaded_ < limits_age) {
        return {};
    }
    auto limits = load_limits();
    if (!limits) {
        return unexpected(limits.error());
    }
    limits_ = *std::move(limits);
    limits_loaded_ = now;
    has_news_ = true;
    return {};
}

Expected<Collected> Collector::collected(std::int64_t now) const {
    Collected collected;
    domain::Snapshot& snapshot = collected.snapshot;
    snapshot.cluster_name = text_of(configuration_->cluster_name);
    snapshot.written = now;
    collected.remarks = topology_remarks_;
    collected.remarks.insert(collected.remarks.end(), gres_remarks_.begin(), gres_remarks_.end());
    if (auto done = collect_nodes(*nodes_, topology_, site_, gres_, collected); !done) {
        return unexpected(done.error());
    }
    // No other way of selecting knows GPUs by socket.
    if (text_of(configuration_->select_type) != "select/cons_tres") {
        for (domain::NodeState& state : snapshot.states) {
            state.gpu_sockets.clear();
        }
    }
    const NodeNumbers numbers = number_nodes(snapshot.cluster);
    const JobDefaults usual = job_defaults_of(*configuration_);
    if (auto done = collect_partitions(*partitions_, numbers, usual, snapshot); !done) {
        return unexpected(done.error());
    }
    if (auto done = collect_reservations(*reservations_, numbers, collected); !done) {
        return unexpected(done.error());
    }
    if (limits_) {
        collect_limits(*limits_, collected);
    }
    return collected;
}

Expected<Collected> collect(const SiteFacts& site, std::int64_t now) {
    Collector collector(site);
    if (const auto asked = collector.refresh(Collector::Clock::now()); !asked) {
        return unexpected(asked.error());
    }
    return collector.collected(now);
}

}  // namespace hora::slurm
