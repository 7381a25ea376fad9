// Does any text break the readers of Slurm's configuration files or of a GPU's name there, or give
// a node GPUs that it cannot have?
#include "libplanner/read/slurm/gres_conf.hpp"

#include <cstdlib>

#include "libplanner/read/machine/device_catalog.hpp"
#include "libplanner/read/machine/device_names.hpp"
#include "libplanner/read/slurm/conf_line.hpp"
#include "tests/fuzz/lines.hpp"

namespace {

void check(const hora::read::GresConf& conf, std::string_view node, std::size_t lines) {
    for (const std::uint32_t line : conf.lines_for(node)) {
        if (line >= conf.lines.size()) {
            std::abort();
        }
    }
    const auto gpus = conf.gpus_of(node);
    for (const auto& gpu : gpus) {
        for (std::size_t i = 1; i < gpu.cores.size(); ++i) {
            if (gpu.cores[i - 1] >= gpu.cores[i]) {
                std::abort();
            }
        }
        if (gpu.line == 0 || gpu.line > lines) {
            std::abort();
        }
    }
    const auto sockets = hora::read::sockets_of(gpus, 2, 8);
    if (!sockets.empty() && sockets.size() != gpus.size()) {
        std::abort();
    }
    for (const std::uint32_t socket : sockets) {
        if (socket >= 2) {
            std::abort();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = hora::fuzz::text_of(data, size);
    const std::size_t lines = hora::fuzz::lines_of(text).size();
    const auto conf = hora::read::parse_gres_conf(text, "fuzz.conf");
    for (const char* node : {"n1", "n2", ""}) {
        check(conf, node, lines);
    }
    for (const std::string_view line : hora::fuzz::lines_of(text)) {
        static_cast<void>(hora::read::named_device(hora::read::known_devices(), line));
    }
    hora::read::ConfLines reader(text);
    std::size_t last = 0;
    while (const auto line = reader.next()) {
        if (line->number <= last || line->number > lines) {
            std::abort();
        }
        last = line->number;
    }
    return 0;
}
