// Which signals has the daemon got?
#include "scripts/horad/signals.hpp"

#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace hora::horad {

Expected<Signals> Signals::block() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        sigaddset(&set, signal);
    }
    std::signal(SIGPIPE, SIG_IGN);
    slurm::Descriptor file(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
    if (!file.is_open() || ::sigprocmask(SIG_BLOCK, &set, nullptr) != 0) {
        return failure(fmt::format("cannot take signals: {}", std::strerror(errno)));
    }
    return Signals(std::move(file));
}

std::optional<int> Signals::next() {
    signalfd_siginfo info{};
    const ssize_t size = ::read(file(), &info, sizeof info);
    return size == sizeof info ? std::optional(static_cast<int>(info.ssi_signo)) : std::nullopt;
}

}  // namespace hora::horad
