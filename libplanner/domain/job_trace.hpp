// Which jobs were, or might be, submitted to a cluster, when, and how fast do they actually train?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::domain {

// The time of one epoch on more nodes than so many GPUs need.
struct SpreadSpeed {
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    Seconds epoch;
};

// The true speeds of one application at its batch. Jobs of the same application share it.
struct TrueSpeed {
    std::string name;         // "cifar10, batch 2048"; empty: of one job that has no application
    std::string gpu_type{};   // on which it is so fast; empty: nodes are alike
    std::uint32_t least = 1;  // GPUs below which nothing is known
    std::vector<Seconds> epoch_seconds;  // f(1), f(2), …, packed; above 0
    std::vector<SpreadSpeed> spread;     // ascending by GPUs, then nodes
    double steps = 1;                    // of an epoch
    Bytes gradients;                     // that each step sums over all GPUs; 0: not known
};

// An application that trains with each of several batches. An epoch is the whole training with any.
struct BatchSpeed {
    std::uint64_t batch = 1;
    std::uint32_t speed = 0;  // into JobTrace::speeds
    std::uint32_t least = 1;  // GPUs below which none trains with it
};

struct TraceJob {
    std::string name;
    std::string group;       // who submitted it: a virtual cluster, an account; may be empty
    std::string gpu_type{};  // that it requests, and never changes; empty: nodes are alike
    Seconds submitted;
    bool is_elastic = true;
    bool yields = false;    // of an elastic one: --hora-yield
    bool suspends = false;  // likewise: --hora-suspend
    std::uint32_t requested = 1;
    std::uint32_t min = 1;
    std::uint32_t max = 1;
    std::vector<std::uint32_t> sizes{};  // allowed ones of these, ascending; empty: each
    double epochs = 1;
    std::optional<double> stated_epochs{};  // by its owner's word; empty: as many as there are
    std::uint32_t speed = 0;                // into JobTrace::speeds
    // Into JobTrace::ranges, of an elastic one whose batch may change; empty: it has one.
    std::optional<std::uint32_t> range{};
    // How long it may run from its first start on, restarts included; empty: without a limit.
    std::optional<Seconds> limit{};

    double stated() const { return stated_epochs.value_or(epochs); }
};

struct JobTrace {
    std::vector<TraceJob> jobs;  // ascending by time of submission
    std::vector<TrueSpeed> speeds;
    // Each ascending by batch, with one at least that is possible on one GPU.
    std::vector<std::vector<BatchSpeed>> ranges{};
};

}  // namespace hora::domain
