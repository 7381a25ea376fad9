// Does any text break the reader of NCCL's logs, or come out as a ring that is none?
#include "libplanner/read/nccl/nccl_log.hpp"

#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto log = hora::read::read_nccl_log(text);
    if (!log) {
        return 0;
    }
    for (const auto& communicator : *log) {
        for (const auto& ring : communicator.rings) {
            const std::set<std::uint32_t> ranks(ring.ranks.begin(), ring.ranks.end());
            if (ranks.size() != communicator.size || *ranks.rbegin() != communicator.size - 1) {
                std::abort();
            }
        }
    }
    return 0;
}
