// What is written down of a job that was measured or resized.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/units.hpp"

namespace hora::history {

// One incarnation of a job. Slurm counts job numbers anew after a while, so the time of submission
// belongs to it.
struct Incarnation {
    std::uint64_t job = 0;
    std::int64_t submitted = 0;  // seconds since the epoch
    std::uint32_t restarts = 0;  // Slurm's restart_cnt

    friend bool operator==(const Incarnation&, const Incarnation&) = default;
};

// How fast one incarnation trained, so far or in all; a later one of the same incarnation replaces
// it.
struct Sample {
    Incarnation of;
    std::uint32_t uid = 0;
    std::string model;   // as the user named it; a file by its last part
    std::string device;  // type of GPU: the slowest where there are several
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    std::string where;            // the nodes' names, a Slurm hostlist
    std::uint64_t batch = 0;      // global
    Seconds predicted_compute;    // of a step, at this size; 0 and 0: nothing was predicted
    Seconds predicted_exchange;   // what sticks out behind the computation
    Seconds step;                 // measured, the median
    std::uint64_t steps = 0;      // that were measured
    std::optional<Seconds> lost;  // of the run: its time without its steps (P1's overhead)
    std::int64_t when = 0;        // seconds since the epoch
    // Of the step, waiting for late ranks (trace/waiting.hpp). Empty: not recorded.
    std::optional<Seconds> late = {};
};

// One change of a running job's size, from the request to the first step at the new size.
struct Rescale {
    Incarnation of;  // that was asked to stop
    std::uint32_t uid = 0;
    std::uint32_t from = 0;                  // GPUs
    std::optional<std::uint32_t> requested;  // empty: an earlier horad wrote it
    std::uint32_t to = 0;                    // that it has afterwards, or asks for
    std::string why;
    std::string outcome;               // the actor's word; empty: under way
    std::string remark;                // why it has come to that; empty: as it was to be
    double asked = 0;                  // seconds since the epoch, and so are the next three
    std::optional<double> ready;       // the checkpoint was written
    std::optional<double> started;     // runs again
    std::optional<double> first_step;  // at the new size
    std::optional<Seconds> lost;       // that it would have trained otherwise
    std::optional<Seconds> step_before;
    std::optional<Seconds> step_after;
};

// A plan that a job carries only the key of, as report::to_record wrote it. It never changes.
struct KeptPlan {
    std::string key;
    std::int64_t when = 0;  // seconds since the epoch
    std::string record;
};

}  // namespace hora::history
