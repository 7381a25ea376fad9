// Does any text break the reader of hora.toml, or give a setting that cannot be written back?
#include "libplanner/read/settings/settings.hpp"

#include <cstdint>
#include <cstdlib>

#include "libplanner/read/settings/setting_text.hpp"

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
    return 0;
}
