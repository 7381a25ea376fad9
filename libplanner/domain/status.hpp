// What the daemon knew, planned and did a moment ago, for the people who ask.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::domain {

// The last thing decided about a job, done or not.
struct StatusDecision {
    std::int64_t when = 0;  // seconds since the epoch, as all points in time here
    std::uint32_t to = 0;   // GPUs; the number that it holds: on other nodes
    bool is_done = false;   // false: logged only, in "observe" or "advise"
    std::string why;

    friend bool operator==(const StatusDecision&, const StatusDecision&) = default;
};

// A job that has the size it has for the sake of its time limit.
struct StatusHold {
    std::uint32_t gpus = 0;       // that it is left with
    std::uint32_t otherwise = 0;  // that it would go to if no job had a time limit
    std::string why;

    friend bool operator==(const StatusHold&, const StatusHold&) = default;
};

// A resize that has begun and not ended.
struct StatusResize {
    std::uint32_t from = 0;  // GPUs
    std::uint32_t to = 0;
    std::string state;  // of the journal: "checkpoint requested"
    std::int64_t since = 0;
    std::string why;

    friend bool operator==(const StatusResize&, const StatusResize&) = default;
};

// A job that Hora knows: one with its options, pending or running.
struct StatusJob {
    std::uint32_t id = 0;
    std::string squeue_id;  // of a task of an array "12_3"; empty: the id
    std::uint32_t uid = 0;
    std::string user;  // empty: no name for the uid
    std::string name;
    std::string partition;
    std::string state;  // Slurm's word: "RUNNING"
    bool is_elastic = false;
    std::uint32_t gpus = 0;       // holds now; 0: it waits
    std::uint32_t nodes = 0;      // likewise
    std::uint32_t requested = 0;  // GPUs that its owner's request by itself would hold
    std::uint32_t min = 0;
    std::uint32_t max = 0;
    std::string sizes;  // which of these, as typed: "powers"; empty: any
    std::int64_t submitted = 0;
    std::optional<std::int64_t> started;  // the first time; empty: not yet
    std::optional<std::uint64_t> step;    // as reported; empty: nothing was
    std::optional<std::uint64_t> epoch;
    std::optional<double> share;          // of its work that is done, 0 to 1
    std::optional<Seconds> step_seconds;  // measured at its present size
    std::optional<std::int64_t> ends;     // as predicted
    // How much sooner that is than at its own request from the start; below 0: later.
    std::optional<Seconds> gain;
    std::uint32_t restarts = 0;  // by Hora
    std::optional<StatusDecision> decision;
    std::optional<StatusResize> resize;
    std::optional<StatusHold> held;
    std::string stays;  // why nothing is done to it now; "": not said

    // As squeue calls it.
    std::string shown_id() const { return squeue_id.empty() ? std::to_string(id) : squeue_id; }

    friend bool operator==(const StatusJob&, const StatusJob&) = default;
};

// A change that the policy would make next, and what it waits for.
struct StatusNext {
    std::uint32_t job = 0;
    std::uint32_t from = 0;  // GPUs
    std::uint32_t to = 0;
    std::optional<std::int64_t> when;  // not before; empty: not known
    std::string why;

    friend bool operator==(const StatusNext&, const StatusNext&) = default;
};

struct Status {
    std::string cluster;
    std::string host;  // where the daemon runs
    std::int64_t written = 0;
    std::int64_t started = 0;  // the daemon
    Seconds interval;          // it writes at least so often
    std::string operating;     // "observe", "advise", "act"
    std::string policy;
    std::uint32_t gpus = 0;  // of usable nodes
    std::uint32_t idle = 0;  // of those
    // Jobs without Hora's options that wait for GPUs, and how many these are.
    std::uint32_t others_waiting = 0;
    std::uint32_t others_gpus = 0;
    std::vector<StatusJob> jobs;  // by id
    std::vector<StatusNext> next;
    std::vector<std::string> remarks;  // what keeps the daemon from its work: "slurmctld is silent"

    friend bool operator==(const Status&, const Status&) = default;
};

}  // namespace hora::domain
