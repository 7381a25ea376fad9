// Does any text break the reader of the daemon's status, or give one that is not the same when
// written again?
#include "libplanner/read/state/status.hpp"

#include <cstdlib>

#include "libplanner/report/jobs/status_json.hpp"
#include "tests/fuzz/lines.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (const auto status = hora::read::read_status(hora::fuzz::text_of(data, size))) {
        const std::string written = hora::report::to_json(*status);
        const auto back = hora::read::read_status(written);
        if (!back || hora::report::to_json(*back) != written) {
            std::abort();
        }
    }
    return 0;
}
