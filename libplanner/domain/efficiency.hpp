// How much of its peak and of its memory bandwidth does a device attain when it trains?
#pragma once

#include <array>
#include <string>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/data_type.hpp"
#include "libplanner/domain/layer_kind.hpp"

namespace hora::domain {

// Without a name: the device's rates are what it attains, and nothing comes on top of them.
struct Efficiency {
    struct Shares {
        std::array<double, layer_kinds.size()> compute{1, 1, 1, 1, 1, 1};  // by LayerKind
        double memory = 1;

        friend bool operator==(const Shares&, const Shares&) = default;
    };

    std::string name;  // of the table in devices.toml
    std::array<Shares, data_types.size()> shares{};
    Seconds layer;               // the least time of a layer's forward pass: its kernel is launched
    Seconds step;                // of every step, whatever the network: data, Python, the driver
    double optimizer_bytes = 0;  // moved by the optimizer for each weight and copy of it

    const Shares& of(DataType type) const { return shares[static_cast<std::size_t>(type)]; }
    double compute(DataType type, LayerKind kind) const {
        return of(type).compute[static_cast<std::size_t>(kind)];
    }
    double memory(DataType type) const { return of(type).memory; }

    // As where programs attain so many times as much of the arithmetic, and of what moves; the
    // least time of a layer goes with the latter.
    Efficiency times(double arithmetic, double moved) const {
        Efficiency scaled = *this;
        for (Shares& one : scaled.shares) {
            for (double& share : one.compute) {
                share *= arithmetic;
            }
            one.memory *= moved;
        }
        scaled.layer = layer / moved;
        scaled.optimizer_bytes = optimizer_bytes / moved;
        return scaled;
    }

    friend bool operator==(const Efficiency&, const Efficiency&) = default;
};

}  // namespace hora::domain
