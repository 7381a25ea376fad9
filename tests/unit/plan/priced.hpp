// A request and a cluster as the planner's parts take them: priced, and with the free GPUs counted.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "libplanner/plan/price/free_gpus.hpp"
#include "libplanner/plan/weigh.hpp"
#include "tests/unit/plan/random_case.hpp"

namespace hora::tests {

struct Priced {
    explicit Priced(RandomCase given)
        : of(std::move(given)),
          pricing(of.request, of.cluster, limit, {.sample_rate = of.request.max_sample_rate}),
          free(pricing, of.request.layout) {}
    Priced(const Priced&) = delete;

    RandomCase of;
    plan::SearchLimit limit;
    plan::Pricing pricing;
    plan::FreeGpus free;
};

// Nodes of some GPUs each, given as indices into the devices by node, on one switch of 1 GB/s; the
// devices take 1 s, 2 s, … of arithmetic for each sample, and as good as none for the exchange.
inline RandomCase plain_case(const std::vector<std::vector<std::uint32_t>>& nodes) {
    RandomCase made;
    made.request.workload.layers = {{1'000'000'000'000, 4, 4}};
    made.request.batch = 64;
    made.request.cost.overlap = false;
    made.request.cost.backward_factor = 1;
    domain::Cluster& cluster = made.cluster;
    cluster.parts.push_back(
        {domain::PartKind::fabric, domain::no_part, {Bandwidth(1e9), Seconds(0)}, "fabric"});
    for (const auto& devices : nodes) {
        const auto node = static_cast<std::uint32_t>(cluster.nodes.size());
        const auto part = static_cast<std::uint32_t>(cluster.parts.size());
        const std::string name = "n" + std::to_string(node + 1);
        cluster.nodes.push_back({name, Seconds(0), 0});
        cluster.parts.push_back({domain::PartKind::node, 0, {Bandwidth(1e10), Seconds(0)}, name});
        for (std::uint32_t index = 0; index < devices.size(); ++index) {
            cluster.gpus.push_back({node, index, devices[index], part, true});
            while (cluster.devices.size() <= devices[index]) {
                domain::Device device;
                device.name = std::string(1, static_cast<char>('a' + cluster.devices.size()));
                // Forward and backward pass, of two operations a multiply-add each.
                device.peak[0] = FlopRate(4e12 / static_cast<double>(cluster.devices.size() + 1));
                device.memory_bandwidth = Bandwidth(1e15);
                cluster.devices.push_back(device);
            }
        }
    }
    return made;
}

}  // namespace hora::tests
