// What became of each job of a simulation, and what does it come to?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/job_trace.hpp"

namespace hora::sim {

// From here to the next segment, or to the end of the job.
struct Segment {
    Seconds start;
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 0;
    std::uint64_t batch = 0;  // where that may change
};

struct JobResult {
    std::uint32_t job = 0;   // into JobTrace::jobs
    std::uint32_t type = 0;  // of its nodes: into Result::type_gpus, where there are any
    Seconds submitted;
    Seconds started;
    Seconds ended;
    double gpu_seconds = 0;  // held, rescales included
    std::uint32_t restarts = 0;
    bool is_cut_off = false;        // its time limit ended it
    std::vector<Segment> segments;  // at least one

    Seconds completion() const { return ended - submitted; }
};

struct Result {
    std::string policy;
    std::uint32_t gpus = 0;                  // of the cluster
    std::vector<JobResult> jobs;             // in the order of the trace
    std::uint64_t decisions = 0;             // how often the policy was asked
    std::size_t limited = 0;                 // jobs that have a time limit, as far as it was played
    std::vector<std::uint32_t> type_gpus{};  // of each type of node; empty: nodes are alike
};

struct Summary {
    double jobs = 0;
    Seconds mean_completion;
    Seconds median_completion;
    Seconds p99_completion;  // percentiles are interpolated between neighbours
    Seconds makespan;        // from the first submission to the last end
    double restarts_per_job = 0;
    double utilisation = 0;  // of the GPUs over the makespan; a rescaling job holds its GPUs
    double limited = 0;      // jobs that have a time limit
    double cut_off = 0;      // of them, those that it ended
};

// The value below which the share of the values lies, interpolated; 0 of none.
double percentile(std::vector<double> values, double share);

Summary summarise(const Result& result);

// The jobs of a result beside the same jobs of another: completion times in parts of theirs. 0 of
// none.
struct Comparison {
    double later = 0;         // share of the elastic jobs that end later, by more than a percent
    double latest = 0;        // of the elastic jobs, the greatest ratio
    double elastic_mean = 0;  // ratio of the mean completion times of the elastic jobs
    double rigid_mean = 0;    // and of the rigid ones
};
// Precondition: both results are of this trace.
Comparison compare(const Result& result, const Result& other, const domain::JobTrace& trace);
// Each figure over the sets that have such jobs.
Comparison mean_of(std::span<const Comparison> sets);

// Each figure's mean over several sets of jobs.
Summary mean_of(std::span<const Summary> sets);

}  // namespace hora::sim
