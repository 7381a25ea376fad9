// Does any text break the workload's reader, or read as something that it would not write?
#include "libplanner/read/model/workload_text.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto workload = hora::read::read_workload_text(text)) {
        if (hora::read::to_text(*workload) != text) {
            std::abort();
        }
    }
    return 0;
}
