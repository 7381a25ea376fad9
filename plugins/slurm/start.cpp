// How does a program get its configuration of Slurm, and how long does it wait?
#include "plugins/slurm/start.hpp"

#include <fmt/format.h>
#include <slurm/slurm.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

namespace hora::slurm {
namespace {

constexpr unsigned patience_in_seconds = 30;

// For the handler, which may not allocate.
std::array<char, 200> last_words;
std::size_t length_of_last_words = 0;

extern "C" void give_up(int) {
    static_cast<void>(!::write(STDERR_FILENO, last_words.data(), length_of_last_words));
    ::_exit(1);
}

}  // namespace

Patience::Patience(std::string_view message) {
    length_of_last_words = std::min(message.size(), last_words.size());
    std::copy_n(message.data(), length_of_last_words, last_words.data());
    std::signal(SIGALRM, give_up);
    ::alarm(patience_in_seconds);
}

Patience::~Patience() {
    ::alarm(0);
}

Expected<void> start(std::string_view program) {
    const char* const named = std::getenv("SLURM_CONF");
    if (named != nullptr && ::access(named, R_OK) != 0) {
        return failure(fmt::format("cannot read \"{}\", which SLURM_CONF names", named));
    }
    const Patience patience(
        fmt::format("{}: found no configuration of Slurm; is SLURM_CONF right?\n", program));
    slurm_init(nullptr);
    return {};
}

}  // namespace hora::slurm
