// A file with an input of a fuzz target, for readers that open a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace hora::fuzz {

class MemoryFile {
  public:
    explicit MemoryFile(std::string_view text = {}) : number_(memfd_create("fuzz", MFD_CLOEXEC)) {
        append(text);
    }
    ~MemoryFile() { close(number_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }
    void append(std::string_view text) const {
        if (write(number_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
            std::abort();
        }
    }

  private:
    int number_;
};

}  // namespace hora::fuzz
