// `hora ring`: in which order will the GPUs of a job be linked, and were they?
// Settings read with --cluster: network.*, [gpu.NAME].
#include "scripts/hora/machine/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "libplanner/plan/ring/machine_difference.hpp"
#include "libplanner/plan/ring/predicted_ring.hpp"
#include "libplanner/plan/ring/ring_verdict.hpp"
#include "libplanner/read/cluster/topology.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/nccl/nccl_dump.hpp"
#include "libplanner/read/nccl/nccl_log.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/report/machine/machine_difference.hpp"
#include "libplanner/report/machine/ring.hpp"
#include "libplanner/report/machine/ring_verdict.hpp"
#include "libplanner/report/machine/topology.hpp"
#include "libplanner/report/svg/topology_svg.hpp"
#include "scripts/hora/machine/gpu_choice.hpp"
#include "scripts/hora/site/cluster_source.hpp"
#include "scripts/hora/site/site.hpp"

namespace hora::scripts {
namespace {

constexpr std::size_t most_log = std::size_t{1} << 28;

struct Options {
    std::string topology;
    std::string cluster;
    GpuChoice choice;
    std::string verify;
    bool is_json = false;
    bool is_svg = false;
};

using Indices = std::vector<std::uint32_t>;

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
    const bool is_choice = !options.choice.gpus.empty() || !options.choice.nodes.empty();
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
    const auto gpus = gpus_of(machines, options.choice);
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
    const auto gpus = gpus_of(machine, options.choice);
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
        if (!options.choice.nodes.empty()) {
            return wrong_use("--nodes needs --cluster; a topology is of one machine");
        }
        const auto machine = read::read_topology(options.topology);
        if (!machine) {
            return unexpected(machine.error());
        }
        auto exit = options.is_svg ? draw(options, *machine) : predict(options, *machine);
        for (const std::string& remark : report::topology_remarks(*machine)) {
            if (exit) {
                print_remark(remark);
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
                     "One machine: hwloc or NCCL XML, or what 'hora topology --json' wrote")
        ->type_name("FILE");
    command->add_option("--cluster", options->cluster, "A cluster file (.toml) or a snapshot")
        ->type_name("FILE");
    command
        ->add_option("--nodes", options->choice.nodes,
                     "Nodes of the cluster, the first one keeping rank 0; all without it")
        ->type_name("LIST")
        ->check(&not_empty);
    command
        ->add_option("--gpus", options->choice.gpus,
                     "GPUs, as 0,1,4-7, on each node; all without it")
        ->type_name("LIST")
        ->check(&not_empty);
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
