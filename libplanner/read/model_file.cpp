// What network did the user mean: a built-in one, a layer table (.toml) or an .onnx file?
#include "libplanner/read/model_file.hpp"

namespace hora::read {

Expected<domain::Network> read_model(std::string_view name_or_file,
                                     const model::NetworkOptions& options) {
    return model::builtin_network(name_or_file, options);
}

}  // namespace hora::read
