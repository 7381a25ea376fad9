// What network does an .onnx file hold?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/network.hpp"
#include "libplanner/model/networks/builtin.hpp"

namespace hora::read {

constexpr std::size_t max_onnx_file = std::size_t{1} << 30;  // larger ones keep weights elsewhere
constexpr std::size_t max_onnx_nodes = 100'000;

// A dynamic batch of an input becomes one sample; by a fixed one, that of all inputs, the counts
// are divided (onnx_batch.hpp; what the file leaves open is the network's remark). Every other
// dynamic extent is the sequence length. Weights kept in other files are counted by their extents,
// and those files are not opened. Each initializer of floats counts as parameters, and so do
// weights that are quantised. Fails with the node's name when its shapes are not known or its work
// cannot be counted, and always where Hora was built without ONNX.
Expected<domain::Network> read_onnx_file(const std::string& path,
                                         const model::NetworkOptions& options = {});
// The same for bytes at hand; `name` names the network.
Expected<domain::Network> read_onnx_model(std::string_view bytes, std::string_view name,
                                          const model::NetworkOptions& options = {});

}  // namespace hora::read
