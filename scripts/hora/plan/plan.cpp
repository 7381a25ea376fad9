// `hora plan`: where would a job run, and why there?
// Settings read: snapshot.path, plan.*, cost.*, network.*, [gpu.NAME].
#include "scripts/hora/plan/plan.hpp"

#include "config.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "libplanner/cost/correction.hpp"
#include "libplanner/cost/formats.hpp"
#include "libplanner/cost/late_rank.hpp"
#include "libplanner/cost/measured_table.hpp"
#include "libplanner/model/workload.hpp"
#include "libplanner/plan/choose.hpp"
#include "libplanner/plan/request.hpp"
#include "libplanner/plan/whole_nodes.hpp"
#include "libplanner/read/quantity.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/settings/job_options.hpp"
#include "libplanner/report/plan/late_rank.hpp"
#include "libplanner/report/plan/plan.hpp"
#include "scripts/hora/command/input.hpp"
#include "scripts/hora/plan/plan_submission.hpp"
#include "scripts/hora/site/cluster_source.hpp"
#include "scripts/hora/site/site.hpp"
#ifdef HAVE_SLURM
#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/tres.hpp"
#endif

namespace hora::scripts {
namespace {

struct Options {
    std::map<std::string, std::string> of_job;  // by name, as --hora-... options have it
    std::string cluster;
    std::optional<std::uint32_t> max_gpus;
    std::optional<double> min_efficiency;
    std::optional<double> tolerance;
    std::optional<double> slowdown;
    std::optional<double> async_threshold;
    std::optional<std::uint64_t> sequence;
    std::string layout = "any";
    std::string exchange;
    std::string lateness;  // of a rank in a step
    bool has_no_overlap = false;
    bool is_json = false;
    SubmissionOptions submission;
};

constexpr std::string_view job_prefix = "hora-";

// Without --cluster: what submissions are planned on.
Expected<std::string> cluster_path(const Options& options, const read::Settings& settings) {
    if (!options.cluster.empty()) {
        return options.cluster;
    }
    const std::string& path = settings.get<std::string>("snapshot.path");
    if (::access(path.c_str(), F_OK) != 0) {
        return wrong_use(
            fmt::format("--cluster is required: there is no snapshot {} to use; say "
                        "--cluster FILE",
                        read::quoted(path)));
    }
    if (::access(path.c_str(), R_OK) != 0) {
        return wrong_use(
            fmt::format("--cluster is required: the snapshot {} is not for all at a site that "
                        "keeps jobs or accounts private; say --cluster FILE",
                        read::quoted(path)));
    }
    print_remark("using the snapshot " + read::quoted_path(path));
    return path;
}

// The table's messages name the options of sbatch.
Error as_typed(Error error) {
    constexpr std::string_view typed = "--hora-";
    for (std::size_t at = 0; (at = error.message.find(typed)) != std::string::npos;) {
        error.message.erase(at + 2, job_prefix.size());
    }
    return error;
}

Expected<domain::JobOptions> job_options_of(const Options& options) {
    domain::JobOptions job;
    for (const auto& [name, value] : options.of_job) {
        if (value.empty()) {
            continue;
        }
        // A job that may run anywhere has no use for one GPU alone; a plan by hand has.
        if (name == "hora-mode" && value == "independent") {
            job.mode = domain::Mode::independent;
            continue;
        }
        if (const auto set = read::set_job_option(job, name, value); !set) {
            return unexpected(as_typed(set.error()));
        }
    }
    if (!job.model) {
        return wrong_use("no model given; say --model NAME or --model FILE");
    }
    if (!job.batch) {
        return wrong_use("no batch given; say --batch N, the samples of one step of all GPUs");
    }
    if (job.max_batch) {
        return wrong_use(
            "--batch: a plan is for one batch; give one number, the smallest of the job's");
    }
    if (const auto checked = read::check_job_options(job); !checked) {
        return unexpected(as_typed(checked.error()));
    }
    return job;
}

// The ring of --allreduce stays.
Expected<void> apply_exchange(domain::Request& request, const std::string& exchange,
                              const domain::JobOptions& job) {
    const auto& exchanges = domain::exchange_names;
    const auto named = std::ranges::find(exchanges, exchange);
    if (named == std::end(exchanges)) {
        return {};
    }
    const auto kind = static_cast<domain::Exchange>(named - std::begin(exchanges));
    if (!job.allreduce || !domain::is_horas(*job.allreduce)) {
        request.cost.exchange = kind;
    } else if (kind != domain::Exchange::automatic && kind != domain::Exchange::ring) {
        return wrong_use(fmt::format(
            "--exchange={}: --allreduce=ring and bypass exchange in a ring; leave one of them out",
            exchange));
    }
    return {};
}

Expected<void> apply(domain::Request& request, const Options& options,
                     const domain::JobOptions& job) {
    if (!job.gpus) {  // the site's limits are for jobs
        request.max_gpus = domain::unlimited_gpus;
        request.min_efficiency = 0;
    }
    request.max_gpus = std::min(request.max_gpus, options.max_gpus.value_or(request.max_gpus));
    request.min_efficiency = options.min_efficiency.value_or(request.min_efficiency);
    request.tolerance = options.tolerance.value_or(request.tolerance);
    request.slowdown = options.slowdown.value_or(request.slowdown);
    request.async_threshold = options.async_threshold.value_or(request.async_threshold);
    request.cost.overlap = request.cost.overlap && !options.has_no_overlap;
    // A hierarchy has as many GPUs on each node.
    request.layout = options.layout == "slurm" || request.accepts_hierarchy
                         ? domain::Layout::uniform
                         : domain::Layout::any;
    if (request.max_gpus < request.min_gpus) {
        return wrong_use("--max-gpus is below the least of --gpus; raise it or lower --gpus");
    }
    return apply_exchange(request, options.exchange, job);
}

// Nodes that the job gets only as a whole are chosen among nodes that are alike.
Expected<void> keep_nodes_whole(domain::Request& request, const domain::Cluster& cluster) {
    if (request.sizes.kind != domain::SizeRule::Kind::nodes) {
        return {};
    }
    request.layout = domain::Layout::uniform;
    request.gpus_per_node = plan::gpus_of_each_node(cluster);
    return request.gpus_per_node
               ? Expected<void>()
               : wrong_use(
                     "--sizes=nodes: the nodes have unequal numbers of GPUs; give a list, "
                     "e.g. --sizes=4,8,16");
}

// As the Slurm that Hora was built for reads them; without one as releases from 23.11 on do.
request::SpellGpus gpu_spelling() {
#ifdef HAVE_SLURM
    return slurm::gpu_spelling(slurm::this_version);
#else
    return [](std::string_view type, std::uint64_t count) {
        return fmt::format("gres/gpu{}{}:{}", type.empty() ? "" : ":", type, count);
    };
#endif
}

// What a submission cannot say: it is planned by the site's own settings.
Expected<void> check_for_submission(const Options& options) {
    const bool is_more = options.max_gpus || options.min_efficiency || options.tolerance ||
                         options.slowdown || options.async_threshold || !options.exchange.empty() ||
                         options.has_no_overlap || !options.lateness.empty() ||
                         options.layout != "any";
    return is_more ? wrong_use(
                         "a submission is planned by the site's settings: leave --max-gpus, "
                         "--min-efficiency, --tolerance, --slowdown, --async-threshold, "
                         "--exchange, --no-overlap, --lateness and --layout out, or " +
                         std::string(submission_option_names))
                   : Expected<void>();
}

Expected<Exit> plan_as_submitted(const Options& options, const read::Settings& settings) {
    if (const auto checked = check_for_submission(options); !checked) {
        return unexpected(checked.error());
    }
    const auto path = cluster_path(options, settings);
    if (!path) {
        return unexpected(path.error());
    }
    return plan_submission({.site = options.submission,
                            .job = options.of_job,
                            .sequence = options.sequence,
                            .spell = gpu_spelling(),
                            .is_json = options.is_json},
                           *path, settings)
        .map_error(as_typed);
}

Expected<std::optional<Seconds>> lateness_of(const Options& options) {
    if (options.lateness.empty()) {
        return std::nullopt;
    }
    const auto lateness = read::parse_quantity<Seconds>(options.lateness);
    if (!lateness) {
        return wrong_use(lateness.error().within("--lateness").message);
    }
    return std::optional(*lateness);
}

Expected<Exit> plan(const Options& options) {
    const auto job = job_options_of(options);
    const auto settings = load_settings();
    if (!job || !settings) {
        return unexpected(!job ? job.error() : settings.error());
    }
    if (options.submission.are_given()) {
        return plan_as_submitted(options, *settings);
    }
    const auto lateness = lateness_of(options);
    if (!lateness) {
        return unexpected(lateness.error());
    }
    const auto network = read_network(*job->model, options.sequence);
    if (!network) {
        return unexpected(network.error());
    }
    std::vector<domain::MeasuredSpeed> measured;
    auto cluster = cluster_path(options, *settings).and_then([&](const std::string& path) {
        return load_cluster(path, *settings, &measured);
    });
    if (!cluster) {
        return unexpected(cluster.error());
    }
    const domain::Workload workload = model::to_workload(*network, job->data_type);
    domain::Request request = plan::request_of(*job, workload, *settings);
    if (const auto applied = apply(request, options, *job).and_then([&] {
            return keep_nodes_whole(request, *cluster);
        });
        !applied) {
        return unexpected(applied.error());
    }
    const std::string key = cost::model_key(request.model);
    const cost::Corrections corrections = cost::corrections_of(measured, ::getuid(), key, *cluster);
    cost::apply(corrections, *cluster);
    cost::apply(cost::overheads_of(measured, ::getuid(), key, *cluster), *cluster);
    request.cost.exchange_factor =
        cost::exchange_factor(corrections, measured, ::getuid(), key, *cluster);
    domain::Plan chosen = plan::choose(request, *cluster);
    for (const domain::DeviceUse& use : chosen.devices) {
        chosen.correction = chosen.correction ? chosen.correction : corrections[use.device];
    }
    if (!*lateness) {
        chosen.lateness = cost::expected_lateness(chosen, measured, ::getuid(), key, *cluster,
                                                  request.cost.exchange_factor);
    }
    const cost::PlannedExchange exchange{
        .factor = request.cost.exchange_factor,
        .was_measured = cost::has_exchanged(measured, ::getuid(), key, *cluster),
        .may_bypass = job->allreduce && domain::is_horas(*job->allreduce)};
    if (const auto late =
            *lateness ? cost::step_with_late_rank(chosen, **lateness, exchange) : std::nullopt) {
        print_data(options.is_json ? report::to_json(chosen, *cluster, *late)
                                   : report::to_table(chosen, *cluster, *late));
    } else {
        print_data(options.is_json ? report::to_json(chosen, *cluster)
                                   : report::to_table(chosen, *cluster));
    }
    if (const std::string remark = cost::format_remark(workload, chosen, *cluster);
        !remark.empty()) {
        print_remark(remark);
    }
    return chosen.fits() ? Exit::done : Exit::nothing_fits;
}

// Switches, how long the job would wait, what launches its program, what asks it for a checkpoint,
// and what other batches than the one of a plan go by.
bool means_nothing_to_a_plan(const read::JobOption& option) {
    return option.argument.empty() || option.name == "hora-wait" || option.name == "hora-launch" ||
           option.name == "hora-noise-scale" || option.name == "hora-signal";
}

// Options of the job are those of sbatch, without their prefix.
void add_job_options(CLI::App& command, Options& options) {
    for (const read::JobOption& option : read::job_options()) {
        if (means_nothing_to_a_plan(option)) {
            continue;
        }
        const std::string name(option.name);
        command
            .add_option("--" + name.substr(job_prefix.size()), options.of_job[name],
                        std::string(option.help))
            ->type_name(option.name == "hora-batch" ? "N" : std::string(option.argument))
            ->check(&not_empty);
    }
}

}  // namespace

void add_plan_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command = app.add_subcommand("plan", "Choose GPUs for a job, and say why");
    add_job_options(*command, *options);
    command
        ->add_option("--cluster", options->cluster,
                     "A cluster file (.toml) or a snapshot; without it the site's snapshot")
        ->type_name("FILE")
        ->check(&not_empty);
    command->add_option("--max-gpus", options->max_gpus, "Most GPUs")
        ->transform(count_up_to(domain::unlimited_gpus))
        ->type_name("N");
    command
        ->add_option("--min-efficiency", options->min_efficiency,
                     "What each further GPU must add, 1 being its full speed")
        ->check(number_between(0, 1))
        ->type_name("E");
    command
        ->add_option(
            "--tolerance", options->tolerance,
            "Objective time: how much slower than the fastest is as good, if it is cheaper")
        ->check(number_between(0, 1))
        ->type_name("X");
    command
        ->add_option("--slowdown", options->slowdown,
                     "Objective efficiency: how much slower than the fastest")
        ->check(number_between(0, 100))
        ->type_name("X");
    command
        ->add_option("--async-threshold", options->async_threshold,
                     "Variation of the members' rates above which async replaces sync")
        ->check(number_between(0, 100))
        ->type_name("X");
    command->add_option("--sequence", options->sequence, "Positions of one sample")
        ->transform(count_up_to(most_count))
        ->type_name("N");
    command
        ->add_option("--layout", options->layout, "Any set of GPUs, or slurm: as many on each node")
        ->type_name("WHICH")
        ->check(one_of({"any", "slurm"}))
        ->capture_default_str();
    command
        ->add_option("--exchange", options->exchange,
                     "How gradients travel: auto, ring, tree or server")
        ->type_name("HOW")
        ->check(one_of({"auto", "ring", "tree", "server"}));
    command
        ->add_option("--lateness", options->lateness,
                     "Price a step in which one rank is late by so much")
        ->type_name("TIME")
        ->check(&not_empty);
    add_submission_options(*command, options->submission);
    command->add_flag("--no-overlap", options->has_no_overlap,
                      "Gradients travel after the backward pass only");
    command->add_flag("--json", options->is_json, "Print one JSON object");
    command->callback([&outcome, options] {
        const Expected<Exit> exit = plan(*options);
        outcome.exit = exit ? *exit : report(exit.error());
    });
}

}  // namespace hora::scripts
