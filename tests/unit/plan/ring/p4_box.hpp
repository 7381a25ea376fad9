// The machine of P4's measurements.
#pragma once

#include "libplanner/domain/topology.hpp"

namespace hora::tests {

// P4's box: two sockets with a switch of two GPUs each; 12 GB/s below a switch, 6 between sockets.
inline domain::Topology p4_box() {
    using domain::ObjectKind;
    domain::Topology box;
    const auto add = [&](ObjectKind kind, std::uint32_t parent, double bandwidth) {
        domain::TopologyObject object;
        object.kind = kind;
        object.parent = parent;
        object.uplink.bandwidth = Bandwidth(bandwidth);
        box.objects.push_back(object);
        return static_cast<std::uint32_t>(box.objects.size() - 1);
    };
    add(ObjectKind::machine, domain::no_object, 0);
    for (std::uint8_t bus : {std::uint8_t{0x03}, std::uint8_t{0x83}}) {
        const std::uint32_t bridge =
            add(ObjectKind::bridge, add(ObjectKind::host_bridge, add(ObjectKind::socket, 0, 0), 0),
                12e9);
        for (std::uint8_t i = 0; i < 2; ++i) {
            const std::uint32_t gpu = add(ObjectKind::gpu, bridge, 12e9);
            box.objects[gpu].address.bus = static_cast<std::uint8_t>(bus + i);
            domain::TopologyGpu one;
            one.object = gpu;
            box.gpus.push_back(one);
        }
    }
    for (std::uint32_t a = 0; a < 4; ++a) {
        for (std::uint32_t b = 0; b < 4; ++b) {
            const bool is_near = a / 2 == b / 2;
            box.paths.push_back({is_near ? domain::PathKind::pix : domain::PathKind::sys,
                                 Bandwidth(is_near ? 12e9 : 6e9), false});
        }
    }
    return box;
}

}  // namespace hora::tests
