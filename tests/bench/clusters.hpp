// Clusters of any size for the benchmarks: 3-level fabric, several types of GPU, some busy.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/snapshot.hpp"

namespace hora::bench {

// 8 GPUs a node, two PCIe switches each, 32 nodes a leaf switch; the same for the same arguments.
inline domain::Cluster make_cluster(std::uint32_t nodes, double busy, bool has_history) {
    using namespace hora::literals;
    using domain::PartKind;
    domain::Cluster cluster;
    const double peaks[] = {8.1e12, 15.7e12, 19.5e12, 67e12};
    const double memories[] = {300e9, 900e9, 1555e9, 3350e9};
    const char* const names[] = {"t4", "v100", "a100-40gb", "h100"};
    for (std::size_t i = 0; i < 4; ++i) {
        domain::Device device;
        device.name = names[i];
        device.peak[0] = FlopRate(peaks[i]);
        device.memory_bandwidth = Bandwidth(memories[i]);
        device.memory = Bytes(40e9);
        cluster.devices.push_back(device);
    }
    std::mt19937 random(nodes);
    std::bernoulli_distribution is_busy(busy);
    cluster.parts.push_back({PartKind::fabric, domain::no_part, {2_GBps, 20_us}, "fabric"});
    std::uint32_t leaf = 0;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const auto add = [&](PartKind kind, std::uint32_t parent, domain::Link link) {
            cluster.parts.push_back({kind, parent, link, ""});
            return static_cast<std::uint32_t>(cluster.parts.size() - 1);
        };
        if (node % 32 == 0) {
            leaf = add(PartKind::leaf_switch, 0, {10_GBps, 10_us});
        }
        const Seconds overhead(has_history ? static_cast<double>(random() % 1000) / 100 : 0);
        cluster.nodes.push_back({"n" + std::to_string(node), overhead, 64});
        const std::uint32_t part = add(PartKind::node, leaf, {12_GBps, 5_us});
        const std::uint32_t inside[] = {add(PartKind::pcie_switch, part, {24_GBps, 3_us}),
                                        add(PartKind::pcie_switch, part, {24_GBps, 3_us})};
        const std::uint32_t device = node / 16 % 4;
        for (std::uint32_t i = 0; i < 8; ++i) {
            cluster.gpus.push_back({node, i, device, inside[i / 4], !is_busy(random)});
        }
    }
    return cluster;
}

// Such a cluster as Slurm shows it: all nodes in one partition, with free CPUs for any job.
inline domain::Snapshot make_snapshot(std::uint32_t nodes, double busy) {
    domain::Snapshot snapshot;
    snapshot.cluster = make_cluster(nodes, busy, true);
    domain::Partition partition;
    partition.name = "p";
    partition.is_default = true;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        domain::NodeState state;
        state.free_cpus = 64;
        snapshot.states.push_back(state);
        partition.nodes.push_back(node);
    }
    snapshot.partitions = {partition};
    return snapshot;
}

}  // namespace hora::bench
