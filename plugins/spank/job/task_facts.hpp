// What is known of a task or a batch script when it starts, and what is to become of it?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/domain/topology.hpp"
#include "plugins/spank/job/environment.hpp"

namespace hora::spank {

using Cpus = std::vector<std::uint32_t>;  // their numbers, ascending

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
    std::string nccl_topo_file;   // for NCCL_TOPO_FILE; empty: none
    Cpus cpus;                    // that the task may run on now
    bool has_mpi_library = true;  // false: it is not installed here
    bool has_folder = true;       // false: it could not be made
    // Of a range of batches, what horad has given this start; empty: the smallest.
    std::optional<std::uint64_t> batch{};
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

}  // namespace hora::spank
