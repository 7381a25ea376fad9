// What network did the user mean: a built-in one, a layer table (.toml) or an .onnx file?
#pragma once

#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/network.hpp"
#include "libplanner/model/networks/builtin.hpp"

namespace hora::read {

// A name that ends in ".toml" or ".onnx", or holds a "/", is a file; else it is a built-in network.
// Fails with wrong_use when neither is known, with failed when the file cannot be read or says
// something else than a network.
Expected<domain::Network> read_model(std::string_view name_or_file,
                                     const model::NetworkOptions& options = {});

}  // namespace hora::read
