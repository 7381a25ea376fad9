// What network does a layer table (TOML) describe?
// Keys: version, name, input, layer.{type, name, from, channels, kernel, stride, padding, dilation,
// output_padding, groups, width, vocabulary, layers, bidirectional, heads, key_value_heads, fused,
// parameters, ceil, output, axis, bias}; each type knows its own.
#pragma once

#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/network.hpp"
#include "libplanner/model/networks/builtin.hpp"

namespace hora::read {

constexpr std::size_t max_layer_table = std::size_t{1} << 20;  // bytes
constexpr std::size_t max_table_layers = 4096;

// `file` is for messages, and names the network where the table does not. A sequence length takes
// the place of the input's first extent. On failure: the place, and what is wrong there.
Expected<domain::Network> read_layer_table(std::string_view text, std::string_view file,
                                           const model::NetworkOptions& options = {});

}  // namespace hora::read
