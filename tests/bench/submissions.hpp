// What is submitted in the benchmarks, and to which cluster?
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "libplanner/domain/snapshot.hpp"
#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/model/workload.hpp"
#include "libplanner/read/machine/device_catalog.hpp"
#include "libplanner/read/model/workload_text.hpp"

namespace hora::bench {

// So many nodes with 8 GPUs each, all free.
inline domain::Snapshot snapshot_of(std::uint32_t nodes) {
    constexpr std::uint32_t gpus_per_node = 8;
    domain::Snapshot snapshot;
    snapshot.cluster_name = "bench";
    snapshot.written = std::time(nullptr);
    const auto& known = read::known_devices();
    snapshot.cluster.devices = {
        *std::find_if(known.begin(), known.end(),
                      [](const domain::Device& device) { return device.name == "a100-80gb"; })};
    snapshot.cluster.parts.push_back({.kind = domain::PartKind::fabric,
                                      .parent = domain::no_part,
                                      .link = {Bandwidth(12.5e9), Seconds(5e-6)},
                                      .name = "fabric"});
    domain::Partition partition;
    partition.name = "p";
    partition.is_default = true;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::string name = "n" + std::to_string(node + 1);
        const auto part = static_cast<std::uint32_t>(snapshot.cluster.parts.size());
        snapshot.cluster.parts.push_back({.kind = domain::PartKind::node,
                                          .parent = 0,
                                          .link = {Bandwidth(16e9), Seconds(2e-6)},
                                          .name = name});
        snapshot.cluster.nodes.push_back({.name = name, .overhead = Seconds(0), .cpus = 64});
        for (std::uint32_t index = 0; index < gpus_per_node; ++index) {
            snapshot.cluster.gpus.push_back(
                {.node = node, .index = index, .device = 0, .part = part, .is_free = true});
        }
        domain::NodeState state;
        state.free_cpus = 64;
        snapshot.states.push_back(state);
        partition.nodes.push_back(node);
    }
    snapshot.partitions = {partition};
    return snapshot;
}

inline const std::string option_prefix = "_SLURM_SPANK_OPTION_hora_hora_";

inline std::string batch_option(int batch) {
    return option_prefix + "batch=" + std::to_string(batch);
}

// The job control environment of a job that is to be planned; the batch is the second.
inline std::vector<std::string> planned_options() {
    const auto network = model::builtin_network("resnet50");
    return {option_prefix + "model=resnet50", batch_option(256), option_prefix + "samples=1281167",
            option_prefix + "epochs=90",
            "HORA_WORKLOAD=" + read::to_text(model::to_workload(*network, domain::DataType::fp32))};
}

}  // namespace hora::bench
