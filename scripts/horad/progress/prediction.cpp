// What would have been predicted of a step at the size that a job has now?
#include "scripts/horad/progress/prediction.hpp"

#include <algorithm>
#include <vector>

#include "libplanner/elastic/speed/speed_prior.hpp"
#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/model/workload.hpp"
#include "libplanner/plan/choose.hpp"
#include "libplanner/plan/request.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/request/scope/cluster_subset.hpp"

namespace hora::horad {
namespace {

constexpr std::size_t most_nodes = 4096;

domain::Breakdown uncorrected(const domain::Decision& decision) {
    const auto correction = decision.correction.value_or(domain::Correction());
    domain::Breakdown step;
    step.compute = decision.breakdown.compute / correction.compute;
    step.exchange = decision.breakdown.exchange / correction.exchange;
    return step;
}

// Its own nodes, as if nobody else were there.
request::ClusterSubset own_nodes(const std::string& where, const domain::Cluster& cluster) {
    const auto names = read::expand_hostlist(where, most_nodes);
    request::AvailableGpus available(cluster.gpus.size(), 0);
    for (std::size_t gpu = 0; names && gpu < available.size(); ++gpu) {
        const std::string& node = cluster.nodes[cluster.gpus[gpu].node].name;
        available[gpu] = std::find(names->begin(), names->end(), node) != names->end() ? 1 : 0;
    }
    return request::subset_of(cluster, available);
}

std::optional<domain::Breakdown> by_cost_model(const JobMemory& memory, const HeldSize& size,
                                               const domain::Snapshot& cluster,
                                               const read::Settings& settings) {
    domain::JobOptions options = memory.options;
    if (size.batch != 0) {
        options.batch = size.batch;
    }
    if (!options.model || !options.batch || size.nodes == 0 || size.gpus % size.nodes != 0) {
        return std::nullopt;
    }
    const auto network = model::builtin_network(*options.model);
    if (!network) {
        return std::nullopt;
    }
    domain::Request request =
        plan::request_of(options, model::to_workload(*network, options.data_type), settings);
    request.min_gpus = size.gpus;
    request.max_gpus = size.gpus;
    request.min_efficiency = 0;
    request.mode = size.gpus == 1                                      ? domain::Mode::independent
                   : memory.decision.mode == domain::Mode::independent ? domain::Mode::sync
                                                                       : memory.decision.mode;
    request.keep_sample_rate(memory.decision.exchange.sample_rate);
    request.layout = domain::Layout::uniform;
    request.min_nodes = size.nodes;
    request.max_nodes = size.nodes;
    request.gpus_per_node = size.gpus / size.nodes;
    const domain::Plan plan = plan::choose(request, own_nodes(size.where, cluster.cluster).cluster);
    return plan.fits() ? std::optional(plan.breakdown) : std::nullopt;
}

// Between other numbers of nodes the exchange is not the same, and a plan says nothing of it.
std::optional<domain::Breakdown> by_parts(const domain::Decision& decision, const HeldSize& size) {
    if (size.gpus > 1 && (decision.gpus < 2 || size.nodes != decision.nodes)) {
        return std::nullopt;
    }
    domain::Decision plain = decision;
    plain.breakdown = uncorrected(decision);
    const elastic::PlannedSpeed speed = elastic::planned_speed(plain, size.gpus);
    domain::Breakdown step;
    step.compute = speed.compute.back();
    step.exchange = speed.exchange.back();
    return step;
}

}  // namespace

std::optional<domain::Breakdown> predicted_step(const JobMemory& memory, const HeldSize& size,
                                                const domain::Snapshot& cluster,
                                                const read::Settings& settings) {
    const domain::Decision& decision = memory.decision;
    if (!decision.has_plan || size.gpus == 0) {
        return std::nullopt;
    }
    const bool has_planned_batch = size.batch == 0 || memory.options.batch == size.batch;
    if (has_planned_batch && decision.gpus == size.gpus && decision.nodes == size.nodes) {
        return uncorrected(decision);
    }
    const auto modelled = by_cost_model(memory, size, cluster, settings);
    return modelled || !has_planned_batch ? modelled : by_parts(decision, size);
}

}  // namespace hora::horad
