// Does any text break the reader of cluster files, or give a tree that is none?
#include "libplanner/read/cluster/cluster_file.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

hora::Expected<hora::read::NodeLayout> no_topology(const std::string&,
                                                   const hora::domain::Device&) {
    return hora::failure("no file is read here");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const hora::read::Settings settings;
    const auto cluster = hora::read::read_cluster(text, "fuzz.toml", settings, &no_topology);
    if (!cluster) {
        return 0;
    }
    for (std::size_t i = 1; i < cluster->parts.size(); ++i) {
        const auto& part = cluster->parts[i];
        if (part.parent >= i || cluster->parts[part.parent].link.bandwidth > part.link.bandwidth) {
            std::abort();
        }
    }
    for (const auto& gpu : cluster->gpus) {
        if (gpu.part >= cluster->parts.size() || gpu.node >= cluster->nodes.size()) {
            std::abort();
        }
    }
    return 0;
}
