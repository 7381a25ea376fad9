#include "tests/unit/job_submit/daemon_memory.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "plugins/slurm/compat.hpp"

namespace {

constexpr std::uint64_t mark = 0x42424242;
std::atomic<std::size_t> blocks = 0;  // from 23.02 on submissions come at once

struct Header {
    std::uint64_t mark;
    std::uint64_t size;
};

Header* header_of(void* memory) {
    auto* header = static_cast<Header*>(memory) - 1;
    if (header->mark != mark) {
        std::abort();  // as slurmctld does
    }
    return header;
}

}  // namespace

extern "C" {

void* slurm_xcalloc(std::size_t count, std::size_t size, bool, bool, const char*, int,
                    const char*) {
    auto* header = static_cast<Header*>(std::calloc(1, sizeof(Header) + count * size));
    *header = {mark, count * size};
    ++blocks;
    return header + 1;
}

void slurm_xfree(void** place) {
    if (*place != nullptr) {
        Header* header = header_of(*place);
        header->mark = 0;
        std::free(header);
        --blocks;
        *place = nullptr;
    }
}

void* slurm_xrecalloc(void** place, std::size_t count, std::size_t size, bool, bool, const char*,
                      int, const char*) {
    void* grown = slurm_xcalloc(count, size, true, false, "", 0, "");
    if (*place != nullptr) {
        const std::uint64_t old = header_of(*place)->size;
        std::memcpy(grown, *place, old < count * size ? old : count * size);
        slurm_xfree(place);
    }
    *place = grown;
    return grown;
}

char* slurm_xstrdup(const char* text) {
    if (text == nullptr) {
        return nullptr;
    }
    const std::size_t size = std::strlen(text) + 1;
    return static_cast<char*>(
        std::memcpy(slurm_xcalloc(1, size, true, false, "", 0, ""), text, size));
}

}  // extern "C"

namespace hora::submit {

std::size_t living_blocks() {
    return blocks;
}
char* daemon_string(const char* text) {
    return slurm_xstrdup(text);
}

}  // namespace hora::submit
