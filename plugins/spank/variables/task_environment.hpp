// Which variables does a batch script, or a task of a step, get from Hora?
//
// A job without Hora's options gets none. Nothing that is set already is replaced, except what Hora
// itself has set for the batch script, for an outer step, or for the job that submitted this one.
#pragma once

#include <string>

#include "plugins/spank/job/compute_settings.hpp"
#include "plugins/spank/job/environment.hpp"
#include "plugins/spank/job/task_facts.hpp"

namespace hora::spank {

// Of a job that is none of Hora's: what Hora has set for the job that submitted it goes, and
// nothing else changes.
Environment without_hora(Environment environment, const std::string& mpi_library);

// Of a job of Hora's.
Prepared prepare(Environment environment, const TaskFacts& facts, const ComputeSettings& settings);

// The folder that Hora names for a batch script's job; empty where the user has chosen one.
std::string named_folder(Environment environment, const TaskFacts& facts,
                         const ComputeSettings& settings);

// Does Hora do anything for this job? `--hora-off` and no option at all mean no.
bool is_hora_job(const Environment& environment, const TaskFacts& facts);

// The node of rank 0 by its name or address, or that of a script; empty where it cannot be told.
std::string first_node(const Environment& environment, bool is_batch);

}  // namespace hora::spank
