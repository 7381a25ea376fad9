// What does the file hold that a command is to read, where - means standard input?
#include "scripts/hora/command/input.hpp"

#include <unistd.h>

#include "libplanner/read/file.hpp"
#include "libplanner/read/model/model_file.hpp"
#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

Expected<std::string> read_input(const std::string& path, std::size_t limit) {
    // Not by its name in /dev: a socket has none there, what has been read of a file would come
    // again, and it may belong to somebody else.
    return path == "-" ? read::read_open_file(STDIN_FILENO, input_name(path), limit)
                       : read::read_file(path, limit);
}

std::string input_name(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

Expected<domain::Network> read_network(const std::string& name_or_file,
                                       std::optional<std::uint64_t> sequence) {
    auto network = read::read_model(name_or_file, {.sequence = sequence});
    if (network && !network->remark.empty()) {
        print_remark(network->remark);
    }
    return network;
}

}  // namespace hora::scripts
