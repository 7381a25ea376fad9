// Which fields of the request change, so that Slurm starts the plan?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/domain/decision.hpp"
#include "libplanner/request/rewrite/placement.hpp"
#include "libplanner/request/rewrite/shape.hpp"
#include "libplanner/request/rewrite/spelling.hpp"

namespace hora::request {

// A number of nodes, tasks or CPUs that a product of a client's numbers came to, as large as one
// may be: Slurm's fields have 32 bits, and the highest numbers mean something else.
std::uint32_t fitted(std::uint64_t number);

// An empty optional leaves the field as it is; an empty string clears it.
struct Rewrite {
    std::optional<std::uint32_t> min_nodes;
    std::optional<std::uint32_t> max_nodes;
    std::optional<std::uint32_t> num_tasks;
    std::optional<std::uint32_t> min_cpus;
    std::optional<std::uint32_t> ntasks_per_node;
    std::optional<std::uint32_t> cpus_per_task;
    std::optional<std::string> tres_per_node;
    std::optional<std::string> tres_per_job;
    std::optional<std::string> tres_per_task;
    std::optional<std::string> features;
    std::optional<std::string> prefer;
    // These three keep the GPUs of a node together, and its CPUs with them.
    std::optional<std::string> tres_per_socket;
    std::optional<std::uint32_t> sockets_per_node;
    std::optional<std::uint32_t> cores_per_socket;
    std::vector<std::string> unset;                         // in the batch script's environment
    std::vector<std::pair<std::string, std::string>> set;   // likewise
    std::vector<std::pair<std::string, std::string>> tell;  // in the job control environment
};

// For GPUs without a task of their own: a CPU each, for the tasks that a salloc starts in them.
// Where its user counted tasks by the node, 22.05 wants them with the tasks.
void ask_for_cpus_of_client(Rewrite& rewrite, std::uint32_t gpus, const Submission& submission);

// What sbatch exported of the request as it was; slurmd sets these anew at every start.
std::vector<std::string> clients_view();

// What HORA_... variables say of the plan.
std::vector<std::pair<std::string, std::string>> variables(const domain::Plan& plan,
                                                           const Shape& shape, std::uint64_t batch);

// That each task of the script is a launcher, also while it has a single GPU; for the SPANK plugin.
void tell_launch(Rewrite& rewrite, const Submission& submission);

Rewrite rewrite_of(const domain::Plan& plan, const Shape& shape,
                   const std::optional<SocketRule>& rule, std::uint64_t batch,
                   const Submission& submission, const Scope& scope,
                   const domain::Snapshot& snapshot, const SpellGpus& spell);

// A job whose number of GPUs changes finds out at each step whether it is independent or sync.
void leave_mode_open(Rewrite& rewrite);

// The environment of a script stays as it was at submission. Of a job with a range of batches the
// node sets HORA_BATCH at each start, and `tell` names the smallest.
void leave_batch_open(Rewrite& rewrite);

std::vector<domain::FieldChange> changes_of(const Rewrite& rewrite, const Submission& submission);

}  // namespace hora::request
