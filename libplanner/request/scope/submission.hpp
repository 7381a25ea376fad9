// What a user asked Slurm for, as plain values: nothing of Slurm's types, nothing to free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::request {

// The GPUs a user fixed, in whichever of Slurm's ways.
struct GpuRequest {
    std::optional<std::uint32_t> per_job;
    std::optional<std::uint32_t> per_node;
    std::optional<std::uint32_t> per_task;
    bool is_per_socket = false;  // or tasks per GPU: a shape that is left alone
    bool is_none = false;        // the request says that there are to be none
    std::string type;            // empty: any
    // gpu:a100:1,gpu:t4:1: a mix that no plan can say; `type` is one of them or empty.
    bool has_several_types = false;

    friend bool operator==(const GpuRequest&, const GpuRequest&) = default;

    // The request itself says how many GPUs the job gets, be it none.
    bool is_named() const { return per_job || per_node || per_task || is_per_socket || is_none; }
    // The user gave the job a shape that no plan of so many nodes with so many GPUs can say.
    bool is_shaped() const { return per_task || is_per_socket || (per_job && per_node); }
};

// An empty string or optional is "not said".
struct Submission {
    bool is_batch = false;  // sbatch; srun and salloc fix their tasks before they ask
    bool is_array = false;
    bool is_heterogeneous = false;
    bool forbids_requeue = false;  // --no-requeue
    bool has_open_mode = false;    // --open-mode
    bool has_own_signal = false;   // --signal
    bool has_own_folder = false;   // HORA_CHECKPOINT_DIR
    std::uint32_t uid = 0;
    std::vector<std::string> partitions;
    std::string account;
    std::string qos;
    std::string reservation;
    std::string features;
    std::string prefer;
    std::string required_nodes;
    std::string excluded_nodes;
    std::optional<std::uint32_t> min_nodes;
    std::optional<std::uint32_t> max_nodes;
    std::optional<std::uint32_t> tasks;
    std::optional<std::uint32_t> tasks_per_node;
    std::optional<std::uint32_t> cpus_per_task;
    std::optional<std::uint32_t> cpus_per_gpu;
    std::optional<std::uint32_t> min_cpus;
    std::optional<std::uint64_t> memory_per_node;  // MiB
    std::optional<std::uint64_t> memory_per_cpu;   // MiB
    std::optional<std::uint64_t> memory_per_gpu;   // MiB
    std::optional<Seconds> time_limit;
    bool is_exclusive = false;
    bool has_own_layout = false;  // of sockets, cores or threads, or how GPUs and CPUs are bound
    GpuRequest gpus;
    std::string tres_per_node;  // as written, for the record
    std::string tres_per_job;
    std::string tres_per_socket;
    std::string other_tres_per_node;                           // what else than GPUs stands there
    std::vector<std::pair<std::string, std::string>> options;  // "hora_model" and its value
    std::int64_t submitted = 0;  // HORA_SUBMIT, seconds since the epoch; 0: not said
    std::string workload;        // HORA_WORKLOAD, may be forged

    friend bool operator==(const Submission&, const Submission&) = default;

    // One task a node is a launcher's, such as torchrun: it drives all GPUs of the node.
    bool is_launcher() const { return is_batch && tasks_per_node == 1U; }
    // srun and salloc start one task a node unless -n says how many: such tasks count no GPUs.
    bool has_client_tasks() const {
        return !is_batch && tasks_per_node.value_or(1) == 1 &&
               tasks.value_or(1) == min_nodes.value_or(1);
    }
    // --gres=gpu:N without -N is one node to Slurm, unless the tasks need more of them.
    bool is_on_one_node() const {
        const bool has_many_tasks = tasks && gpus.per_node && *tasks > *gpus.per_node;
        return gpus.per_node && !max_nodes && required_nodes.empty() && !has_many_tasks;
    }
    bool has_fixed_nodes() const {
        return is_on_one_node() || (max_nodes && min_nodes == max_nodes);
    }
};

}  // namespace hora::request
