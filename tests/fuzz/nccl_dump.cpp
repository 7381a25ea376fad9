// Does any text break the readers of NCCL's topology files, or make a machine without its paths?
#include "libplanner/read/nccl/nccl_dump.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "libplanner/read/nccl/nccl_xml.hpp"
#include "tests/fuzz/lines.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto machine = hora::read::read_nccl_dump(text);
    if (machine && machine->paths.size() != machine->gpus.size() * machine->gpus.size()) {
        std::abort();
    }
    const std::size_t lines = hora::fuzz::lines_of(text).size();
    for (const hora::read::NcclXmlProblem& problem : hora::read::nccl_xml_problems(text)) {
        if (problem.line > lines + 1 || problem.what.empty()) {
            std::abort();
        }
    }
    return 0;
}
