// May this job be checkpointed and requeued (--hora-elastic, --hora-requeue), and what in its
// request makes that possible?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/domain/job_options.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

struct Warning {
    std::uint16_t signal = 0;
    std::uint16_t seconds = 0;  // before the time limit
};

struct Contract {
    bool is_elastic = false;
    bool requeues = false;  // at the time limit and at preemption
    std::string remark;     // what was asked for and is left out, and why; empty: nothing

    // What changes in the request. Nothing, where neither holds.
    bool appends = false;                                  // the log: open_mode
    std::optional<Warning> warning;                        // for the steps
    std::vector<std::string> unset;                        // in the script's environment
    std::vector<std::pair<std::string, std::string>> set;  // likewise

    bool is_kept() const { return is_elastic || requeues; }
};

// A job that cannot keep the contract passes as an ordinary one, with the remark.
Contract contract_of(const Submission& submission, const domain::JobOptions& options,
                     const read::Settings& settings);

}  // namespace hora::request
