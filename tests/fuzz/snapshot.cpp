// Does any text break the reader of snapshots, or give one that is not the same when written again?
#include "libplanner/read/state/snapshot.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "libplanner/report/plan/snapshot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto snapshot = hora::read::read_snapshot(text)) {
        const std::string written = hora::report::to_json(*snapshot);
        const auto back = hora::read::read_snapshot(written);
        if (!back || hora::report::to_json(*back) != written) {
            std::abort();
        }
    }
    return 0;
}
