// What a training job wants, and the rules it is planned by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/size_rule.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::domain {

enum class Mode { independent, sync, async, balanced };
enum class Objective { time, efficiency };
// How gradients are exchanged; `automatic` takes the cheaper of ring and tree, as NCCL does, and
// `hierarchy` where that is cheaper and the program accepts it: it cannot be asked of every
// program.
enum class Exchange { automatic, ring, tree, server, hierarchy };

constexpr std::string_view exchange_names[] = {"auto", "ring", "tree", "server", "hierarchy"};

constexpr std::string_view name_of(Exchange exchange) {
    return exchange_names[static_cast<std::size_t>(exchange)];
}

// uniform: the same number of GPUs on every node, which is what Slurm can be asked for.
enum class Layout { any, uniform };

constexpr std::uint32_t unlimited_gpus = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t unlimited_nodes = std::numeric_limits<std::uint32_t>::max();

// How a step is priced (cost/ has the formulae).
struct CostModel {
    Exchange exchange = Exchange::automatic;
    double exchange_factor = 1;   // measured / predicted, of the exchange
    bool overlap = true;          // gradients travel while the backward pass goes on
    double backward_factor = 2;   // backward pass / forward pass
    double optimizer_states = 2;  // copies of the weights beside weights and gradients (Adam: 2)
    bool master_weights = true;   // mixed precision: weights, gradients and copies are in fp32
    Bytes memory_reserve;         // taken by the driver and the framework
};

struct Request {
    Workload workload;
    std::string model;                     // as the user named it: what was measured is found by it
    std::uint64_t batch = 0;               // global, > 0
    std::optional<std::uint64_t> samples;  // of one epoch
    std::optional<std::uint64_t> epochs;
    std::uint32_t min_gpus = 1;
    std::uint32_t max_gpus = unlimited_gpus;
    bool is_max_by_site = false;  // plan.max_gpus, since the user said nothing
    // Which of them. Whole nodes are said by the uniform layout and `gpus_per_node` besides.
    SizeRule sizes;
    double min_efficiency = 0;  // least gain in speed-up of a further GPU; 0 = no rule
    std::optional<Mode> mode;   // empty = auto
    bool accepts_balanced = false;
    bool accepts_async = false;
    bool accepts_hierarchy = false;  // counts in layout uniform
    // Of tables with a row a word a step exchanges rows at a rate from here to there; 1: all rows.
    double min_sample_rate = 1;
    double max_sample_rate = 1;
    Objective objective = Objective::time;
    double tolerance = 0;          // time: what is so little slower than the fastest is as good
    double slowdown = 0.1;         // efficiency: at most this much slower than the fastest
    double async_threshold = 0.2;  // coefficient of variation of the members' rates
    Layout layout = Layout::any;
    std::uint32_t min_nodes = 1;  // uniform layout: over how many nodes
    std::uint32_t max_nodes = unlimited_nodes;
    std::optional<std::uint32_t> gpus_per_node;  // uniform layout: exactly so many on each node
    CostModel cost;

    // A program has its rate from its submission on.
    void keep_sample_rate(double rate) { min_sample_rate = max_sample_rate = rate; }

    // Steps of the whole training: ceil(samples / batch) * epochs; empty if not both are given.
    std::optional<std::uint64_t> steps() const {
        if (!samples || !epochs || batch == 0) {
            return std::nullopt;
        }
        return (*samples / batch + (*samples % batch != 0 ? 1 : 0)) * *epochs;
    }
};

}  // namespace hora::domain
