// What do people see of a change of a job's size: when, why, what it cost, what it gained?
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/base/units.hpp"

namespace hora::report {

struct Rescale {
    std::uint64_t job = 0;
    std::int64_t submitted = 0;              // seconds since the epoch
    std::uint32_t restarts = 0;              // of the job before this one
    std::uint32_t from = 0;                  // GPUs
    std::optional<std::uint32_t> requested;  // that it was to have; empty: not known
    std::uint32_t to = 0;                    // that it has afterwards, or asks for
    std::string why;
    std::string outcome;               // empty: under way
    std::string remark;                // why it has come to that; may be empty
    double asked = 0;                  // seconds since the epoch, and so are the next three
    std::optional<double> ready;       // the checkpoint was written
    std::optional<double> started;     // runs again
    std::optional<double> first_step;  // at the new size
    std::optional<Seconds> lost;       // of training
    std::optional<Seconds> step_before;
    std::optional<Seconds> step_after;
};

// How many times as fast it trained afterwards; empty: one of both was not measured.
std::optional<double> speed_up(const Rescale& rescale);
// "9.2 s without training, 3 s from checkpoint to first step"
std::string cost_of(const Rescale& rescale);
// "412 ms -> 230 ms a step: 1.79 times as fast"
std::string gain_of(const Rescale& rescale);

// What it was to have, as far as is known.
std::uint32_t requested_of(const Rescale& rescale);
// "done while it waited": as hora-history(1) has it.
std::string words_of_outcome(std::string_view outcome);

nlohmann::ordered_json json_of(const Rescale& rescale);

}  // namespace hora::report
