// Does any text break the readers of hora.toml, or give a setting that cannot be written back?
#include "libplanner/read/settings/settings.hpp"

#include <cstdint>
#include <cstdlib>

#include "libplanner/read/cluster/site_nodes.hpp"
#include "libplanner/read/settings/setting_text.hpp"

namespace {

hora::Expected<hora::domain::Topology> no_topology(const std::string&) {
    return hora::failure("no file is read here");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto settings = hora::read::read_settings(text, "fuzz.toml")) {
        for (const auto& entry : settings->entries()) {
            const std::string written = hora::read::to_text(entry.value);
            const auto back = hora::read::parse_setting(entry.value, written);
            if (!back || *back != entry.value) {
                std::abort();
            }
        }
    }
    if (const auto site = hora::read::read_site_nodes(text, "fuzz.toml", &no_topology)) {
        for (const auto& [node, inside] : site->inside_of) {
            if (inside >= site->insides.size()) {
                std::abort();
            }
        }
    }
    return 0;
}
