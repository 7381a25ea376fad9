// What becomes of sets of jobs under the policies that were asked for?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/report/jobs/simulation.hpp"
#include "libplanner/sim/simulate.hpp"

namespace hora::scripts {

// Each name once, in the order of first mention; "all" stands for every policy.
Expected<std::vector<std::string>> chosen_policies(const std::vector<std::string>& asked);

Expected<std::vector<report::PolicyRun>> run_policies(const std::vector<std::string>& policies,
                                                      const std::vector<domain::JobTrace>& sets,
                                                      const sim::Setup& setup);

// Leaves out what the cluster can never hold; a remark that says which, empty where all fit.
std::string leave_out_too_large(domain::JobTrace& trace, const sim::Setup& setup);

}  // namespace hora::scripts
