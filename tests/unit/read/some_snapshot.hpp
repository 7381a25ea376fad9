// Snapshots to test with: any small one at random, or a large regular one.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <limits>
#include <string>
#include <vector>

#include "libplanner/domain/snapshot.hpp"

namespace hora::testing {

inline domain::Device some_device(const std::string& name) {
    domain::Device device;
    device.name = name;
    device.peak[0] = FlopRate(6.1e12);
    device.memory_bandwidth = Bandwidth(352e9);
    device.memory = Bytes(12.0 * (1 << 30));
    device.pcie = Bandwidth(12e9);
    device.source = "a test";
    return device;
}

// A node with GPUs under PCIe switches of its own, hung on a part.
inline void add_node(domain::Snapshot& snapshot, const std::string& name, std::uint32_t parent,
                     std::uint32_t gpus, std::uint32_t gpus_per_switch, std::uint32_t device) {
    domain::Cluster& cluster = snapshot.cluster;
    const auto node = static_cast<std::uint32_t>(cluster.nodes.size());
    cluster.nodes.push_back({name, Seconds(0), 16});
    snapshot.states.emplace_back();
    snapshot.states.back().free_cpus = 8;
    const auto body = static_cast<std::uint32_t>(cluster.parts.size());
    if (gpus > 0) {
        cluster.parts.push_back(
            {domain::PartKind::node, parent, {Bandwidth(9e9), Seconds(1e-6)}, name});
    }
    for (std::uint32_t i = 0; i < gpus; ++i) {
        if (i % gpus_per_switch == 0) {
            cluster.parts.push_back({domain::PartKind::pcie_switch,
                                     body,
                                     {Bandwidth(12e9), Seconds(1e-6)},
                                     fmt::format("{} switch {}", name, i / gpus_per_switch)});
        }
        const auto part = static_cast<std::uint32_t>(cluster.parts.size()) - 1;
        cluster.gpus.push_back({node, i, device, part, true});
    }
}

inline domain::Snapshot large_snapshot(std::uint32_t nodes, std::uint32_t nodes_per_leaf) {
    domain::Snapshot snapshot;
    snapshot.cluster_name = "large";
    snapshot.written = 1'700'000'000;
    snapshot.cluster.devices = {some_device("titanx"), some_device("k80")};
    snapshot.cluster.parts.push_back(
        {domain::PartKind::fabric, domain::no_part, {Bandwidth(1e9), Seconds(1e-5)}, ""});
    std::uint32_t leaf = 0;
    domain::Partition all{"all", {}, true, true, {}, {}, {}, {}, ""};
    for (std::uint32_t i = 0; i < nodes; ++i) {
        if (i % nodes_per_leaf == 0) {
            leaf = static_cast<std::uint32_t>(snapshot.cluster.parts.size());
            snapshot.cluster.parts.push_back({domain::PartKind::leaf_switch,
                                              0,
                                              {Bandwidth(5e9), Seconds(2e-6)},
                                              fmt::format("leaf{}", i / nodes_per_leaf)});
        }
        add_node(snapshot, fmt::format("n{}", i + 1), leaf, 8, 4, 0);
        all.nodes.push_back(i);
    }
    snapshot.partitions.push_back(all);
    return snapshot;
}

inline std::optional<std::uint32_t> maybe_count() {
    return *rc::gen::arbitrary<bool>() ? std::optional(*rc::gen::arbitrary<std::uint32_t>())
                                       : std::nullopt;
}

inline std::vector<std::uint32_t> some_indices(std::size_t bound) {
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < bound; ++i) {
        if (*rc::gen::arbitrary<bool>()) {
            indices.push_back(i);
        }
    }
    return indices;
}

inline domain::Caps some_caps() {
    return {maybe_count(), maybe_count(), maybe_count(), maybe_count(), maybe_count()};
}

