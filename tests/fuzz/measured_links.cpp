// Does any file of measured links break its reader, or change a machine in anything but them?
#include "libplanner/read/nccl/measured_links.hpp"

#include <cstdlib>

#include "tests/fuzz/lines.hpp"
#include "tests/unit/spank/machine.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const hora::domain::Topology before = hora::spank::two_pairs();
    hora::domain::Topology machine = before;
    const auto applied = hora::read::apply_measured_links(machine, hora::fuzz::text_of(data, size));
    const std::size_t gpus = machine.gpus.size();
    if (machine.paths.size() != gpus * gpus || (!applied && machine != before)) {
        std::abort();
    }
    for (std::size_t a = 0; a < gpus; ++a) {
        for (std::size_t b = 0; b < gpus; ++b) {
            const auto& path = machine.paths[a * gpus + b];
            if (path.bandwidth < hora::Bandwidth(1) || path.bandwidth > hora::Bandwidth(1e15) ||
                path.bandwidth != machine.paths[b * gpus + a].bandwidth ||
                (path.is_measured && a == b)) {
                std::abort();
            }
        }
    }
    machine.paths = before.paths;
    if (machine != before) {
        std::abort();
    }
    return 0;
}
