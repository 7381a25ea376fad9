// How is the result of a simulation reported?
#include "libplanner/report/jobs/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "libplanner/base/counted.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/jobs/figures.hpp"

namespace hora::report {
namespace {

using nlohmann::ordered_json;

// What the others are compared with; none where there is nothing to compare.
const PolicyRun* run_of(const SimulationView& view, std::string_view policy) {
    const auto found = std::find_if(view.runs.begin(), view.runs.end(),
                                    [&](const PolicyRun& run) { return run.policy == policy; });
    return view.runs.size() < 2 || found == view.runs.end() ? nullptr : &*found;
}

// Each job beside itself on its own request, as Slurm would run it without Hora.
sim::Comparison compare(const SimulationView& view, const PolicyRun& run, const PolicyRun& rigid) {
    std::vector<sim::Comparison> sets;
    for (std::size_t set = 0; set < run.results.size(); ++set) {
        sets.push_back(sim::compare(run.results[set], rigid.results[set], view.sets[set]));
    }
    return sim::mean_of(sets);
}

// As parts of what first come, first served comes to.
struct Relation {
    double mean = 0;
    double makespan = 0;
};

// The mean over the sets of each set's relation, so that a set of long jobs counts no more than
// another.
Relation relate(const PolicyRun& run, const PolicyRun& base) {
    Relation relation;
    const double share = 1 / static_cast<double>(run.results.size());
    for (std::size_t set = 0; set < run.results.size(); ++set) {
        const sim::Summary own = sim::summarise(run.results[set]);
        const sim::Summary other = sim::summarise(base.results[set]);
        relation.mean += share * (own.mean_completion / other.mean_completion);
        relation.makespan += share * (own.makespan / other.makespan);
    }
    return relation;
}

// A field of a comma-separated file: what would break it is replaced.
std::string plain(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](unsigned char letter) { return letter == ',' || letter == '"' || letter < ' '; }, '_');
    return text;
}

// 0: there are no such jobs.
std::string ratio_text(double ratio) {
    return ratio > 0 ? fmt::format("{:.3f}", ratio) : "-";
}
ordered_json ratio_or_null(double ratio) {
    return ratio > 0 ? ordered_json(ratio) : ordered_json(nullptr);
}

std::size_t jobs_of(const SimulationView& view) {
    std::size_t jobs = 0;
    for (const domain::JobTrace& set : view.sets) {
        jobs += set.jobs.size();
    }
    return jobs;
}

std::size_t count_jobs(const SimulationView& view, bool domain::TraceJob::*is_one) {
    std::size_t count = 0;
    for (const domain::JobTrace& set : view.sets) {
        count += static_cast<std::size_t>(std::count_if(
            set.jobs.begin(), set.jobs.end(), [&](const auto& job) { return job.*is_one; }));
    }
    return count;
}

std::uint32_t nodes_of(const sim::Setup& setup) {
    std::uint32_t nodes = setup.types.empty() ? setup.nodes : 0;
    for (const domain::NodeType& type : setup.types) {
        nodes += type.nodes;
    }
    return nodes;
}

ordered_json types_json(std::span<const domain::NodeType> types) {
    ordered_json all = ordered_json::array();
    for (const domain::NodeType& type : types) {
        all.push_back(
            {{"name", type.name}, {"nodes", type.nodes}, {"gpus_per_node", type.gpus_per_node}});
    }
    return all;
}

// "2 x 4 GPUs", or "16 x 4 t4 GPUs and 4 x 8 a100 GPUs"
std::string cluster_text(const sim::Setup& setup) {
    std::string text = setup.types.empty() ? fmt::format("{} x {}", setup.nodes,
                                                         counted(setup.gpus_per_node, "GPU"))
                                           : std::string();
    for (const domain::NodeType& type : setup.types) {
        const bool is_last = &type == &setup.types.back();
        const char* const before = text.empty() ? "" : is_last ? " and " : ", ";
        text += fmt::format("{}{} x {} {} GPU{}", before, type.nodes, type.gpus_per_node, type.name,
                            plural(type.gpus_per_node));
    }
    return text;
}

