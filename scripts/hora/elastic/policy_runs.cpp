// What becomes of sets of jobs under the policies that were asked for?
#include "scripts/hora/elastic/policy_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/base/counted.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::scripts {

Expected<std::vector<std::string>> chosen_policies(const std::vector<std::string>& asked) {
    std::vector<std::string> chosen;
    const auto add = [&chosen](std::string_view name) {
        if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) {
            chosen.emplace_back(name);
        }
    };
    for (const std::string& name : asked) {
        if (name == "all") {
            for (const elastic::PolicyInfo& policy : elastic::policies()) {
                add(policy.name);
            }
            continue;
        }
        if (const auto policy = elastic::make_policy(name); !policy) {
            return unexpected(policy.error().within("--policy"));
        }
        add(name);
    }
    if (chosen.empty()) {
        add(elastic::policies().front().name);
    }
    return chosen;
}

Expected<std::vector<report::PolicyRun>> run_policies(const std::vector<std::string>& policies,
                                                      const std::vector<domain::JobTrace>& sets,
                                                      const sim::Setup& setup) {
    std::vector<report::PolicyRun> runs;
    for (const std::string& name : policies) {
        const auto policy = elastic::make_policy(name);
        if (!policy) {
            return unexpected(policy.error());
        }
        report::PolicyRun run{.policy = name, .results = {}, .summary = {}};
        std::vector<sim::Summary> summaries;
        for (std::size_t set = 0; set < sets.size(); ++set) {
            sim::Setup seeded = setup;
            seeded.seed += set;
            auto result = sim::simulate(sets[set], name, **policy, seeded);
            if (!result) {
                return unexpected(result.error());
            }
            summaries.push_back(sim::summarise(*result));
            run.results.push_back(*std::move(result));
        }
        run.summary = sim::mean_of(summaries);
        runs.push_back(std::move(run));
    }
    return runs;
}

std::string leave_out_too_large(domain::JobTrace& trace, const sim::Setup& setup) {
    const std::vector<std::uint32_t> large = sim::too_large(trace, setup);
    if (large.empty()) {
        return {};
    }
    const domain::TraceJob& first = trace.jobs[large.front()];
    const domain::NodeType nodes = setup.nodes_of(first.gpu_type);
    const std::uint32_t requested = std::max(first.requested, first.min);
    const bool is_one = large.size() == 1;
    std::string remark = fmt::format("{} ignored: {} more ", counted_are(large.size(), "job"),
                                     is_one ? "it requests" : "they request");
    if (setup.types.empty()) {
        remark += fmt::format("than the cluster's {}; {} requests {}", counted(nodes.gpus(), "GPU"),
                              read::quoted(first.name), requested);
    } else {
        remark += fmt::format(
            "GPUs of {} type than the cluster has; {} requests {} of type {}, of which it has {}",
            is_one ? "its" : "their", read::quoted(first.name), counted(requested, "GPU"),
            read::quoted(first.gpu_type),
            nodes.gpus() == 0 ? "none" : fmt::to_string(nodes.gpus()));
    }
    std::size_t next = 0;
    std::uint32_t place = 0;
    std::erase_if(trace.jobs, [&](const domain::TraceJob&) {
        const bool is_large = next < large.size() && large[next] == place;
        next += is_large ? 1 : 0;
        ++place;
        return is_large;
    });
    return remark;
}

}  // namespace hora::scripts
