// What do people see of what was measured and resized in the past?
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/report/jobs/rescale.hpp"

namespace hora::report {

// How fast one run of a job trained.
struct MeasuredRun {
    std::uint64_t job = 0;
    std::string model;
    std::string device;
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 0;
    std::optional<Seconds> predicted;  // of a step; empty: nothing was
    Seconds measured;
    std::uint64_t steps = 0;
    std::int64_t submitted = 0;        // seconds since the epoch
    std::uint32_t restarts = 0;        // of the job before this run
    std::int64_t when = 0;             // it was last heard of, seconds since the epoch
    std::optional<Seconds> lost;       // of the run: its time without its steps
    std::optional<Seconds> late = {};  // of a step, waiting for late ranks; empty: not recorded
};

// All runs of a model on as many GPUs of a type on as many nodes.
struct MeasuredSize {
    std::string model;
    std::string device;
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 0;
    std::uint32_t runs = 0;
    std::uint64_t steps = 0;
    std::optional<Seconds> predicted;  // medians over the runs, and the next two
    Seconds measured;
    std::optional<double> error;       // measured / predicted - 1
    std::optional<Seconds> late = {};  // the median of the runs that recorded it
};

struct History {
    std::vector<MeasuredSize> sizes;  // by model, device, GPUs, nodes
    std::vector<Rescale> rescales;    // newest first
};

std::vector<MeasuredSize> by_size(const std::vector<MeasuredRun>& runs);

nlohmann::ordered_json json_of(const MeasuredSize& size);

std::string to_text(const History& history);
std::string to_json(const History& history);

}  // namespace hora::report
