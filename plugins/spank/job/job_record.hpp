// What Hora knows of a job and has set in its environment, noted there for the job's later steps.
//
// A batch script hands its environment on to its steps, and to whatever job it submits. The note
// tells what in it is Hora's and of which job, so that a step may replace it, another job drops it,
// and what the user has set is never touched.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/spank/job/environment.hpp"

namespace hora::spank {

// Slurm passes variables that start with SLURM_ on even with --export=NONE.
constexpr std::string_view record_variable = "SLURM_SPANK_HORA_JOB";

// The types of a job's GPUs on one node, by index; an empty type where Slurm has none.
struct NodeGpus {
    std::string node;
    std::vector<std::string> types;

    friend bool operator==(const NodeGpus&, const NodeGpus&) = default;
};

struct JobRecord {
    std::uint32_t job = 0;
    std::string speeds;           // of the types, as the plan gave them; empty: not known
    std::vector<NodeGpus> gpus;   // empty: not known
    bool is_placed = false;       // may ranks, GPUs and CPUs be put in the ring's order?
    bool keeps_contract = false;  // may be asked for a checkpoint
    bool is_traced = false;       // --hora-timeline
    std::string signal;           // that asks its program for a checkpoint; empty: nothing does
    std::string launch;           // "task", "node": what its tasks are; empty: not said
    std::string allreduce;        // --hora-allreduce; empty: not said
    std::set<std::string> told;   // remarks that the script has made already
    Variables set;                // by Hora, for the whole job
    Variables step_set;           // by Hora, for one step or for the script

    friend bool operator==(const JobRecord&, const JobRecord&) = default;
};

// As srun tells them to the tasks of its step; nothing on anything that to_text does not write.
constexpr std::string_view gpus_variable = "SLURM_SPANK_HORA_GPUS";
std::string to_text(const std::vector<NodeGpus>& gpus);
std::optional<std::vector<NodeGpus>> read_node_gpus(std::string_view text);

std::string to_text(const JobRecord& record);

// Empty on anything that to_text does not write: the user can put anything there.
std::optional<JobRecord> read_job_record(std::string_view text);

}  // namespace hora::spank
