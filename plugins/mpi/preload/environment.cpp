// What the program starts is not the program: the library takes itself out of the environment.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace hora::mpi {
namespace {

constexpr std::string_view variable = "LD_PRELOAD=";
constexpr std::string_view library = "libhora_mpi.so";

bool is_library(std::string_view path) {
    path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
    return path == library;
}

// The value without the library's path, in the same memory.
void remove_library(char* value) {
    constexpr std::string_view separators = ": ";
    char* kept = value;
    for (std::string_view rest = value; !rest.empty();) {
        const std::string_view path = rest.substr(0, rest.find_first_of(separators));
        if (!path.empty() && !is_library(path)) {
            if (kept != value) {
                *kept++ = ':';
            }
            std::memmove(kept, path.data(), path.size());
            kept += path.size();
        }
        rest.remove_prefix(std::min(rest.size(), path.size() + 1));
    }
    *kept = '\0';
}

// Not by unsetenv(): a shell has a setenv() of its own, and has not begun when this is called.
__attribute__((constructor)) void leave_environment() {
    char** kept = environ;
    if (kept == nullptr) {
        return;
    }
    for (char** entry = environ; *entry != nullptr; ++entry) {
        if (std::string_view(*entry).starts_with(variable)) {
            char* const value = *entry + variable.size();
            remove_library(value);
            if (*value == '\0') {
                continue;
            }
        }
        *kept++ = *entry;
    }
    *kept = nullptr;
}

}  // namespace
}  // namespace hora::mpi
