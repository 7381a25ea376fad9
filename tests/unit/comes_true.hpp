// Waits for what another process or thread does.
#pragma once

#include <chrono>
#include <ctime>

namespace hora::tests {

inline void pause_a_little() {
    constexpr timespec pause{.tv_sec = 0, .tv_nsec = 2'000'000};
    nanosleep(&pause, nullptr);
}

// Within a minute. A condition that has come true is not asked again.
template <class Condition>
bool comes_true(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    bool is_true = condition();
    while (!is_true && std::chrono::steady_clock::now() < deadline) {
        pause_a_little();
        is_true = condition();
    }
    return is_true;
}

}  // namespace hora::tests
