// What network did the user mean: a built-in one, a layer table (.toml) or an .onnx file?
#include "libplanner/read/model_file.hpp"

#include <string>

#include "libplanner/read/file.hpp"
#include "libplanner/read/layer_table.hpp"
#include "libplanner/read/onnx_model.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {

Expected<domain::Network> read_model(std::string_view name_or_file,
                                     const model::NetworkOptions& options) {
    if (name_or_file.ends_with(".onnx")) {
        return read_onnx_file(std::string(name_or_file), options);
    }
    if (name_or_file.ends_with(".toml")) {
        return read_file(std::string(name_or_file), max_layer_table)
            .and_then([&](const std::string& text) {
                return read_layer_table(text, name_or_file, options);
            });
    }
    if (name_or_file.find('/') != std::string_view::npos) {
        return wrong_use("cannot tell what " + quoted(name_or_file) +
                         " is: a model file's name ends in \".toml\" or \".onnx\"");
    }
    return model::builtin_network(name_or_file, options);
}

}  // namespace hora::read
