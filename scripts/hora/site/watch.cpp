// How does a command do its work again and again?
#include "scripts/hora/site/watch.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace hora::scripts {
namespace {

constexpr int stdout_is_full = 255;  // none of Exit's

// SIGTERM and SIGINT wait until they are asked for; the rounds inherit that.
class Ends {
  public:
    Ends() {
        sigemptyset(&ends_);
        for (const int number : {SIGTERM, SIGINT}) {
            struct sigaction before {};
            ::sigaction(number, nullptr, &before);
            if (before.sa_handler != SIG_IGN) {  // as nohup and scripts have it
                sigaddset(&ends_, number);
            }
        }
        ::sigprocmask(SIG_BLOCK, &ends_, &mask_);
    }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;
    ~Ends() { ::sigprocmask(SIG_SETMASK, &mask_, nullptr); }

    // False when nothing came meanwhile.
    bool come_within(Seconds pause) const {
        const double whole = std::floor(pause.count());
        const timespec length{static_cast<time_t>(whole),
                              static_cast<long>(1e9 * (pause.count() - whole))};
        return ::sigtimedwait(&ends_, nullptr, &length) > 0;
    }

  private:
    sigset_t ends_{};
    sigset_t mask_{};
};

[[noreturn]] void run_and_exit(const std::function<Exit()>& round) {
    const Exit exit = round();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        print_remark(fmt::format("cannot write the output: {}", std::strerror(errno)));
        ::_exit(stdout_is_full);
    }
    ::_exit(static_cast<int>(exit));
}

// False when stdout takes no more; what else was wrong has been said.
bool run_apart(const std::function<Exit()>& round) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child < 0) {
        print_remark(fmt::format("cannot start a process: {}", std::strerror(errno)));
        return true;
    }
    if (child == 0) {
        run_and_exit(round);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return !WIFEXITED(status) || WEXITSTATUS(status) != stdout_is_full;
}

}  // namespace

Exit watch(Seconds pause, const std::function<Exit()>& round) {
    const Ends ends;
    do {
        if (!run_apart(round)) {
            return Exit::failed;
        }
    } while (!ends.come_within(pause));
    return Exit::done;
}

}  // namespace hora::scripts
