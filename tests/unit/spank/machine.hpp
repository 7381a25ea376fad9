// A machine for tests: GPUs 0 and 2 share a switch on one socket, 1 and 3 on the other.
#pragma once

#include "libplanner/domain/topology.hpp"

namespace hora::spank {

inline domain::Topology two_pairs() {
    domain::Topology machine;
    machine.sockets = 2;
    machine.objects.emplace_back();
    for (std::uint32_t gpu = 0; gpu < 4; ++gpu) {
        domain::TopologyObject object;
        object.kind = domain::ObjectKind::gpu;
        object.parent = 0;
        object.address.bus = static_cast<std::uint8_t>(gpu + 1);
        machine.objects.push_back(object);
        domain::TopologyGpu added;
        added.object = gpu + 1;
        added.socket = gpu % 2;
        added.cpus = gpu % 2 == 0 ? std::vector<std::uint32_t>{0, 1, 2, 3}
                                  : std::vector<std::uint32_t>{4, 5, 6, 7};
        machine.gpus.push_back(added);
    }
    for (std::uint32_t a = 0; a < 4; ++a) {
        for (std::uint32_t b = 0; b < 4; ++b) {
            const bool is_near = a % 2 == b % 2;
            machine.paths.push_back({is_near ? domain::PathKind::pix : domain::PathKind::sys,
                                     is_near ? Bandwidth(12e9) : Bandwidth(6e9)});
        }
    }
    return machine;
}

}  // namespace hora::spank
