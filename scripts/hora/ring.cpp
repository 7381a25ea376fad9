// `hora ring`: in which order will the GPUs of a job be linked, and were they?
// Settings read with --cluster: network.*, [gpu.NAME].
#include "scripts/hora/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libplanner/base/nearest.hpp"
#include "libplanner/plan/machine_difference.hpp"
#include "libplanner/plan/predicted_ring.hpp"
#include "libplanner/plan/ring_verdict.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/hostlist.hpp"
#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/nccl_dump.hpp"
#include "libplanner/read/nccl_log.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/topology.hpp"
#include "libplanner/report/machine_difference.hpp"
#include "libplanner/report/ring.hpp"
#include "libplanner/report/ring_verdict.hpp"
#include "libplanner/report/topology.hpp"
#include "libplanner/report/topology_svg.hpp"
#include "scripts/hora/cluster_source.hpp"
#include "scripts/hora/site.hpp"

namespace hora::scripts {
namespace {

constexpr std::uint32_t most_gpus_of_a_node = 4096;
constexpr std::size_t most_log = std::size_t{1} << 28;

struct Options {
    std::string topology;
    std::string cluster;
    std::string nodes;
    std::string gpus;
    std::string verify;
    bool is_json = false;
    bool is_svg = false;
};

using Indices = std::vector<std::uint32_t>;

// What --gpus names; none: all, up to `count`.
Expected<Indices> gpus_named(const Options& options, std::uint32_t count) {
    if (options.gpus.empty()) {
        Indices all(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            all[i] = i;
        }
        return all;
    }
    Indices gpus;
    for (std::string_view rest = options.gpus; !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const auto some = read::expand_ranges(rest.substr(0, end), most_gpus_of_a_node);
        if (!some || some->empty() || end + 1 == rest.size()) {
            return wrong_use(fmt::format("--gpus: {} is no list of GPUs, such as 0,1,4-7",
                                         read::quoted(options.gpus)));
        }
        gpus.insert(gpus.end(), some->begin(), some->end());
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::sort(gpus.begin(), gpus.end());
    const auto twice = std::adjacent_find(gpus.begin(), gpus.end());
    if (twice != gpus.end()) {
        return wrong_use(fmt::format("--gpus names GPU {} twice", *twice));
    }
    return gpus;
}

Expected<Indices> gpus_of(const domain::Topology& machine, const Options& options) {
    const auto count = static_cast<std::uint32_t>(machine.gpus.size());
    if (count == 0) {
        return wrong_use(fmt::format("{} has no GPU", read::quoted(options.topology)));
    }
    auto gpus = gpus_named(options, count);
    if (gpus && gpus->back() >= count) {
        return wrong_use(fmt::format("there is no GPU {}: {} has {}, counted from 0", gpus->back(),
                                     read::quoted(options.topology), count));
    }
    return gpus;
}

// The nodes that --nodes names, in that order; without it all that have GPUs.
Expected<Indices> nodes_of(const domain::Cluster& cluster, const Options& options) {
    Indices nodes;
    if (options.nodes.empty()) {
        for (const domain::Gpu& gpu : cluster.gpus) {
            if (nodes.empty() || nodes.back() != gpu.node) {
                nodes.push_back(gpu.node);
            }
        }
        return nodes;
    }
    const auto names = read::expand_hostlist(options.nodes);
    if (!names) {
        return unexpected(names.error().within("--nodes"));
    }
    std::map<std::string_view, std::uint32_t> known;
    std::vector<std::string_view> all;
    for (std::uint32_t i = 0; i < cluster.nodes.size(); ++i) {
        known.emplace(cluster.nodes[i].name, i);
        all.push_back(cluster.nodes[i].name);
    }
    std::vector<bool> is_named(cluster.nodes.size(), false);
    for (const std::string& name : *names) {
        const auto found = known.find(name);
        if (found == known.end()) {
            return wrong_use(
                fmt::format("unknown node {}{}", read::quoted(name), did_you_mean(name, all)));
        }
        if (is_named[found->second]) {
            return wrong_use(fmt::format("--nodes names {} twice", read::quoted(name)));
        }
        is_named[found->second] = true;
        nodes.push_back(found->second);
    }
    return nodes;
}

// Indices into Cluster::gpus, node by node.
Expected<Indices> gpus_of(const domain::Cluster& cluster, const Options& options) {
    const auto nodes = nodes_of(cluster, options);
    if (!nodes) {
        return unexpected(nodes.error());
    }
    std::vector<Indices> by_node(cluster.nodes.size());
    for (std::uint32_t i = 0; i < cluster.gpus.size(); ++i) {
        by_node[cluster.gpus[i].node].push_back(i);
    }
    Indices gpus;
    for (const std::uint32_t node : *nodes) {
        const auto count = static_cast<std::uint32_t>(by_node[node].size());
        const auto named = gpus_named(options, count);
        if (!named) {
            return unexpected(named.error());
        }
        for (const std::uint32_t gpu : *named) {
            if (gpu >= count) {
                return wrong_use(fmt::format("there is no GPU {} on node {}, which has {}", gpu,
                                             read::quoted(cluster.nodes[node].name), count));
            }
            gpus.push_back(by_node[node][gpu]);
        }
    }
    return gpus.empty() ? Expected<Indices>(wrong_use("these nodes have no GPU"))
                        : Expected<Indices>(std::move(gpus));
}

// Whether a communicator is over the GPUs that were asked for.
bool is_over(const plan::RingVerdict& verdict, const plan::RingFigures& asked) {
    const auto sorted = [](const plan::RingFigures& ring) {
        std::vector<std::pair<std::string, std::uint32_t>> stops;
        for (const plan::RingStop& stop : ring.stops) {
            stops.emplace_back(stop.node, stop.gpu);
        }
        std::sort(stops.begin(), stops.end());
        return stops;
    };
    return sorted(verdict.predicted) == sorted(asked);
}

constexpr std::string_view how_to_log =
    "run with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH on all ranks";

template <class Machines>
Expected<std::vector<plan::RingVerdict>> judge_all(const Options& options, std::string_view log,
                                                   const Machines& machines, const Indices& gpus) {
    const auto communicators = read::read_nccl_log(log);
    if (!communicators) {
        return unexpected(communicators.error());
    }
    const bool is_choice = !options.gpus.empty() || !options.nodes.empty();
    const plan::RingFigures asked = plan::figures_of(machines, gpus);
    std::vector<plan::RingVerdict> verdicts;
    bool has_rings = false;
    for (const read::NcclCommunicator& one : *communicators) {
        if (one.size < 2 || (one.rings.empty() && one.torn == 0)) {
            continue;
        }
        auto verdict = plan::judge(one, machines);
        if (!verdict) {
            return unexpected(verdict.error());
        }
        has_rings = has_rings || !verdict->found.empty();
        if (!is_choice || is_over(*verdict, asked)) {
            verdicts.push_back(*std::move(verdict));
        }
    }
    if (!has_rings) {
        return wrong_use(fmt::format("has no whole ring; {}", how_to_log));
    }
    if (verdicts.empty()) {
        return wrong_use(
            "has no communicator over exactly these GPUs; leave out --gpus and "
            "--nodes to see all");
    }
    return verdicts;
}

// What NCCL_TOPO_DUMP_FILE names holds no ring, but what NCCL builds its rings from.
Expected<Exit> verify_dump(const Options& options, std::string_view dump,
                           const domain::Topology& machine, const Indices& gpus) {
    const auto seen = read::read_nccl_dump(dump);
    if (!seen) {
        return unexpected(seen.error().within(options.verify));
    }
    const plan::MachineDifference difference = plan::compare(machine, gpus, *seen);
    print_data(options.is_json ? report::to_json(difference, machine)
                               : report::to_text(difference, machine));
    return difference.is_none() ? Exit::done : Exit::failed;
}

Expected<Exit> verify_dump(const Options& options, std::string_view, const domain::Cluster&,
                           const Indices&) {
    return wrong_use(fmt::format("{} is of one machine; say --topology in place of --cluster",
                                 read::quoted(options.verify)));
}

template <class Machines>
Expected<Exit> verify(const Options& options, const Machines& machines, const Indices& gpus) {
    const auto log = read::read_file(options.verify, most_log);
    if (!log) {
        return wrong_use(log.error().message);
    }
    const std::size_t start = log->find_first_not_of(" \t\r\n");
    if (start != std::string::npos && (*log)[start] == '<') {
        return verify_dump(options, *log, machines, gpus);
    }
    const auto verdicts = judge_all(options, *log, machines, gpus);
    if (!verdicts) {
        return unexpected(verdicts.error().within(options.verify));
    }
    print_data(options.is_json ? report::to_json(*verdicts) : report::to_text(*verdicts));
    const bool is_good =
        std::all_of(verdicts->begin(), verdicts->end(),
                    [](const plan::RingVerdict& verdict) { return verdict.is_good(); });
    return is_good ? Exit::done : Exit::failed;
}

template <class Machines>
Expected<Exit> predict(const Options& options, const Machines& machines) {
    const auto gpus = gpus_of(machines, options);
    if (!gpus) {
        return unexpected(gpus.error());
    }
    if (!options.verify.empty()) {
        return verify(options, machines, *gpus);
    }
    const plan::PredictedRing ring = plan::predict_ring(machines, *gpus);
    print_data(options.is_json ? report::to_json(ring) : report::to_table(ring));
    return Exit::done;
}

// Machine and ring together.
Expected<Exit> draw(const Options& options, const domain::Topology& machine) {
    const auto gpus = gpus_of(machine, options);
    if (!gpus) {
        return unexpected(gpus.error());
    }
    print_data(report::to_svg(machine, plan::predict_ring(machine, *gpus).best));
    return Exit::done;
}

Expected<Exit> run(const Options& options) {
    if (options.topology.empty() == options.cluster.empty()) {
        return wrong_use(options.topology.empty()
                             ? "no machine given; say --topology FILE or --cluster FILE"
                             : "--topology and --cluster exclude each other");
    }
    if (!options.topology.empty()) {
        if (!options.nodes.empty()) {
            return wrong_use("--nodes needs --cluster; a topology is of one machine");
        }
        const auto machine = read::read_topology(options.topology);
        if (!machine) {
            return unexpected(machine.error());
        }
        auto exit = options.is_svg ? draw(options, *machine) : predict(options, *machine);
        for (const std::string& remark : report::topology_remarks(*machine)) {
            if (exit) {
                fmt::print(stderr, "hora: {}\n", remark);
            }
        }
        return exit;
    }
    if (options.is_svg) {
        return wrong_use("--svg needs --topology; it draws one machine");
    }
    const auto settings = load_settings();
    if (!settings) {
        return unexpected(settings.error());
    }
    const auto cluster = load_cluster(options.cluster, *settings);
    return cluster ? predict(options, *cluster) : unexpected(cluster.error());
}

}  // namespace

void add_ring_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command =
        app.add_subcommand("ring", "Predict the ring over some GPUs, or check NCCL's against it");
    command
        ->add_option("--topology", options->topology,
                     "One machine: hwloc XML, or what 'hora topology --json' wrote")
        ->type_name("FILE");
    command->add_option("--cluster", options->cluster, "A cluster file (.toml) or a snapshot")
        ->type_name("FILE");
    command
        ->add_option("--nodes", options->nodes,
                     "Nodes of the cluster, the first one keeping rank 0; all without it")
        ->type_name("LIST");
    command->add_option("--gpus", options->gpus, "GPUs, as 0,1,4-7, on each node; all without it")
        ->type_name("LIST");
    command
        ->add_option(
            "--verify", options->verify,
            "What NCCL logged with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH, or the file "
            "that NCCL_TOPO_DUMP_FILE named")
        ->type_name("FILE");
    CLI::Option* const json =
        command->add_flag("--json", options->is_json, "Print one JSON object");
    command->add_flag("--svg", options->is_svg, "Draw the machine with this ring over it, as SVG")
        ->excludes(json)
        ->excludes("--verify");
    command->callback([&outcome, options] {
        const Expected<Exit> exit = run(*options);
        outcome.exit = exit ? *exit : report(exit.error());
    });
}

}  // namespace hora::scripts
