// Does any text break the reader of a process's record, or come out as a record that is none?
#include "libplanner/read/trace/rank_record.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto record = hora::read::read_rank_record(text);
    if (!record) {
        return 0;
    }
    for (const auto& call : record->calls) {
        const bool is_known = call.communicator < record->communicators.size() &&
                              call.operation < record->operations.size();
        if (!is_known || !(call.begin <= call.end) ||
            (call.peer && *call.peer >= record->communicators[call.communicator].ranks)) {
            std::abort();
        }
    }
    return 0;
}
