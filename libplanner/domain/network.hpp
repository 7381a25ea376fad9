// A neural network as the cost model sees it: layers with their work and their sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/domain/layer_kind.hpp"

namespace hora::domain {

// All counts are for ONE sample's forward pass; `parameters` do not depend on the batch.
struct Layer {
    std::string name;
    std::string type;                   // "conv2d", "dense", "lstm" ...: the names of layer tables
    std::vector<std::uint64_t> output;  // without the batch dimension
    LayerKind kind = LayerKind::memory;
    std::uint64_t mac = 0;         // multiply-adds (P1: W_i)
    std::uint64_t parameters = 0;  // trainable elements, biases included
    std::uint64_t weights =
        0;  // elements read once a step whatever the batch; P1 leaves biases out
    std::uint64_t activations = 0;  // elements written
};

struct Network {
    std::string name;
    std::vector<Layer> layers;
    std::string remark = {};  // what its file leaves open, and how it was taken; empty: nothing
};

}  // namespace hora::domain
