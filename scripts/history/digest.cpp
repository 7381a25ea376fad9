// What of the history do plans take into account?
#include "scripts/history/digest.hpp"

#include <utility>

#include "libplanner/cost/measured_table.hpp"
#include "libplanner/read/slurm/hostlist.hpp"

namespace hora::history {
namespace {

constexpr std::uint32_t most_runs = 20000;
constexpr std::size_t most_nodes = 1024;  // of a run

cost::MeasuredRun run_of(const Sample& sample) {
    auto nodes = read::expand_hostlist(sample.where, most_nodes);
    return {.uid = sample.uid,
            .model = sample.model,
            .device = sample.device,
            .gpus = sample.gpus,
            .nodes = sample.nodes,
            .predicted_compute = sample.predicted_compute,
            .predicted_exchange = sample.predicted_exchange,
            .step = sample.step,
            .steps = sample.steps,
            .lost = sample.lost,
            .late = sample.late,
            .node_names = nodes ? std::move(*nodes) : std::vector<std::string>()};
}

// A rescale is of the model that its job was measured to train.
Expected<cost::RescaleCosts> costs_of(Database& database, const std::vector<Sample>& samples,
                                      std::int64_t since) {
    const auto rescales =
        database.rescales({.job = {}, .uid = {}, .since = since, .most = most_runs});
    if (!rescales) {
        return unexpected(rescales.error());
    }
    std::map<std::pair<std::uint64_t, std::int64_t>, const std::string*> models;
    for (const Sample& sample : samples) {
        models[{sample.of.job, sample.of.submitted}] = &sample.model;
    }
    std::vector<cost::MeasuredRescale> measured;
    for (const Rescale& rescale : *rescales) {
        const auto model = models.find({rescale.of.job, rescale.of.submitted});
        if (rescale.lost && rescale.first_step && model != models.end()) {
            measured.push_back({rescale.uid, *model->second, *rescale.lost});
        }
    }
    return cost::rescale_costs(measured);
}

}  // namespace

Expected<Digest> digest(Database& database, std::int64_t since) {
    const auto samples =
        database.samples({.job = {}, .uid = {}, .since = since, .most = most_runs});
    if (!samples) {
        return unexpected(samples.error());
    }
    std::vector<cost::MeasuredRun> runs;
    runs.reserve(samples->size());
    for (const Sample& sample : *samples) {
        runs.push_back(run_of(sample));
    }
    auto rescales = costs_of(database, *samples, since);
    if (!rescales) {
        return unexpected(rescales.error());
    }
    return Digest{cost::measured_table(runs), cost::node_overheads(runs), *std::move(rescales)};
}

void put_into(domain::Snapshot& snapshot, const Digest& digest) {
    snapshot.measured = digest.measured;
    for (domain::Node& node : snapshot.cluster.nodes) {
        const auto found = digest.overheads.find(node.name);
        if (found != digest.overheads.end()) {
            node.overhead = found->second;
        }
    }
}

}  // namespace hora::history
