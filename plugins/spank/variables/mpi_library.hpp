// Does a task get Hora's all-reduce for MPI programs?
#pragma once

#include <string>

#include "plugins/spank/job/compute_settings.hpp"
#include "plugins/spank/job/job_record.hpp"
#include "plugins/spank/job/task_facts.hpp"

namespace hora::spank {

// What an outer step had preloaded of Hora's goes; what the user preloads stays.
void remove_mpi_library(Environment& environment, const std::string& library);

// HORA_ALLREDUCE where it is not set, and the library at the end of LD_PRELOAD: for tasks of steps,
// of a job or step with --hora-allreduce=ring or bypass. Never for a script, nor for what starts
// ranks itself, which may have another MPI.
void add_mpi_library(Prepared& prepared, JobRecord& record, const TaskFacts& facts,
                     const ComputeSettings& settings);

}  // namespace hora::spank
