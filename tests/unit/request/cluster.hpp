// A small cluster to decide on: n1-n4 with 4 titanx each (8 CPUs), n5-n6 with 4 k80 each.
#pragma once

#include <string>

#include "libplanner/domain/request.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/read/state/alike_nodes.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

inline domain::Device device(const char* name, double peak) {
    domain::Device result;
    result.name = name;
    result.peak[0] = FlopRate(peak);
    result.memory_bandwidth = Bandwidth(400e9);
    result.memory = Bytes(12e9);
    result.pcie = Bandwidth(12e9);
    return result;
}

inline void add_node(domain::Snapshot& snapshot, const std::string& name, std::uint32_t device) {
    const auto node = static_cast<std::uint32_t>(snapshot.cluster.nodes.size());
    const auto part = static_cast<std::uint32_t>(snapshot.cluster.parts.size());
    snapshot.cluster.parts.push_back({.kind = domain::PartKind::node,
                                      .parent = 0,
                                      .link = {Bandwidth(12e9), Seconds(5e-6)},
                                      .name = name});
    snapshot.cluster.nodes.push_back({.name = name, .overhead = Seconds(0), .cpus = 8});
    for (std::uint32_t index = 0; index < 4; ++index) {
        snapshot.cluster.gpus.push_back(
            {.node = node, .index = index, .device = device, .part = part, .is_free = true});
    }
    domain::NodeState state;
    state.free_cpus = 8;
    state.memory_mib = 1000;
    state.features = {device == 0 ? "titanx" : "k80", "gpu"};
    snapshot.states.push_back(state);
}

inline domain::Snapshot small_cluster() {
    domain::Snapshot snapshot;
    snapshot.cluster_name = "small";
    snapshot.written = 1000;
    snapshot.cluster.devices = {device("titanx", 10e12), device("k80", 3e12)};
    snapshot.cluster.parts.push_back({.kind = domain::PartKind::fabric,
                                      .parent = domain::no_part,
                                      .link = {Bandwidth(6e9), Seconds(2e-5)},
                                      .name = "fabric"});
    for (const char* name : {"n1", "n2", "n3", "n4"}) {
        add_node(snapshot, name, 0);
    }
    for (const char* name : {"n5", "n6"}) {
        add_node(snapshot, name, 1);
    }
    domain::Partition all;
    all.name = "p";
    all.nodes = {0, 1, 2, 3, 4, 5};
    all.is_default = true;
    domain::Partition old;
    old.name = "q";
    old.nodes = {4, 5};
    snapshot.partitions = {all, old};
    snapshot.alike = read::alike_nodes(snapshot.cluster);
    snapshot.users = {
        {.uid = 1000, .name = "ann", .default_account = "lab", .default_qos = "normal"}};
    return snapshot;
}

// Much work in few bytes: more GPUs are always faster.
inline domain::Request big_job() {
    domain::Request request;
    request.workload.layers = {
        {.mac = 1'000'000'000, .weight_bytes = 1000, .activation_bytes = 1000}};
    request.batch = 64;
    request.samples = 6400;
    request.epochs = 1;
    request.max_gpus = 8;
    return request;
}

inline Submission batch_job() {
    Submission submission;
    submission.is_batch = true;
    submission.uid = 1000;
    submission.min_cpus = 1;
    return submission;
}

}  // namespace hora::request
