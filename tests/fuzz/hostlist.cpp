// Does any text break the reader of host lists, or expand to hosts that fold into something else?
#include "libplanner/read/slurm/hostlist.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto hosts = hora::read::expand_hostlist(text, 1000)) {
        const auto again = hora::read::expand_hostlist(hora::read::fold_hostlist(*hosts), 1000);
        if (!again || *again != *hosts) {
            std::abort();
        }
    }
    return 0;
}
