// What the controller's plugin may know of the cluster, written by somebody else a moment ago.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/measured.hpp"

namespace hora::domain {

// Slurm's facts of a node; same index as Cluster::nodes.
struct NodeState {
    bool is_usable = true;  // neither down, drained nor reserved for maintenance
    bool answers = true;    // slurmctld's questions; where not, nothing of it is free
    std::uint32_t free_cpus = 0;
    std::uint32_t sockets = 1;
    std::uint32_t cores_per_socket = 1;
    std::uint32_t threads_per_core = 1;
    std::uint64_t memory_mib = 0;
    std::vector<std::string> features;  // active ones
    // Slurm's socket of each GPU, by its index: what tres_per_socket counts by. Empty: not known.
    std::vector<std::uint32_t> gpu_sockets;
};

// Of a job that says nothing of memory, in MiB; at most one is there. None: nothing is set, or
// Slurm does not allocate memory.
struct DefaultMemory {
    std::optional<std::uint32_t> per_gpu;
    std::optional<std::uint32_t> per_cpu;
    std::optional<std::uint32_t> per_node;
};

struct Partition {
    std::string name;
    std::vector<std::uint32_t> nodes;  // indices into Cluster::nodes, ascending
    bool is_up = true;
    bool is_default = false;
    std::optional<std::uint32_t> max_nodes;  // a job may have
    std::optional<Seconds> max_time;
    std::optional<std::uint32_t> max_cpus_per_node;
    // What a job gets that says nothing of CPUs.
    std::optional<std::uint32_t> default_cpus_per_gpu;
    std::string qos;  // the partition's own, empty = none
    DefaultMemory default_memory{};
};

struct Caps {
    std::optional<std::uint32_t> gpus;
    std::optional<std::uint32_t> nodes;
    std::optional<std::uint32_t> cpus;
    std::optional<std::uint32_t> memory{};   // MiB
    std::optional<std::uint32_t> billing{};  // in the weights of partitions
};

// A limit of a QOS or an association. It binds each job whose fields equal all non-empty ones here.
struct Allowance {
    std::string qos;
    std::string account;
    std::string user;
    std::string partition;
    Caps per_job;      // one job may ask for
    Caps per_node;     // on each of its nodes
    Caps per_user;     // of a QOS: all jobs of one user; where `user` is named, what is left of it
    Caps per_account;  // likewise
    Caps left;         // is still free of what a group of jobs shares
    std::optional<Seconds> max_time;
    bool outweighs_partition = false;  // of a QOS: over the partition's own
};

// Of a job with this account that names no QOS; where `partition` is named, in that one only.
struct DefaultQos {
    std::string account;
    std::string partition;
    std::string qos;
};

// Where a job goes whose request leaves account or QOS open.
struct User {
    std::uint32_t uid = 0;
    std::string name;
    std::string default_account;
    std::string default_qos;              // with the default account
    std::vector<DefaultQos> other_qos{};  // of further associations; empty: all have the same
};

struct Reservation {
    std::string name;
    std::vector<std::uint32_t> nodes;  // indices into Cluster::nodes, ascending
    std::int64_t starts = 0;           // seconds since the epoch
    std::int64_t ends = 0;
};

struct Snapshot {
    std::string cluster_name;
    std::int64_t written = 0;  // seconds since the epoch
    Cluster cluster;
    // By node: the first that differs from it in nothing but its name and state. Found when the
    // snapshot is read; empty: not looked for.
    std::vector<std::uint32_t> alike;
    std::vector<NodeState> states;
    std::vector<Partition> partitions;
    std::vector<Allowance> allowances;
    std::vector<User> users;
    std::vector<Reservation> reservations;
    std::vector<MeasuredSpeed> measured;
};

}  // namespace hora::domain
