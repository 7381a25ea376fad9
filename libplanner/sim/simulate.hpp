// When would each job of a trace end under a policy?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/elastic.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/domain/node_type.hpp"
#include "libplanner/domain/size_rule.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/sim/knowledge.hpp"
#include "libplanner/sim/result.hpp"

namespace hora::sim {

// With shorter rounds a simulation would go through more of them than anybody waits for.
constexpr Seconds shortest_round(1e-3);

enum class Play {
    // As horad does it: Slurm starts jobs in their order, each on what it asks for, and horad
    // judges
    // what a policy answers, resizes what is worth it, leaves a job alone for a while after each
    // start, and gives each node of a job the same number of GPUs. Policies that leave each job its
    // own request have no part in that.
    daemon,
    // Whatever a policy answers happens at once: how schedulers are compared in papers.
    policy,
};

struct Setup {
    std::uint32_t nodes = 1;
    std::uint32_t gpus_per_node = 1;
    // In place of both: jobs of each type wait in a queue of their own. Empty: nodes are alike.
    std::vector<domain::NodeType> types{};
    Seconds rescale;  // a restarted job makes no progress for so long
    // Decisions are taken at its multiples only; 0: at every event. Else shortest_round at least.
    Seconds round;
    bool charges_start = false;  // the first start costs a rescale too
    Play play = Play::policy;
    // Under Play::daemon: the least time between two resizes of a job (elastic.cooldown).
    Seconds cooldown{120};
    domain::LimitKind limits = domain::LimitKind::gpu_time;  // of elastic jobs (elastic.limits)
    KnowledgeKind knowledge = KnowledgeKind::learned;
    bool shares_fits = true;  // what is learned of a job serves others of its application
    // Between two nodes: what exchanges are predicted by where the gradients' size is known.
    domain::Link network{Bandwidth(1.25e9), Seconds(14e-6)};
    std::uint64_t seed = 1;
    domain::PolicyConstants constants{};

    // Of all types.
    std::uint32_t gpus() const;
    // Where GPUs of this type are; without nodes where there are none.
    domain::NodeType nodes_of(const std::string& gpu_type) const;
};

// Jobs that the cluster can never hold, by their place in the trace.
std::vector<std::uint32_t> too_large(const domain::JobTrace& trace, const Setup& setup);

// Elastic jobs take no other numbers of GPUs from now on where a policy resizes them; one whose
// request is none of them starts with the next smaller one, or else with the smallest. `setup` says
// how many GPUs a whole node has.
// Precondition: no job is too large. Fails where a job is left with none, changing nothing.
Expected<void> keep_to_sizes(domain::JobTrace& trace, const domain::SizeRule& rule,
                             const Setup& setup);

// Same trace, policy and setup: the same result. Precondition: no job is too large. Fails where the
// rounds are too short, and where the policy breaks its promises or lets jobs wait for ever.
Expected<Result> simulate(const domain::JobTrace& trace, const std::string& policy_name,
                          const elastic::Policy& policy, const Setup& setup);

}  // namespace hora::sim
