// Does any text break the reader of NCCL's topology files, or make a machine without its paths?
#include "libplanner/read/nccl/nccl_dump.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto machine = hora::read::read_nccl_dump(text);
    if (machine && machine->paths.size() != machine->gpus.size() * machine->gpus.size()) {
        std::abort();
    }
    return 0;
}
