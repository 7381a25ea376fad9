// What do half and twice of each of a policy's constants make of mean completion times?
//
// Loads are drawn: mixes of jobs, arrivals, clusters, speeds on one node and on several, requests,
// limits, wrong statements of work, and how many jobs are elastic. Who changes a constant chooses
// it on those of even numbers ("chosen on"); the others have no part in that ("held out").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/sim/result.hpp"
#include "libplanner/sim/simulate.hpp"
#include "libplanner/sim/workload/generator.hpp"
#include "libplanner/sim/workload/random.hpp"
#include "libplanner/sim/workload/user_input.hpp"

namespace {

using namespace hora;
using domain::PolicyConstants;

struct Load {
    domain::JobTrace trace;
    sim::Setup setup;
};

// On more nodes than it needs a job is slower by up to as much again.
void slow_on_more_nodes(domain::TrueSpeed& speed, std::uint32_t gpus_per_node, double slow_down) {
    const auto most = static_cast<std::uint32_t>(speed.epoch_seconds.size());
    for (std::uint32_t gpus = 2; gpus <= most; ++gpus) {
        const std::uint32_t fewest = (gpus + gpus_per_node - 1) / gpus_per_node;
        for (std::uint32_t nodes = fewest + 1; nodes <= gpus; ++nodes) {
            speed.spread.push_back(
                {.gpus = gpus, .nodes = nodes, .epoch = speed.epoch_seconds[gpus - 1] * slow_down});
        }
    }
}

Load draw(std::uint64_t seed) {
    sim::Random random(seed);
    const auto mixes = sim::named_mixes();
    Load load;
    load.setup.nodes = 2 + static_cast<std::uint32_t>(random.below(15));
    load.setup.gpus_per_node = random.unit() < 0.5 ? 4 : 8;
    load.setup.rescale = Seconds(random.between(10, 60));
    load.setup.play = sim::Play::daemon;
    load.setup.seed = seed;
    const std::uint32_t gpus = load.setup.gpus();
    // Of all GPUs, if each job took what it takes on one.
    const double busy = random.between(0.4, 2);
    constexpr double usual_length = 3600;
    load.trace = sim::draw_jobs({.mix = mixes[random.below(mixes.size())].mix,
                                 .jobs = 80,
                                 .mean_arrival = Seconds(usual_length / gpus / busy),
                                 .most_gpus = std::min(gpus, 32U)},
                                seed);
    for (domain::TrueSpeed& speed : load.trace.speeds) {
        slow_on_more_nodes(speed, load.setup.gpus_per_node, random.between(1, 2));
    }
    for (domain::TraceJob& job : load.trace.jobs) {
        job.requested = std::min(job.max, std::uint32_t{1} << random.below(5));
    }
    sim::keep_elastic(load.trace, random.unit() < 0.5 ? 1 : random.between(0.1, 1), seed);
    sim::misstate(load.trace, random.unit() < 0.5 ? 0 : 1, seed);
    if (random.unit() < 0.7) {
        sim::set_limits(load.trace, random.between(1.5, 5));
    }
    return load;
}

double mean_completion(const Load& load, const PolicyConstants& constants) {
    sim::Setup setup = load.setup;
    setup.constants = constants;
    const auto policy = elastic::make_policy("hora");
    const auto result = sim::simulate(load.trace, "hora", **policy, setup);
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
    return sim::summarise(*result).mean_completion.count();
}

struct Change {
    std::string_view name;
    void (*scale)(PolicyConstants&, double);
};

template <auto Member>
constexpr void scale(PolicyConstants& constants, double factor) {
    constants.*Member = constants.*Member * factor;
}

const Change changes[] = {
    {"horizon", scale<&PolicyConstants::horizon>},
    {"shortness", scale<&PolicyConstants::shortness>},
    {"few and many jobs",
     [](PolicyConstants& constants, double factor) {
         constants.few_jobs *= factor;
         constants.many_jobs *= factor;
     }},
    {"caution", scale<&PolicyConstants::caution>},
    {"many restarts", scale<&PolicyConstants::many_restarts>},
    {"beyond request", scale<&PolicyConstants::beyond_request>},
    {"patience", scale<&PolicyConstants::patience>},
    {"least gain", scale<&PolicyConstants::least_gain>},
    {"least gain of a move", scale<&PolicyConstants::least_move_gain>},
};

// Ratios to the constants as they are, of the loads of even and of odd numbers: geometric means.
std::pair<double, double> compare(const std::vector<Load>& loads, const std::vector<double>& usual,
                                  const PolicyConstants& constants) {
    double logs[2] = {};
    for (std::size_t i = 0; i < loads.size(); ++i) {
        logs[i % 2] += std::log(mean_completion(loads[i], constants) / usual[i]);
    }
    const double half = static_cast<double>(loads.size()) / 2;
    return {std::exp(logs[0] / half), std::exp(logs[1] / half)};
}

}  // namespace

int main() {
    constexpr std::uint64_t count = 96;
    std::vector<Load> loads;
    std::vector<double> usual;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        loads.push_back(draw(seed));
        usual.push_back(mean_completion(loads.back(), {}));
    }
    fmt::print("Mean completion time, in parts of that with the constants as they are; {} loads\n",
               count);
    fmt::print("{:22} {:>20} {:>20}\n", "", "half", "twice");
    fmt::print("{:22} {:>10} {:>9} {:>10} {:>9}\n", "constant", "chosen on", "held out",
               "chosen on", "held out");
    for (const Change& change : changes) {
        fmt::print("{:22}", change.name);
        for (const double factor : {0.5, 2.0}) {
            PolicyConstants constants;
            change.scale(constants, factor);
            const auto [chosen_on, held_out] = compare(loads, usual, constants);
            fmt::print(" {:>10.3f} {:>9.3f}", chosen_on, held_out);
        }
        fmt::print("\n");
        std::fflush(stdout);
    }
}
