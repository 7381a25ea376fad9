// Has somebody asked for a checkpoint by SIGUSR1 or SIGTERM?
#include "contrib/trainer/requests.hpp"

#include <csignal>

#include <atomic>

namespace hora::trainer::requests {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> is_requested{false};
std::atomic<bool> is_terminated{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void remember(int signal) {
    is_requested = true;
    if (signal == SIGTERM) {
        is_terminated = true;
    }
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

}  // namespace

void listen() {
    handle(SIGUSR1, remember);
    handle(SIGTERM, remember);
    // A launcher may have left them blocked.
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGTERM);
    pthread_sigmask(SIG_UNBLOCK, &both, nullptr);
}

void stop_listening() {
    handle(SIGUSR1, SIG_IGN);
    handle(SIGTERM, SIG_DFL);
    if (is_terminated) {
        raise(SIGTERM);
    }
}

bool take() {
    return is_requested.exchange(false);
}

}  // namespace hora::trainer::requests
