// What network did the user mean: a built-in one, a layer table (.toml) or an .onnx file?
#include "libplanner/read/model/model_file.hpp"

#include <filesystem>
#include <string>
#include <system_error>

#include "libplanner/read/file.hpp"
#include "libplanner/read/model/layer_table.hpp"
#include "libplanner/read/onnx/onnx_model.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {

namespace {

// A pipe might never say anything, nor a terminal.
Expected<void> check_plain(const std::string& path) {
    std::error_code problem;  // what is not there is reported where it is opened
    const auto type = std::filesystem::status(path, problem).type();
    using Type = std::filesystem::file_type;
    if (type != Type::regular && type != Type::not_found && type != Type::none) {
        return failure(read::quoted(path) + " is no plain file; give the model's file itself");
    }
    return {};
}

}  // namespace

Expected<domain::Network> read_model(std::string_view name_or_file,
                                     const model::NetworkOptions& options) {
    if (name_or_file.ends_with(".onnx") || name_or_file.ends_with(".toml")) {
        if (const auto plain = check_plain(std::string(name_or_file)); !plain) {
            return unexpected(plain.error());
        }
    }
    if (name_or_file.ends_with(".onnx")) {
        return read_onnx_file(std::string(name_or_file), options);
    }
    if (name_or_file.ends_with(".toml")) {
        return read_file(std::string(name_or_file), max_layer_table)
            .and_then([&](const std::string& text) {
                return read_layer_table(text, name_or_file, options);
            });
    }
    if (name_or_file.find('/') != std::string_view::npos || has_control(name_or_file)) {
        return wrong_use("cannot tell what " + quoted(name_or_file) +
                         " is: a model file's name ends in \".toml\" or \".onnx\"");
    }
    return model::builtin_network(name_or_file, options);
}

}  // namespace hora::read
