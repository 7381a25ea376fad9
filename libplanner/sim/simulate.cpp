// When would each job of a trace end under a policy?
#include "libplanner/sim/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/sim/node_types.hpp"
#include "libplanner/sim/simulation.hpp"

namespace hora::sim {
namespace {

// Jobs that keep to their requests keep to the batches of these, whatever sizes others may have.
domain::JobTrace of_requests(domain::JobTrace trace) {
    for (domain::TraceJob& job : trace.jobs) {
        job.range.reset();
        job.sizes.clear();
    }
    trace.ranges.clear();
    return trace;
}

Expected<Result> simulate_alike(const domain::JobTrace& trace, const std::string& policy_name,
                                const elastic::Policy& policy, const Setup& setup) {
    const elastic::PolicyInfo* const known = elastic::find_policy(policy_name);
    Setup played = setup;
    std::optional<domain::JobTrace> rigid;
    if (known != nullptr && known->is_rigid) {
        played.play = Play::policy;
        rigid = of_requests(trace);
    }
    Simulation simulation(rigid ? *rigid : trace, policy, played);
    while (simulation.has_next()) {
        simulation.step();
        if (simulation.wants_decision()) {
            const auto problem = simulation.decide();
            if (!problem.empty()) {
                return failure("policy \"" + policy_name + "\" " + problem);
            }
        }
    }
    Result result = simulation.take_result();
    result.policy = policy_name;
    return result;
}

}  // namespace

std::uint32_t Setup::gpus() const {
    if (types.empty()) {
        return nodes * gpus_per_node;
    }
    std::uint32_t all = 0;
    for (const domain::NodeType& type : types) {
        all += type.gpus();
    }
    return all;
}

domain::NodeType Setup::nodes_of(const std::string& gpu_type) const {
    if (types.empty()) {
        return {"", nodes, gpus_per_node};
    }
    const auto found = std::find_if(types.begin(), types.end(), [&](const domain::NodeType& type) {
        return type.name == gpu_type;
    });
    return found != types.end() ? *found : domain::NodeType{gpu_type, 0, 0};
}

std::vector<std::uint32_t> too_large(const domain::JobTrace& trace, const Setup& setup) {
    std::vector<std::uint32_t> jobs;
    for (std::uint32_t job = 0; job < trace.jobs.size(); ++job) {
        const domain::TraceJob& each = trace.jobs[job];
        if (std::max(each.requested, each.min) > setup.nodes_of(each.gpu_type).gpus()) {
            jobs.push_back(job);
        }
    }
    return jobs;
}

Expected<void> keep_to_sizes(domain::JobTrace& trace, const domain::SizeRule& rule,
                             const Setup& setup) {
    if (rule.kind == domain::SizeRule::Kind::any) {
        return {};
    }
    std::vector<std::vector<std::uint32_t>> sizes(trace.jobs.size());
    for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
        const domain::TraceJob& job = trace.jobs[i];
        const domain::NodeType nodes = setup.nodes_of(job.gpu_type);
        const std::uint32_t most = std::min(job.max, nodes.gpus());
        if (job.is_elastic) {
            sizes[i] = rule.sizes(job.min, most, nodes.gpus_per_node);
        }
        if (job.is_elastic && sizes[i].empty()) {
            return wrong_use(fmt::format("{} takes {} to {}, and {} allows none of them",
                                         read::quoted(job.name), job.min, counted(most, "GPU"),
                                         text_of(rule)));
        }
    }
    for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
        domain::TraceJob& job = trace.jobs[i];
        if (job.is_elastic) {
            job.sizes = std::move(sizes[i]);
        }
    }
    return {};
}

Expected<Result> simulate(const domain::JobTrace& trace, const std::string& policy_name,
                          const elastic::Policy& policy, const Setup& setup) {
    if (setup.round != Seconds(0) && setup.round < shortest_round) {
        return wrong_use(fmt::format("rounds of {:g} s are too short; {:g} s is the least",
                                     setup.round.count(), shortest_round.count()));
    }
    if (setup.types.empty()) {
        return simulate_alike(trace, policy_name, policy, setup);
    }
    Result all;
    all.policy = policy_name;
    all.jobs.resize(trace.jobs.size());
    for (const domain::NodeType& type : setup.types) {
        const TypeTrace of = trace_of(trace, type.name);
        Setup alike = setup;
        alike.nodes = type.nodes;
        alike.gpus_per_node = type.gpus_per_node;
        alike.types.clear();
        auto result = simulate_alike(of.trace, policy_name, policy, alike);
        if (!result) {
            return unexpected(result.error().within("GPUs of type " + type.name));
        }
        add_type(all, *std::move(result), of);
    }
    return all;
}

}  // namespace hora::sim
