// What can be said of policies that play jobs, whatever the jobs are, and of what is printed?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/sim/simulate.hpp"
#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

struct PolicyOptions {
    std::vector<std::string> policies;
    std::string knowledge = "learned";
    double rescale = 30;  // seconds
    std::string play = "daemon";
    double cooldown = sim::Setup{}.cooldown.count();  // seconds
    std::string limit_kind{domain::name_of(sim::Setup{}.limits)};
    std::uint64_t seed = 1;
    std::string html;
    bool is_json = false;

    sim::Play play_kind() const { return play == "daemon" ? sim::Play::daemon : sim::Play::policy; }
    domain::LimitKind limits() const {
        return limit_kind == domain::name_of(domain::LimitKind::clock)
                   ? domain::LimitKind::clock
                   : domain::LimitKind::gpu_time;
    }
    sim::KnowledgeKind knowledge_kind() const {
        return knowledge == "oracle" ? sim::KnowledgeKind::oracle : sim::KnowledgeKind::learned;
    }
};

// --policy, --knowledge, --play, --cooldown-seconds, --limit-kind, --seed
void add_policy_options(CLI::App& command, PolicyOptions& options);
// Of those that are given and change nothing.
void remark_on_ignored(const CLI::App& command, const PolicyOptions& options);
void add_rescale_option(CLI::App& command, PolicyOptions& options);
// --html, --json
void add_output_options(CLI::App& command, PolicyOptions& options);

}  // namespace hora::scripts