void add_runs(ordered_json& object, const SimulationView& view) {
    const PolicyRun* const base = run_of(view, "fcfs");
    const PolicyRun* const rigid = run_of(view, "backfill");
    if (view.runs.size() == 1) {
        object["policy"] = view.runs.front().policy;
        add_figures(object, view.runs.front().summary);
    } else {
        ordered_json& all = object["policies"] = ordered_json::array();
        for (const PolicyRun& run : view.runs) {
            ordered_json& one = all.emplace_back(ordered_json{{"policy", run.policy}});
            add_figures(one, run.summary);
            if (base != nullptr) {
                const Relation relation = relate(run, *base);
                one["mean_jct_of_fcfs"] = relation.mean;
                one["makespan_of_fcfs"] = relation.makespan;
            }
            if (rigid != nullptr) {
                const sim::Comparison beside = compare(view, run, *rigid);
                one["later_than_backfill"] =
                    beside.latest > 0 ? ordered_json(beside.later) : ordered_json(nullptr);
                one["latest_of_backfill"] = ratio_or_null(beside.latest);
                one["elastic_mean_of_backfill"] = ratio_or_null(beside.elastic_mean);
                one["rigid_mean_of_backfill"] = ratio_or_null(beside.rigid_mean);
            }
        }
    }
}

}  // namespace

std::string_view name_of(sim::KnowledgeKind kind) {
    return kind == sim::KnowledgeKind::oracle ? "oracle" : "learned";
}

std::string_view name_of(sim::Play play) {
    return play == sim::Play::daemon ? "daemon" : "policy";
}

bool has_elastic(const SimulationView& view) {
    return count_jobs(view, &domain::TraceJob::is_elastic) > 0;
}

std::string users_text(const SimulationView& view) {
    const sim::UserInput& users = view.users;
    const std::size_t jobs = jobs_of(view);
    const std::size_t elastic = count_jobs(view, &domain::TraceJob::is_elastic);
    std::string text = elastic == 0     ? "no job elastic, "
                       : elastic < jobs ? fmt::format("{} of {} jobs elastic, ", elastic, jobs)
                                        : std::string();
    if (const std::size_t yielding = count_jobs(view, &domain::TraceJob::yields); yielding > 0) {
        text += fmt::format("{} with --hora-yield, ", yielding);
    }
    if (const std::size_t some = count_jobs(view, &domain::TraceJob::suspends); some > 0) {
        text += fmt::format("{} with --hora-suspend, ", some);
    }
    text += users.any_batch && elastic > 0 ? "any batch, " : "";
    text += users.limit ? fmt::format("limits x {:g}", *users.limit) : "no limits set";
    if (users.limit && view.setup.limits == domain::LimitKind::clock) {
        text += " by the clock";
    }
    if (users.stated_error > 0) {
        text += fmt::format(", work misstated by {:g}", users.stated_error);
    }
    return text;
}

std::vector<std::string> job_labels(const sim::Setup& setup, const domain::JobTrace& set,
                                    const sim::Result& result) {
    std::vector<std::string> labels;
    for (const sim::JobResult& job : result.jobs) {
        labels.push_back(set.jobs[job.job].name);
        if (!setup.types.empty()) {
            labels.back() += fmt::format(" ({})", setup.types[job.type].name);
        }
    }
    return labels;
}

std::string to_json(const SimulationView& view) {
    ordered_json object{
        {"version", 1},
        {"play", name_of(view.setup.play)},
        {"cooldown_seconds", view.setup.cooldown.count()},
        {"limit_kind", domain::name_of(view.setup.limits)},
        {"knowledge", name_of(view.setup.knowledge)},
        {"nodes", nodes_of(view.setup)},
        {"gpus_per_node",
         view.setup.types.empty() ? ordered_json(view.setup.gpus_per_node) : ordered_json(nullptr)},
        {"rescale_seconds", view.setup.rescale.count()},
        {"round_seconds", view.setup.round.count()},
        {"charge_start", view.setup.charges_start},
        {"seed", view.setup.seed},
        {"mix", view.mix.empty() ? ordered_json(nullptr) : ordered_json(view.mix)},
        {"sizes", view.sizes.empty() ? "any" : view.sizes},
        {"elastic_share", view.users.elastic_share},
        {"yield_share", view.users.yield_share},
        {"suspend_share", view.users.suspend_share},
        {"limit", view.users.limit ? ordered_json(*view.users.limit) : ordered_json(nullptr)},
        {"stated_error", view.users.stated_error},
        {"any_batch", view.users.any_batch},
        {"shared_fits", view.setup.shares_fits},
        {"sets", view.sets.size()},
        {"jobs", jobs_of(view)},
        {"refused", view.refused}};
    if (!view.setup.types.empty()) {
        object["node_types"] = types_json(view.setup.types);
    }
    add_runs(object, view);
    return object.dump(2) + "\n";
}

