// What does the file hold that a command is to read, where - means standard input?
#include "scripts/hora/command/input.hpp"

#include "libplanner/read/file.hpp"

namespace hora::scripts {

Expected<std::string> read_input(const std::string& path, std::size_t limit) {
    return read::read_file(path == "-" ? "/dev/stdin" : path, limit);
}

std::string input_name(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

}  // namespace hora::scripts
