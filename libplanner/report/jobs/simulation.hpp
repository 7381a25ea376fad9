// How is the result of a simulation reported?
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/domain/job_trace.hpp"
#include "libplanner/sim/result.hpp"
#include "libplanner/sim/simulate.hpp"
#include "libplanner/sim/workload/user_input.hpp"

namespace hora::report {

// One policy on each set of jobs.
struct PolicyRun {
    std::string policy;
    std::vector<sim::Result> results;  // by set
    sim::Summary summary;              // means over the sets
};

struct SimulationView {
    const sim::Setup& setup;
    std::span<const domain::JobTrace> sets;
    std::span<const PolicyRun> runs;
    std::size_t refused = 0;  // jobs left out, too large for the cluster
    std::string mix;          // of synthetic jobs, as typed; empty: they are of a trace
    std::string sizes;        // that elastic jobs keep to, as typed; empty: any
    sim::UserInput users;
};

std::string_view name_of(sim::KnowledgeKind kind);
std::string_view name_of(sim::Play play);
// Of the jobs that are played: "2 of 20 jobs elastic, limits x 3, work misstated by 0.5"
std::string users_text(const SimulationView& view);
bool has_elastic(const SimulationView& view);
// Each job of a set, in the order of its result: by its name, and its type where there are several.
std::vector<std::string> job_labels(const sim::Setup& setup, const domain::JobTrace& set,
                                    const sim::Result& result);

// One run: its figures beside what was simulated; several: in an array "policies".
std::string to_json(const SimulationView& view);
std::string to_table(const SimulationView& view);
// A row for each job of each set under each policy.
std::string to_csv(const SimulationView& view);

}  // namespace hora::report