std::string to_table(const SimulationView& view) {
    std::string text = fmt::format(
        "{}{} on {}{}, {}, {} knowledge, rescale {}, {}, {}\n", counted(jobs_of(view), "job"),
        view.mix.empty()
            ? ""
            : fmt::format(" of mix {} in {}", view.mix, counted(view.sets.size(), "set")),
        cluster_text(view.setup),
        view.sizes.empty() || !has_elastic(view) ? "" : ", sizes " + view.sizes, users_text(view),
        name_of(view.setup.knowledge), duration(view.setup.rescale),
        view.setup.round > Seconds(0) ? "rounds of " + duration(view.setup.round)
                                      : std::string("decided at every event"),
        view.setup.play == sim::Play::daemon ? "as horad" : "policy alone");
    const PolicyRun* const base = run_of(view, "fcfs");
    const PolicyRun* const rigid = run_of(view, "backfill");
    std::vector<LimitedRun> limited;
    text += figures_header("policy") + (base != nullptr ? "   mean and makespan of fcfs" : "") +
            (rigid != nullptr ? "   of backfill: elastic, rigid, later, at most\n" : "\n");
    for (const PolicyRun& run : view.runs) {
        text += figures_row(run.policy, run.summary);
        if (base != nullptr) {
            const Relation relation = relate(run, *base);
            text += fmt::format("{:>8.3f}{:>8.3f}{}", relation.mean, relation.makespan,
                                rigid != nullptr ? "         " : "");
        }
        if (rigid != nullptr) {
            const sim::Comparison beside = compare(view, run, *rigid);
            const std::string later =
                beside.latest > 0 ? fmt::format("{:.1f}%", 100 * beside.later) : "-";
            text += fmt::format("{:>15}{:>7}{:>7}{:>9}", ratio_text(beside.elastic_mean),
                                ratio_text(beside.rigid_mean), later, ratio_text(beside.latest));
        }
        text += '\n';
        limited.push_back({run.policy, run.summary});
    }
    return text + limit_line(limited);
}

std::string to_csv(const SimulationView& view) {
    const bool has_limits = std::any_of(view.runs.begin(), view.runs.end(),
                                        [](const auto& run) { return run.summary.limited > 0; });
    const bool has_types = !view.setup.types.empty();
    std::string text =
        "policy,set,name,group,gpus,elastic,submit_s,start_s,end_s,completion_s,gpu_seconds,"
        "restarts";
    text += has_limits ? ",ended_by_limit" : "";
    text += has_types ? ",gpu_type\n" : "\n";
    for (const PolicyRun& run : view.runs) {
        for (std::size_t set = 0; set < run.results.size(); ++set) {
            for (const sim::JobResult& row : run.results[set].jobs) {
                const domain::TraceJob& job = view.sets[set].jobs[row.job];
                fmt::format_to(
                    std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{}{}{}\n",
                    run.policy, set + 1, plain(job.name), plain(job.group), job.requested,
                    job.is_elastic ? "yes" : "no", row.submitted.count(), row.started.count(),
                    row.ended.count(), row.completion().count(), row.gpu_seconds, row.restarts,
                    !has_limits      ? ""
                    : row.is_cut_off ? ",1"
                                     : ",0",
                    has_types ? "," + job.gpu_type : "");
            }
        }
    }
    return text;
}

}  // namespace hora::report