inline void some_rules(domain::Snapshot& snapshot) {
    const std::size_t nodes = snapshot.cluster.nodes.size();
    const std::string names[] = {"", "a", "physics", "n\"ame", "\xc3\xa4"};
    const auto name = [&] { return names[*rc::gen::inRange(0, 5)]; };
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
        snapshot.partitions.push_back({name(),
                                       some_indices(nodes),
                                       *rc::gen::arbitrary<bool>(),
                                       *rc::gen::arbitrary<bool>(),
                                       maybe_count(),
                                       Seconds(3600),
                                       maybe_count(),
                                       maybe_count(),
                                       name(),
                                       {maybe_count(), maybe_count(), maybe_count()}});
        snapshot.allowances.push_back({name(),
                                       name(),
                                       name(),
                                       name(),
                                       some_caps(),
                                       some_caps(),
                                       some_caps(),
                                       some_caps(),
                                       some_caps(),
                                       {},
                                       *rc::gen::arbitrary<bool>()});
        snapshot.users.push_back({*rc::gen::arbitrary<std::uint32_t>(), name(), name(), name()});
        if (*rc::gen::arbitrary<bool>()) {
            snapshot.users.back().other_qos = {{name(), name(), name()}, {name(), name(), name()}};
        }
        snapshot.reservations.push_back({name(), some_indices(nodes), 1000, 2000});
        snapshot.measured.push_back({maybe_count(), name(), "titanx", 8, 2, 0.25, 1.5, 7, 3, {}});
        if (const auto overhead = maybe_count()) {
            snapshot.measured.back().overhead = Seconds(*overhead % 1000);
        }
        if (const auto late = maybe_count()) {
            snapshot.measured.back().late = static_cast<double>(*late % 9) / 8;
        }
    }
}

// Must run inside a property.
inline domain::Snapshot some_snapshot() {
    domain::Snapshot snapshot = large_snapshot(0, 1);
    domain::Cluster& cluster = snapshot.cluster;
    snapshot.partitions.clear();
    cluster.parts[0].link.bandwidth = Bandwidth(std::numeric_limits<double>::infinity());
    for (std::uint32_t i = *rc::gen::inRange<std::uint32_t>(0, 4); i > 0; --i) {
        const auto parents = static_cast<std::uint32_t>(cluster.parts.size());
        cluster.parts.push_back({domain::PartKind::leaf_switch,
                                 *rc::gen::inRange<std::uint32_t>(0, parents),
                                 {Bandwidth(2e9), Seconds(1e-6)},
                                 fmt::format("leaf{}", i)});
    }
    const auto switches = static_cast<std::uint32_t>(cluster.parts.size());
    const auto nodes = *rc::gen::inRange<std::uint32_t>(0, 8);
    for (std::uint32_t i = 0; i < nodes; ++i) {
        add_node(snapshot, fmt::format("{}{:02}", i % 3 == 0 ? "gpu" : "n", i),
                 *rc::gen::inRange<std::uint32_t>(0, switches),
                 *rc::gen::inRange<std::uint32_t>(0, 5), *rc::gen::inRange<std::uint32_t>(1, 4),
                 *rc::gen::inRange<std::uint32_t>(0, 2));
        snapshot.states.back().is_usable = *rc::gen::arbitrary<bool>();
        snapshot.states.back().answers = *rc::gen::arbitrary<bool>();
        snapshot.states.back().sockets = 2;
        if (*rc::gen::arbitrary<bool>()) {
            for (const domain::Gpu& gpu : cluster.gpus) {
                if (gpu.node == i) {
                    snapshot.states.back().gpu_sockets.push_back(gpu.index % 2);
                }
            }
        }
        snapshot.states.back().features =
            *rc::gen::elementOf(std::vector<std::vector<std::string>>{{}, {"titanx"}, {"a", "b"}});
    }
    for (domain::Gpu& gpu : cluster.gpus) {
        gpu.is_free = *rc::gen::arbitrary<bool>();
    }
    for (std::uint32_t i = 0; i < nodes; ++i) {
        const auto gpus = static_cast<std::uint32_t>(domain::gpus_of_node(cluster, i).size());
        if (gpus > 0 && *rc::gen::arbitrary<bool>()) {
            cluster.nodes[i].mesh = static_cast<std::uint32_t>(cluster.meshes.size());
            domain::Mesh mesh{gpus, Seconds(3e-6), {}};
            for (std::uint32_t set = 0; set < 1U << gpus; ++set) {
                mesh.bandwidths.push_back(Bandwidth(*rc::gen::element(0.0, 2e10, 1.2e11)));
            }
            cluster.meshes.push_back(std::move(mesh));
        }
    }
    some_rules(snapshot);
    return snapshot;
}

}  // namespace hora::testing
