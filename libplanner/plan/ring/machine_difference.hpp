// Did NCCL see the machine that the topology describes, and where not?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/topology.hpp"
#include "libplanner/plan/ring/predicted_ring.hpp"

namespace hora::plan {

// Between two GPUs, by the topology's numbers.
struct PathDifference {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    domain::GpuPath described;
    domain::GpuPath seen;
};

// Of the PCIe link above a GPU or a switch; 0 where NCCL could not tell.
struct LinkDifference {
    domain::PciAddress device;
    Bandwidth described;
    Bandwidth seen;
};

// The lowest switch above a GPU.
struct SwitchDifference {
    std::uint32_t gpu = 0;
    std::optional<domain::PciAddress> described;
    std::optional<domain::PciAddress> seen;
};

struct MachineDifference {
    std::vector<std::uint32_t> gpus;          // that both have, by the topology's numbers
    std::vector<std::uint32_t> unseen;        // that NCCL did not see
    std::vector<domain::PciAddress> unknown;  // that the topology lacks
    std::vector<PathDifference> paths;
    std::vector<LinkDifference> links;
    std::vector<SwitchDifference> switches;  // above GPUs whose paths differ
    RingFigures ring;                        // predicted over `gpus`
    RingFigures ring_by_seen;                // the order that what NCCL saw would give

    bool is_none() const {
        return unseen.empty() && unknown.empty() && paths.empty() && links.empty();
    }
};

// For these GPUs of the topology. NCCL distinguishes neither host bridges nor sockets, so "phb" and
// "node" count as one; a measured bandwidth is compared with nothing. Bandwidths differ from 5 %
// on.
MachineDifference compare(const domain::Topology& described, std::span<const std::uint32_t> gpus,
                          const domain::Topology& seen);

}  // namespace hora::plan
