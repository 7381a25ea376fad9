// What does a build without the ONNX library say to an .onnx file?
#include "libplanner/read/onnx/onnx_model.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

tl::unexpected<Error> absent(std::string_view name) {
    return failure("cannot read " + quoted(name) +
                   ": this Hora was built without ONNX; describe the network in a layer table "
                   "(.toml), or rebuild with libonnx-dev and libprotobuf-dev installed");
}

}  // namespace

Expected<domain::Network> read_onnx_file(const std::string& path, const model::NetworkOptions&) {
    return absent(path);
}

Expected<domain::Network> read_onnx_model(std::string_view, std::string_view name,
                                          const model::NetworkOptions&) {
    return absent(name);
}

}  // namespace hora::read
