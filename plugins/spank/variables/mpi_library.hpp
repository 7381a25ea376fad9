// Does a task get Hora's library for MPI programs: its all-reduce, and the record of its calls?
#pragma once

#include <string>

#include "plugins/spank/job/compute_settings.hpp"
#include "plugins/spank/job/job_record.hpp"
#include "plugins/spank/job/task_facts.hpp"

namespace hora::spank {

// What an outer step had preloaded of Hora's goes; what the user preloads stays.
void remove_mpi_library(Environment& environment, const std::string& library);

// The library at the end of LD_PRELOAD, and what it does where that is not set: HORA_ALLREDUCE for
// tasks of a job or step with --hora-allreduce=ring or bypass, HORA_TRACE_DIR for those with
// --hora-timeline, a folder for this start of the step below HORA_CHECKPOINT_DIR. Never for a
// script, nor for what starts ranks itself, which may have another MPI.
void add_mpi_library(Prepared& prepared, JobRecord& record, const TaskFacts& facts,
                     const ComputeSettings& settings);

}  // namespace hora::spank
