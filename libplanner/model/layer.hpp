// What does one layer cost, given what comes in?
//
// P1's rules: a layer's mac are its multiply-adds, its weights are what multiplies the input
// without the biases, and its activations are the elements of its output, so that
// M = element size * (weights + activations). Layers without a weight matrix have mac 0. Where P1
// is silent:
// - normalisation: scale and shift are its weights, since it has no others;
// - embedding: mac 0, and the whole table is weights, for its gradient is exchanged whole; a table
//   tied to a dense layer is that layer's weights and is not counted twice;
// - recurrent: every gate and every state is written once a position;
// - attention: the projections, the scores, their softmax and the context are written; the scores
//   and their softmax are not where it is fused.
#pragma once

#include <span>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/network.hpp"
#include "libplanner/model/layer_spec.hpp"

namespace hora::model {

// Bounds of a network's sums, so that bytes of any data type stay below
// domain::max_workload_number.
constexpr std::uint64_t max_network_mac = std::uint64_t{1} << 50;
constexpr std::uint64_t max_network_elements = std::uint64_t{1} << 47;

// Fails when the inputs do not suit the layer or a count passes the bounds; the message names the
// layer. Only element-wise layers and concatenations take more than one input, and attention two.
Expected<domain::Layer> make_layer(std::string name, const LayerSpec& spec,
                                   std::span<const Shape> inputs);

// The layer that stands for the network's input: no work, but its elements are read.
Expected<domain::Layer> make_input(const Shape& shape);

// True for a layer that only looks at the same elements in another way.
bool is_view(const LayerSpec& spec);

// Fails when the sums over the layers pass the bounds above.
Expected<void> check_sums(const domain::Network& network);

}  // namespace hora::model
