// What does one of Slurm's own commands print?
#include "plugins/slurm/command_output.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hora::slurm {

Expected<CommandOutput> output_of(const std::string& command) {
    constexpr std::size_t most_text = 32 << 20;
    FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) {
        return failure("cannot start \"" + command + "\": " + std::strerror(errno));
    }
    CommandOutput output;
    std::array<char, 4096> block{};
    for (std::size_t got = 1; got > 0 && output.text.size() < most_text;) {
        got = std::fread(block.data(), 1, block.size(), pipe);
        output.text.append(block.data(), got);
    }
    output.is_good = ::pclose(pipe) == 0;
    return output;
}

}  // namespace hora::slurm
