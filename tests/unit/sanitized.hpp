// Has the program AddressSanitizer? A test's own source may be compiled without it, and what it
// tests with it, so that the compiler cannot say.
#pragma once

extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __lsan_disable();
[[gnu::weak]] void __lsan_enable();
}

namespace hora::tests {

inline bool is_sanitized() {
    return __asan_init != nullptr;
}

// What is allocated during its life is never reported as leaked.
class LeaksOfOthers {
  public:
    LeaksOfOthers() {
        if (__lsan_disable != nullptr) {
            __lsan_disable();
        }
    }
    ~LeaksOfOthers() {
        if (__lsan_enable != nullptr) {
            __lsan_enable();
        }
    }
    LeaksOfOthers(const LeaksOfOthers&) = delete;
    LeaksOfOthers& operator=(const LeaksOfOthers&) = delete;
};

}  // namespace hora::tests
