// Does any text break the reader of host lists or of ranges, or expand to what folds into something
// else?
#include "libplanner/read/slurm/hostlist.hpp"

#include <cstdint>
#include <cstdlib>

#include "libplanner/read/index_ranges.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto hosts = hora::read::expand_hostlist(text, 1000)) {
        const auto again = hora::read::expand_hostlist(hora::read::fold_hostlist(*hosts), 1000);
        if (!again || *again != *hosts) {
            std::abort();
        }
    }
    if (const auto indices = hora::read::expand_ranges(text, 1000)) {
        const auto again = hora::read::expand_ranges(hora::read::fold_ranges(*indices), 1000);
        if (indices->size() > 1000 || !again || *again != *indices) {
            std::abort();
        }
    }
    return 0;
}
