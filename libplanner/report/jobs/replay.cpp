// How is it reported what would have become of a site's jobs?
#include "libplanner/report/jobs/replay.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "libplanner/base/counted.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/jobs/figures.hpp"
#include "libplanner/report/jobs/simulation.hpp"

namespace hora::report {
namespace {

using nlohmann::ordered_json;

std::string row_name(const ReplayRow& row) {
    return row.elastic_share ? fmt::format("{} {:.3g} %", row.policy, 100 * *row.elastic_share)
                             : row.policy;
}

}  // namespace

std::string to_json(const ReplayView& view) {
    ordered_json object{
        {"version", 1},
        {"jobs", view.jobs},
        {"parts", view.parts},
        {"without_gpus", view.without_gpus},
        {"never_ran", view.never_ran},
        {"refused", view.refused},
        {"nodes", view.setup.nodes},
        {"gpus_per_node", view.setup.gpus_per_node},
        {"play", name_of(view.setup.play)},
        {"cooldown_seconds", view.setup.cooldown.count()},
        {"limit_kind", domain::name_of(view.setup.limits)},
        {"knowledge", name_of(view.setup.knowledge)},
        {"rescale_seconds", view.setup.rescale.count()},
        {"seed", view.setup.seed},
        {"assumed",
         {{"doubling_speedup", view.assumptions.doubling}, {"range", view.assumptions.range}}}};
    if (view.timed_out > 0) {
        object["timed_out"] = view.timed_out;
    }
    ordered_json& all = object["policies"] = ordered_json::array();
    for (const ReplayRow& row : view.rows) {
        ordered_json& one = all.emplace_back(ordered_json{{"policy", row.policy}});
        one["elastic_share"] =
            row.elastic_share ? ordered_json(*row.elastic_share) : ordered_json(nullptr);
        add_figures(one, row.summary);
    }
    return object.dump(2) + "\n";
}

std::string to_table(const ReplayView& view) {
    std::string text = fmt::format(
        "{} that held GPUs, {} of them parts of arrays or of heterogeneous jobs\n"
        "on {} x {}; percentages: share of the other jobs that is assumed to be elastic\n\n",
        counted(view.jobs, "job"), view.parts, view.setup.nodes,
        counted(view.setup.gpus_per_node, "GPU"));
    std::vector<LimitedRun> limited;
    text += figures_header("policy") + '\n';
    for (const ReplayRow& row : view.rows) {
        text += figures_row(row_name(row), row.summary) + '\n';
        limited.push_back({row_name(row), row.summary});
    }
    text += limit_line(limited);
    if (view.timed_out > 0) {
        text += fmt::format(
            "{} ended by a time limit in the accounting: taken to have had no more to do than was "
            "done\n",
            counted(view.timed_out, "job"));
    }
    text += fmt::format(
        "\nassumed, since accounting does not tell: an elastic job takes from 1/{0:.3g} to {0:.3g} "
        "times the GPUs\nit had, twice the GPUs are {1:.3g} times as fast, a restart costs {2}; "
        "only GPUs are scarce;\n{3}\n",
        view.assumptions.range, view.assumptions.doubling, duration(view.setup.rescale),
        view.setup.play == sim::Play::daemon
            ? "Slurm starts jobs in their order, and horad resizes them"
            : "a policy's answers happen at once");
    return text;
}

}  // namespace hora::report
