// What does the job want, by Hora's own options and its workload?
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/job_options.hpp"
#include "libplanner/domain/workload.hpp"
#include "libplanner/request/contract.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

// Checked again here, for the environment of a client can hold anything. Fails, in words for the
// user, on a value that no option takes.
Expected<domain::JobOptions> options_of(const Submission& submission);

// The layers that came along, or those of a built-in network. Empty for a file of the user's that
// came without them; fails on a text that is not one that Hora wrote.
Expected<std::optional<domain::Workload>> workload_of(const Submission& submission,
                                                      const domain::JobOptions& options);

// As they were typed, "hora-batch" and "256", for the record; long values are cut. An option that
// the contract leaves out is not there.
std::vector<std::pair<std::string, std::string>> typed_options(const Submission& submission,
                                                               const Contract& contract);

}  // namespace hora::request
