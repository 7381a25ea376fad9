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

struct LastWords {
    std::array<char, 200> text;
    std::size_t length;
};

// For the handler, which gets nothing else to read and may not allocate.
LastWords& last_words() {
    static LastWords words;
    return words;
}

extern "C" void give_up(int) {
    static_cast<void>(!::write(STDERR_FILENO, last_words().text.data(), last_words().length));
    ::_exit(1);
}

}  // namespace

Patience::Patience(std::string_view message) {
    LastWords& words = last_words();
    words.length = std::min(message.size(), words.text.size());
    std::copy_n(message.data(), words.length, words.text.data());
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
