// `hora replay`: what would have become of a site's own jobs if some had been elastic?
#include "scripts/hora/elastic/replay.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/base/nearest.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/sacct.hpp"
#include "libplanner/report/jobs/replay.hpp"
#include "libplanner/sim/replay.hpp"
#include "libplanner/sim/simulate.hpp"
#include "scripts/hora/command/html_file.hpp"
#include "scripts/hora/command/input.hpp"
#include "scripts/hora/elastic/policy_options.hpp"
#include "scripts/hora/elastic/policy_runs.hpp"

namespace hora::scripts {
namespace {

struct Options : PolicyOptions {
    std::string sacct;
    std::string partition;
    std::uint64_t nodes = 0;
    std::uint64_t gpus_per_node = 0;
    std::vector<double> shares;
    double doubling = 1.7;
    double range = 4;
};

constexpr std::size_t most_accounting = std::size_t{1} << 30;

Error unknown_partition(const std::string& name, const read::Accounting& accounting) {
    constexpr std::size_t most = 20;
    std::vector<std::string_view> names(accounting.partitions.begin(), accounting.partitions.end());
    const std::string guess = did_you_mean(name, names);
    const bool has_more = names.size() > most;
    names.resize(std::min(names.size(), most));
    return {fmt::format("no job is of partition {}; there are jobs of {}{}{}", read::quoted(name),
                        fmt::join(names, ", "), has_more ? ", ..." : "", guess),
            ErrorKind::wrong_use};
}

Expected<read::Accounting> read_accounting(const Options& options) {
    const std::string where = input_name(options.sacct);
    const auto text = read_input(options.sacct, most_accounting);
    if (!text) {
        return unexpected(text.error());
    }
    auto accounting = read::read_sacct(*text, options.partition);
    if (!accounting) {
        return unexpected(accounting.error().within(where));
    }
    if (!options.partition.empty() && !accounting->partitions.contains(options.partition)) {
        return unexpected(unknown_partition(options.partition, *accounting).within(where));
    }
    if (accounting->jobs.empty()) {
        return wrong_use(fmt::format(
            "{}: no job held a GPU{}; is AllocTRES there, and gres/gpu in AccountingStorageTRES?",
            where,
            options.partition.empty() ? std::string()
                                      : " in partition " + read::quoted(options.partition)));
    }
    return accounting;
}

sim::Setup setup_of(const Options& options, const std::vector<domain::AccountedJob>& jobs) {
    const sim::ClusterSize inferred = sim::smallest_cluster(jobs);
    sim::Setup setup;
    setup.nodes = options.nodes > 0 ? static_cast<std::uint32_t>(options.nodes) : inferred.nodes;
    setup.gpus_per_node = options.gpus_per_node > 0
                              ? static_cast<std::uint32_t>(options.gpus_per_node)
                              : inferred.gpus_per_node;
    setup.rescale = Seconds(options.rescale);
    setup.seed = options.seed;
    setup.play = options.play_kind();
    setup.cooldown = Seconds(options.cooldown);
    setup.limits = options.limits();
    setup.knowledge = options.knowledge_kind();
    if (options.nodes == 0) {
        print_remark(
            fmt::format("taken for the cluster: {} x {}, the most that were in use at once; say "
                        "--nodes and --gpus-per-node if there are more",
                        setup.nodes, counted(setup.gpus_per_node, "GPU")));
    }
    return setup;
}

struct Played {
    std::vector<report::ReplayRow> rows;
    std::vector<report::PageRun> runs;  // only where a page is asked for
};

Expected<Played> play(const Options& options, const sim::Setup& setup,
                      const std::vector<domain::AccountedJob>& jobs) {
    const auto policies = chosen_policies(options.policies);
    if (!policies) {
        return unexpected(policies.error());
    }
    Played played;
    const auto add = [&](report::ReplayRow row, sim::Result result) {
        if (!options.html.empty()) {
            result.policy = row.elastic_share ? fmt::format("{}, {:g} % elastic", row.policy,
                                                            100 * *row.elastic_share)
                                              : row.policy;
            played.runs.push_back({std::move(result), {}});
            std::transform(jobs.begin(), jobs.end(), std::back_inserter(played.runs.back().labels),
                           [](const domain::AccountedJob& job) { return job.id; });
        }
        played.rows.push_back(std::move(row));
    };
    sim::Result past = sim::as_it_was(jobs, setup.gpus());
    report::ReplayRow past_row{past.policy, std::nullopt, sim::summarise(past)};
    add(std::move(past_row), std::move(past));
    for (const std::string& name : *policies) {
        const bool is_rigid = elastic::find_policy(name)->is_rigid;
        for (const double share : is_rigid ? std::vector<double>{0} : options.shares) {
            const sim::Assumptions assumptions{share, options.doubling, options.range,
                                               options.seed};
            const std::vector<domain::JobTrace> sets{
                sim::as_trace(jobs, assumptions, setup.gpus())};
            auto runs = run_policies({name}, sets, setup);
            if (!runs) {
                return unexpected(runs.error());
            }
            report::PolicyRun& run = runs->front();
            add({name, is_rigid ? std::nullopt : std::optional(share), run.summary},
                std::move(run.results.front()));
        }
    }
    return played;
}

Expected<void> write_page(const Options& options, const sim::Setup& setup,
                          std::vector<report::PageRun> runs) {
    report::Page page;
    page.title = "Replay of " + input_name(options.sacct);
    page.about = {
        fmt::format("{} of {}; elastic jobs are assumed to be {:g} times as fast on twice the GPUs "
                    "and to take from 1/{:g} to {:g} times those they had; a rescale takes {:g} s.",
                    counted(setup.nodes, "node"), counted(setup.gpus_per_node, "GPU"),
                    options.doubling, options.range, options.range, options.rescale)};
    page.runs = std::move(runs);
    return write_html(page, options.html);
}

// How many jobs are ignored, since the cluster never had so many GPUs.
std::size_t leave_out_refused(std::vector<domain::AccountedJob>& jobs, const sim::Setup& setup) {
    const std::size_t refused = std::erase_if(
        jobs, [&setup](const domain::AccountedJob& job) { return job.gpus > setup.gpus(); });
    if (refused > 0) {
        print_remark(fmt::format("{} ignored: more than the cluster's {}",
                                 counted_are(refused, "job"), counted(setup.gpus(), "GPU")));
    }
    return refused;
}

void warn_of_overuse(const std::vector<domain::AccountedJob>& jobs, const sim::Setup& setup) {
    if (const std::uint32_t most = sim::most_in_use(jobs); most > setup.gpus()) {
        print_remark(
            fmt::format("{} were in use at once, more than the {} of --nodes and --gpus-per-node: "
                        "\"as it was\" may have used more than 100 % of them",
                        counted(most, "GPU"), setup.gpus()));
    }
}

// Of the jobs that a member of theirs says so of.
std::size_t count_of(const std::vector<domain::AccountedJob>& jobs,
                     bool domain::AccountedJob::*is_so) {
    return static_cast<std::size_t>(std::count_if(
        jobs.begin(), jobs.end(), [&](const domain::AccountedJob& job) { return job.*is_so; }));
}

Expected<Exit> run(const Options& options) {
    if (options.nodes == 0 && options.gpus_per_node != 0) {
        return wrong_use("--gpus-per-node needs --nodes");
    }
    auto accounting = read_accounting(options);
    if (!accounting) {
        return unexpected(accounting.error());
    }
    std::vector<domain::AccountedJob>& jobs = accounting->jobs;
    const sim::Setup setup = setup_of(options, jobs);
    const std::size_t refused = leave_out_refused(jobs, setup);
    if (jobs.empty()) {
        return Exit::nothing_fits;
    }
    warn_of_overuse(jobs, setup);
    auto played = play(options, setup, jobs);
    if (!played) {
        return unexpected(played.error());
    }
    if (!options.html.empty()) {
        const auto written = write_page(options, setup, std::move(played->runs));
        if (!written) {
            return unexpected(written.error());
        }
    }
    const sim::Assumptions assumptions{0, options.doubling, options.range, options.seed};
    const report::ReplayView view{setup,
                                  assumptions,
                                  played->rows,
                                  jobs.size(),
                                  count_of(jobs, &domain::AccountedJob::is_part),
                                  accounting->without_gpus,
                                  accounting->never_ran,
                                  refused,
                                  count_of(jobs, &domain::AccountedJob::has_timed_out)};
    print_data(options.is_json ? report::to_json(view) : report::to_table(view));
    return Exit::done;
}

std::vector<double> each_once(const std::vector<double>& shares) {
    std::vector<double> once;
    for (const double share : shares) {
        if (std::find(once.begin(), once.end(), share) == once.end()) {
            once.push_back(share);
        }
    }
    return once;
}

void add_assumptions(CLI::App& command, Options& options) {
    command
        .add_option("--elastic-share", options.shares,
                    "Shares of the jobs to assume elastic, each in a row of its own")
        ->type_name("SHARE")
        ->delimiter(',')
        ->check(number_between(0, 1))
        ->default_str("0,0.25,0.5,1");
    command
        .add_option("--speedup", options.doubling,
                    "How many times as fast an elastic job is assumed to be on twice the GPUs")
        ->type_name("FACTOR")
        ->check(number_between(1, 2))
        ->capture_default_str();
    command
        .add_option("--range", options.range,
                    "An elastic job is assumed to take from 1/N to N times the GPUs that it had")
        ->type_name("N")
        ->check(number_between(1, 1000))
        ->capture_default_str();
    add_rescale_option(command, options);
}

void add_cluster(CLI::App& command, Options& options) {
    command.add_option("--partition", options.partition, "Only the jobs of this partition")
        ->type_name("NAME")
        ->check(&not_empty);
    command
        .add_option("--nodes", options.nodes,
                    "Nodes of the cluster; without it what the busiest moment needed")
        ->type_name("N")
        ->transform(count_up_to(100'000));
    command
        .add_option("--gpus-per-node", options.gpus_per_node,
                    "GPUs of each node; without it the most that a job had of one")
        ->type_name("G")
        ->transform(count_up_to(1'000));
}

}  // namespace

void add_replay_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command = app.add_subcommand(
        "replay", "What elastic jobs would have been worth on your own past jobs");
    command
        ->add_option("--sacct", options->sacct,
                     "What sacct --parsable2 printed, with its header; - is standard input")
        ->type_name("FILE")
        ->required()
        ->check(&not_empty);
    add_cluster(*command, *options);
    add_assumptions(*command, *options);
    add_policy_options(*command, *options);
    add_output_options(*command, *options);
    command->callback([&outcome, options, command] {
        remark_on_ignored(*command, *options);
        if (options->shares.empty()) {
            options->shares = {0, 0.25, 0.5, 1};
        }
        options->shares = each_once(options->shares);
        const Expected<Exit> exit = run(*options);
        outcome.exit = exit ? *exit : report(exit.error());
    });
}

}  // namespace hora::scripts
