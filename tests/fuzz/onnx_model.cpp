// Does any model break the ONNX reader, or give a network that cannot travel?
// The corpus is kept as text (protobuf's text format), so that a person can read and change it.
#include "libplanner/read/onnx/onnx_model.hpp"

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>

#include <cstdint>
#include <cstdlib>

#include "libplanner/model/workload.hpp"
#include "libplanner/read/model/workload_text.hpp"
#include "tests/fuzz/tried_apart.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    return hora::fuzz::let_children_die();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const google::protobuf::LogSilencer silencer;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    onnx::ModelProto model;
    if (google::protobuf::TextFormat::ParseFromString(bytes, &model)) {
        bytes = model.SerializeAsString();
    }
    if (const auto network = hora::read::read_onnx_model(bytes, "fuzz.onnx", {.sequence = 16})) {
        const auto workload = hora::model::to_workload(*network, hora::domain::DataType::fp32);
        const auto again = hora::read::read_workload_text(hora::read::to_text(workload));
        if (!again || !(*again == workload)) {
            std::abort();
        }
    }
    return 0;
}
