// Which jobs is `hora simulate` to play: those of a trace, or some that are drawn?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/sim/simulate.hpp"
#include "libplanner/sim/workload/user_input.hpp"

namespace hora::scripts {

// Either a trace with its speeds, or a generator with what it draws from.
struct JobSource {
    std::string trace;
    std::string speeds;
    std::string generator;
    std::vector<std::string> mixes;
    std::uint64_t sets = 1;
    std::uint64_t jobs = 20;
    double mean_arrival = 900;  // seconds
    std::string sizes;          // a rule that all jobs keep to, as of sbatch --hora-sizes
    sim::UserInput users;
};

struct SimulatedJobs {
    std::vector<domain::JobTrace> sets;  // at least one
    std::size_t refused = 0;             // too large for the cluster; a remark names them
};

// What is drawn begins with the seed of the setup.
Expected<SimulatedJobs> simulated_jobs(const JobSource& source, const sim::Setup& setup);

}  // namespace hora::scripts
