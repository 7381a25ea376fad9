// Is a crash a finding? Not that of a process in which a reader tries a library, which may crash.
#pragma once

#include <pthread.h>

#include <csignal>

// Of the sanitizers; null without them.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace hora::fuzz {

// libFuzzer keeps the input of each process that a signal or a sanitizer ends, unless it is told
// not to. 0 where that is done.
inline int let_children_die() {
    return pthread_atfork(nullptr, nullptr, [] {
        for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
            static_cast<void>(std::signal(signal, SIG_DFL));
        }
        if (__sanitizer_set_death_callback != nullptr) {
            __sanitizer_set_death_callback(nullptr);
        }
    });
}

}  // namespace hora::fuzz
