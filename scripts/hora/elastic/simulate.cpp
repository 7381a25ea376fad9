// `hora simulate`: when would the jobs of a trace end under each policy?
#include "scripts/hora/elastic/simulate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/quantity.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/trace/node_types.hpp"
#include "libplanner/report/jobs/simulation.hpp"
#include "scripts/hora/command/atomic_file.hpp"
#include "scripts/hora/command/html_file.hpp"
#include "scripts/hora/command/input.hpp"
#include "scripts/hora/elastic/policy_options.hpp"
#include "scripts/hora/elastic/policy_runs.hpp"
#include "scripts/hora/elastic/simulated_jobs.hpp"

namespace hora::scripts {
namespace {

struct Options : PolicyOptions {
    JobSource source;
    std::uint64_t nodes = 0;
    std::uint64_t gpus_per_node = 0;
    std::vector<std::string> node_types;
    double round = 0;
    bool charges_start = false;
    domain::Link network = sim::Setup{}.network;
    std::string shared_fits = "on";
    std::string jobs_csv;
};

sim::Setup setup_of(const Options& options, std::vector<domain::NodeType> types) {
    return {.nodes = static_cast<std::uint32_t>(options.nodes),
            .gpus_per_node = static_cast<std::uint32_t>(options.gpus_per_node),
            .types = std::move(types),
            .rescale = Seconds(options.rescale),
            .round = Seconds(options.round),
            .charges_start = options.charges_start,
            .play = options.play_kind(),
            .cooldown = Seconds(options.cooldown),
            .limits = options.limits(),
            .knowledge = options.knowledge_kind(),
            .shares_fits = options.shared_fits == "on",
            .network = options.network,
            .seed = options.seed};
}

// As typed; empty where the jobs are of a trace.
std::string mix_of(const JobSource& source) {
    return source.generator.empty() ? std::string()
                                    : fmt::format("{}", fmt::join(source.mixes, ","));
}

// "2 nodes of 4 GPUs", or "16 nodes of 4 GPUs of type t4, 4 nodes of 8 GPUs of type a100"
std::string nodes_text(const sim::Setup& setup) {
    const auto text_of = [](std::uint32_t nodes, std::uint32_t gpus) {
        return fmt::format("{} of {}", counted(nodes, "node"), counted(gpus, "GPU"));
    };
    std::vector<std::string> texts;
    for (const domain::NodeType& type : setup.types) {
        texts.push_back(text_of(type.nodes, type.gpus_per_node) + " of type " + type.name);
    }
    return texts.empty() ? text_of(setup.nodes, setup.gpus_per_node)
                         : fmt::format("{}", fmt::join(texts, ", "));
}

// The charts are of the first set of jobs.
report::Page page_of(const Options& options, const report::SimulationView& view) {
    report::Page page;
    page.title = "Simulation of " + (options.source.trace.empty()
                                         ? "synthetic jobs by " + options.source.generator
                                         : input_name(options.source.trace));
    page.about = {
        fmt::format("{}; {}; a rescale takes {:g} s; {} knowledge of the speeds; seed {}.",
                    nodes_text(view.setup), report::users_text(view), options.rescale,
                    options.knowledge, options.seed)};
    if (!view.mix.empty()) {
        page.about.push_back(fmt::format("Synthetic jobs of the mix {}.", view.mix));
    }
    if (!view.sizes.empty() && report::has_elastic(view)) {
        page.about.push_back(fmt::format("Elastic jobs keep to the sizes {}.", view.sizes));
    }
    if (view.sets.size() > 1) {
        page.about.push_back(
            fmt::format("The page shows the first of {} sets of jobs.", view.sets.size()));
    }
    for (const report::PolicyRun& run : view.runs) {
        const sim::Result& result = run.results.front();
        page.runs.push_back({result, report::job_labels(view.setup, view.sets.front(), result)});
        page.runs.back().result.policy = run.policy;
    }
    return page;
}

// None where all nodes are alike.
Expected<std::vector<domain::NodeType>> node_types_of(const Options& options) {
    const bool says_nodes = options.nodes > 0;
    const bool says_gpus = options.gpus_per_node > 0;
    if (options.node_types.empty()) {
        if (says_nodes && says_gpus) {
            return std::vector<domain::NodeType>();
        }
        return wrong_use(says_nodes  ? "--nodes needs --gpus-per-node"
                         : says_gpus ? "--gpus-per-node needs --nodes"
                                     : "no cluster given; say --nodes N --gpus-per-node G, or "
                                       "--node-type NAME=NODESxGPUS");
    }
    if (says_nodes || says_gpus) {
        return wrong_use(fmt::format("--node-type and --{} exclude each other",
                                     says_nodes ? "nodes" : "gpus-per-node"));
    }
    if (!options.source.generator.empty()) {
        return wrong_use(
            "--node-type needs --trace, whose jobs name types; for synthetic jobs say --nodes and "
            "--gpus-per-node");
    }
    auto types = read::read_node_types(options.node_types);
    return types ? types : unexpected(types.error().within("--node-type"));
}

// A link in its place is replaced, and not what it points to.
std::filesystem::path place_of(const std::filesystem::path& file) {
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    std::error_code error;
    const std::filesystem::path place = std::filesystem::weakly_canonical(folder, error);
    return (error ? folder : place) / file.filename();
}

Expected<void> check_outputs(const Options& options) {
    struct File {
        std::string_view option;
        const std::string& path;
    };
    const File inputs[] = {{"--trace", options.source.trace}, {"--speeds", options.source.speeds}};
    const File outputs[] = {{"--html", options.html}, {"--jobs-csv", options.jobs_csv}};
    const auto are_both = [](const File& one, const File& other) {
        return wrong_use(fmt::format("{} and {} are both {}; give each its own file", one.option,
                                     other.option, read::quoted(other.path)));
    };
    for (const File& output : outputs) {
        for (const File& input : inputs) {
            std::error_code error;  // of a file that is not there yet
            if (std::filesystem::equivalent(output.path, input.path, error)) {
                return are_both(input, output);
            }
        }
    }
    const bool has_both = !options.html.empty() && !options.jobs_csv.empty();
    return has_both && place_of(options.html) == place_of(options.jobs_csv)
               ? are_both(outputs[0], outputs[1])
               : Expected<void>();
}

Expected<Exit> run(const Options& options) {
    if (const auto distinct = check_outputs(options); !distinct) {
        return unexpected(distinct.error());
    }
    const auto policies = chosen_policies(options.policies);
    if (!policies) {
        return unexpected(policies.error());
    }
    auto types = node_types_of(options);
    if (!types) {
        return unexpected(types.error());
    }
    const sim::Setup setup = setup_of(options, *std::move(types));
    // Each synthetic job has a time for every number of GPUs that it could have.
    constexpr std::uint32_t most_drawn_for = 100'000;
    if (!options.source.generator.empty() && setup.gpus() > most_drawn_for) {
        return wrong_use(fmt::format("--generator draws jobs for at most {}, not {}",
                                     counted(most_drawn_for, "GPU"), setup.gpus()));
    }
    const auto jobs = simulated_jobs(options.source, setup);
    if (!jobs) {
        return unexpected(jobs.error());
    }
    if (jobs->sets.front().jobs.empty()) {
        return Exit::nothing_fits;
    }
    const auto runs = run_policies(*policies, jobs->sets, setup);
    if (!runs) {
        return unexpected(runs.error());
    }
    const report::SimulationView view{
        .setup = setup,
        .sets = jobs->sets,
        .runs = *runs,
        .refused = jobs->refused,
        .mix = mix_of(options.source),
        .sizes = options.source.sizes,
        .users = options.source.users,
    };
    if (!options.jobs_csv.empty()) {
        if (const auto written = replace_file(options.jobs_csv, report::to_csv(view)); !written) {
            return unexpected(written.error());
        }
    }
    if (!options.html.empty()) {
        if (const auto written = write_html(page_of(options, view), options.html); !written) {
            return unexpected(written.error());
        }
    }
    print_data(options.is_json ? report::to_json(view) : report::to_table(view));
    return Exit::done;
}

void add_job_options(CLI::App& command, Options& options) {
    command
        .add_option("--trace", options.source.trace,
                    "The jobs: a table whose first line names columns")
        ->type_name("FILE")
        ->check(&not_empty);
    command
        .add_option("--speeds", options.source.speeds,
                    "Step times of the trace's applications by number of GPUs")
        ->type_name("FILE")
        ->check(&not_empty)
        ->needs("--trace");
    command
        .add_option("--generator", options.source.generator, "Draw jobs in place of a trace: p5")
        ->type_name("NAME")
        ->check(one_of({"p5"}));
    command
        .add_option("--mix", options.source.mixes,
                    "Of micro, small, medium and large jobs: a name (p5, micro, p5-1 to p5-4, "
                    "micro-1 to micro-4) or four shares")
        ->type_name("MIX")
        ->delimiter(',')
        ->default_str("p5")
        ->needs("--generator");
    command.add_option("--sets", options.source.sets, "Sets of jobs to draw of each mix")
        ->type_name("N")
        ->transform(count_up_to(10'000))
        ->capture_default_str()
        ->needs("--generator");
    command.add_option("--jobs", options.source.jobs, "Jobs of a set")
        ->type_name("N")
        ->transform(count_up_to(100'000))
        ->capture_default_str()
        ->needs("--generator");
    command
        .add_option("--mean-arrival-seconds", options.source.mean_arrival,
                    "Mean time between two submissions")
        ->type_name("S")
        ->check(number_between(0, 1e9))
        ->capture_default_str()
        ->needs("--generator");
    command
        .add_option("--sizes", options.source.sizes,
                    "Numbers of GPUs that elastic jobs take: any, powers, nodes, or a list")
        ->type_name("WHICH")
        ->check(&not_empty);
}

void add_share(CLI::App& command, const char* name, double& share, const char* help) {
    command.add_option(name, share, help)
        ->type_name("SHARE")
        ->check(number_between(0, 1))
        ->capture_default_str();
}

void add_user_options(CLI::App& command, Options& options) {
    sim::UserInput& users = options.source.users;
    add_share(command, "--elastic-share", users.elastic_share,
              "So many of the jobs that could be are elastic; the others keep to their requests");
    add_share(command, "--yield-share", users.yield_share,
              "So many of the elastic jobs give up GPUs of their own requests for others too");
    add_share(command, "--suspend-share", users.suspend_share,
              "So many of the elastic jobs may be suspended for shorter ones");
    command
        .add_option_function<std::string>(
            "--limit",
            [&options](const std::string& text) {
                options.source.users.limit = text == "none" ? std::nullopt : number_in(text);
            },
            "Time limit of jobs without one, times what they take on their requests; or none")
        ->type_name("FACTOR")
        ->check([](const std::string& text) {
            return text == "none" || number_between(1, 1e6)(text).empty()
                       ? std::string()
                       : read::quoted(text) + " is neither none nor a number from 1 to 1000000";
        })
        ->default_str("3");
    command
        .add_flag("--any-batch", users.any_batch,
                  "Elastic jobs train with any batch that the speeds have of their application")
        ->needs("--speeds");
    command
        .add_option("--stated-error", options.source.users.stated_error,
                    "Owners state their epochs wrongly: standard deviation of the logarithm")
        ->type_name("DEVIATION")
        ->check(number_between(0, 3))
        ->capture_default_str();
}

void add_fits_option(CLI::App& command, Options& options) {
    command
        .add_option("--shared-fits", options.shared_fits,
                    "Does what one job measures serve others of its application: on or off")
        ->type_name("WHETHER")
        ->check(one_of({"on", "off"}))
        ->capture_default_str();
}

void add_network_option(CLI::App& command, Options& options) {
    command
        .add_option_function<std::string>(
            "--network",
            [&options](const std::string& text) {
                options.network.bandwidth = *read::parse_quantity<Bandwidth>(text);
            },
            "Bandwidth between two nodes, by which gradients are thought to travel")
        ->type_name("BANDWIDTH")
        ->check([](const std::string& text) {
            const auto bandwidth = read::parse_quantity<Bandwidth>(text);
            return bandwidth ? std::string() : bandwidth.error().message;
        })
        ->default_str(read::format_quantity(options.network.bandwidth))
        ->needs("--speeds");
}

void add_cluster_options(CLI::App& command, Options& options) {
    command.add_option("--nodes", options.nodes, "Nodes of the cluster")
        ->type_name("N")
        ->transform(count_up_to(100'000));
    command.add_option("--gpus-per-node", options.gpus_per_node, "GPUs of each node")
        ->type_name("G")
        ->transform(count_up_to(1'000));
    command
        .add_option("--node-type", options.node_types,
                    "In place of both, for each type: its nodes, and the GPUs of each; jobs name "
                    "theirs in a column gpu_type")
        ->type_name("NAME=NODESxGPUS")
        ->delimiter(',')
        ->take_all()
        ->check(&not_empty);
    add_network_option(command, options);
    add_fits_option(command, options);
    add_rescale_option(command, options);
    command.add_flag("--charge-start", options.charges_start,
                     "The first start costs as much as a restart");
    command
        .add_option("--round-seconds", options.round,
                    "Decide at multiples of this only, 0.001 at least; 0: at every event")
        ->type_name("S")
        ->check(zero_or_between(sim::shortest_round.count(), 1e6))
        ->capture_default_str();
}

}  // namespace

void add_simulate_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command =
        app.add_subcommand("simulate", "Play a trace of jobs through the policies");
    add_job_options(*command, *options);
    add_user_options(*command, *options);
    add_cluster_options(*command, *options);
    add_policy_options(*command, *options);
    command->add_option("--jobs-csv", options->jobs_csv, "Write a row for each job")
        ->type_name("FILE")
        ->check(&file_beside_stdout);
    add_output_options(*command, *options);
    command->callback([&outcome, options, command] {
        remark_on_ignored(*command, *options);
        if (command->count("--shared-fits") > 0 &&
            options->knowledge_kind() == sim::KnowledgeKind::oracle) {
            print_remark("--shared-fits is ignored: --knowledge oracle measures nothing");
        }
        if (options->source.mixes.empty()) {
            options->source.mixes = {"p5"};
        }
        const Expected<Exit> exit = run(*options);
        outcome.exit = exit ? *exit : report(exit.error());
    });
}

}  // namespace hora::scripts
