// What every `hora` command shares: where it puts data, how it fails.
#include "scripts/hora/command.hpp"

#include <cstdio>

namespace hora::scripts {

void print_data(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

Exit report(const Error& error) {
    std::fprintf(stderr, "hora: %s\n", error.message.c_str());
    return error.kind == ErrorKind::wrong_use ? Exit::wrong_use : Exit::failed;
}

}  // namespace hora::scripts
