// `hora cluster snapshot` and `hora cluster show`: what does Slurm know of the machines?
// Settings read: snapshot.path, network.*, [gpu.NAME], [[node]].
#include "scripts/hora/site/cluster.hpp"

#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <string>

#include "libplanner/read/file.hpp"
#include "libplanner/read/state/snapshot.hpp"
#include "libplanner/report/plan/cluster.hpp"
#include "libplanner/report/plan/snapshot.hpp"
#include "plugins/slurm/collect/collect.hpp"
#include "plugins/slurm/messages.hpp"
#include "plugins/slurm/start.hpp"
#include "scripts/hora/command/atomic_file.hpp"
#include "scripts/hora/site/site.hpp"
#include "scripts/hora/site/site_privacy.hpp"
#include "scripts/hora/site/watch.hpp"

namespace hora::scripts {
namespace {

struct SnapshotOptions {
    std::string output;  // empty: the settings' snapshot.path; "-": stdout
    unsigned watch = 0;  // seconds between two snapshots, 0 = once
};

struct ShowOptions {
    std::string from;  // a snapshot file; empty: ask Slurm
    bool is_json = false;
};

// What hora.toml says.
struct Site {
    read::Settings settings;
    read::SiteNodes nodes;
};

Expected<Site> load_site() {
    auto settings = load_settings();
    auto nodes = settings ? load_site_nodes() : unexpected(settings.error());
    if (!nodes) {
        return unexpected(nodes.error());
    }
    return Site{*std::move(settings), *std::move(nodes)};
}

Expected<domain::Snapshot> ask_slurm(const Site& site) {
    const slurm::Patience patience(
        "hora: slurmctld did not answer in time; is it up ('scontrol ping'), and is SLURM_CONF "
        "right?\n");
    auto collected =
        slurm::collect({site.settings.devices(), read::network_link(site.settings), site.nodes},
                       static_cast<std::int64_t>(std::time(nullptr)));
    if (!collected) {
        return unexpected(collected.error());
    }
    for (const std::string& remark : collected->remarks) {
        print_remark(remark);
    }
    return std::move(collected->snapshot);
}

Expected<void> write_snapshot(const Site& site, const std::string& path) {
    auto snapshot = ask_slurm(site);
    if (!snapshot) {
        return unexpected(snapshot.error());
    }
    const std::string text = report::to_json(*snapshot);
    if (path == "-") {
        print_data(text);
        return {};
    }
    const auto configuration = slurm::load_configuration();
    if (!configuration) {
        return unexpected(configuration.error());
    }
    return replace_file(path, text, rights_of(StateFile::snapshot, privacy_of(**configuration)));
}

Exit run_snapshot(const SnapshotOptions& options) {
    const auto site = load_site();
    if (!site) {
        return report(site.error());
    }
    if (const auto started = slurm::start("hora"); !started) {
        return report(started.error());
    }
    const std::string path =
        options.output.empty() ? site->settings.get<std::string>("snapshot.path") : options.output;
    const auto write = [&] {
        const auto written = write_snapshot(*site, path);
        return written ? Exit::done : report(written.error());
    };
    // After a failure the next round tries again: the file keeps its age, by which its readers
    // judge it.
    return options.watch > 0 ? watch(Seconds(options.watch), write) : write();
}

Expected<domain::Snapshot> load_snapshot(const ShowOptions& options) {
    if (!options.from.empty()) {
        // The file's name is in the error of one that cannot be read.
        return read::read_file(options.from).and_then([&](const std::string& text) {
            return read::read_snapshot(text).map_error(
                [&](const Error& error) { return error.within(options.from); });
        });
    }
    const auto site = load_site();
    if (!site) {
        return unexpected(site.error());
    }
    if (const auto started = slurm::start("hora"); !started) {
        return unexpected(started.error());
    }
    return ask_slurm(*site);
}

Exit run_show(const ShowOptions& options) {
    const auto snapshot = load_snapshot(options);
    if (!snapshot) {
        return report(snapshot.error());
    }
    print_data(options.is_json ? report::cluster_json(*snapshot)
                               : report::cluster_table(*snapshot));
    return Exit::done;
}

}  // namespace

void add_cluster_commands(CLI::App& app, Outcome& outcome) {
    CLI::App* const cluster = app.add_subcommand("cluster", "What Slurm knows of the machines");
    cluster->require_subcommand(1);
    const auto snapshot = std::make_shared<SnapshotOptions>();
    CLI::App* const write = cluster->add_subcommand(
        "snapshot", "Write what submissions are planned on: nodes, GPUs, limits");
    write
        ->add_option("--output", snapshot->output,
                     "File to replace, - for stdout; default: the setting snapshot.path")
        ->type_name("FILE")
        ->check(&not_empty);
    write->add_option("--watch", snapshot->watch, "Write again and again, SECONDS apart")
        ->transform(count_up_to(86400))
        ->type_name("SECONDS");
    write->callback([&outcome, snapshot] { outcome.exit = run_snapshot(*snapshot); });

    const auto show = std::make_shared<ShowOptions>();
    CLI::App* const list = cluster->add_subcommand("show", "Show nodes, GPUs and what is free");
    list->add_option("--from", show->from, "A snapshot file in place of asking Slurm")
        ->type_name("FILE")
        ->check(&not_empty);
    list->add_flag("--json", show->is_json, "Print one JSON object");
    list->callback([&outcome, show] { outcome.exit = run_show(*show); });
}

}  // namespace hora::scripts
