// Does any text break the layer table's reader, or give a network that cannot travel?
#include "libplanner/read/model/layer_table.hpp"

#include <cstdint>
#include <cstdlib>

#include "libplanner/model/workload.hpp"
#include "libplanner/read/model/workload_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto network = hora::read::read_layer_table(text, "fuzz.toml")) {
        const auto workload = hora::model::to_workload(*network, hora::domain::DataType::fp32);
        const auto again = hora::read::read_workload_text(hora::read::to_text(workload));
        if (!again || !(*again == workload)) {
            std::abort();
        }
    }
    return 0;
}
