// Which variables does a batch script, or a task of a step, get from Hora?
//
// A job without Hora's options gets none. Nothing that is set already is replaced, except what Hora
// itself has set for the batch script, for an outer step, or for the job that submitted this one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/domain/topology.hpp"
#include "plugins/spank/compute_settings.hpp"
#include "plugins/spank/cpu_mask.hpp"
#include "plugins/spank/environment.hpp"
#include "plugins/spank/job_record.hpp"

namespace hora::spank {

// What the environment does not tell.
struct TaskFacts {
    std::vector<std::pair<std::string, std::string>> options;  // Hora's, of this job or step
    bool is_batch = false;         // the batch script, not a task of a step
    bool is_batch_script = false;  // and not a shell of salloc's
    bool is_launcher = false;      // a daemon of mpirun's, which starts the ranks itself
    std::uint32_t job = 0;         // of the component, in a heterogeneous job
    std::uint32_t tasks = 0;       // of the component
    std::uint32_t uid = 0;
    std::string user;
    std::string work_directory;
    std::string master;  // address of rank 0's node; empty: not known
    // What `hora topology --local --json` said of this node, where it was asked.
    std::string topology_file;
    std::string topology_problem;  // why there is none although there is a file
    std::optional<domain::Topology> topology;
    std::string nccl_topo_file;  // for NCCL_TOPO_FILE; empty: none
    Cpus cpus;                   // that the task may run on now
    bool has_folder = true;      // false: it could not be made
};

struct Prepared {
    Environment environment;
    std::string checkpoint_folder{};     // to be made; empty: none
    std::vector<std::string> remarks{};  // for the user, to be said once a job
    Cpus cpus{};                         // to run the task on; empty: as it is
    // The signal by which Slurm may ask it for a checkpoint before it has said what that is to do;
    // it must not die of it. 0: none.
    int ignored_signal = 0;
    std::string
        checkpoint_signal{};         // that the program takes for that: "USR1"; empty: nothing asks
    std::string allowed_restarts{};  // of a batch script, as restarts_variable has it
};

Prepared prepare(Environment environment, const TaskFacts& facts, const ComputeSettings& settings);

// The folder that Hora names for a batch script's job; empty where the user has chosen one.
std::string named_folder(Environment environment, const TaskFacts& facts,
                         const ComputeSettings& settings);

// Does Hora do anything for this job? `--hora-off` and no option at all mean no.
bool is_hora_job(const Environment& environment, const TaskFacts& facts);

// The node of rank 0 by its name or address, or that of a script; empty where it cannot be told.
std::string first_node(const Environment& environment, bool is_batch);

}  // namespace hora::spank
