#include "libplanner/read/survival.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <exception>
#include <functional>
#include <new>

#include "libplanner/read/reading_limits.hpp"
#include "tests/unit/sanitized.hpp"

namespace hora::read {
namespace {

// No byte of them is written, so that the machine need not have them.
bool take(std::size_t bytes) {
    static void* volatile taken = nullptr;
    taken = ::operator new(bytes);
    return taken != nullptr;
}

bool take_and_catch(std::size_t bytes) {
    try {
        return take(bytes);
    } catch (const std::exception&) {
        return true;
    }
}

struct Case {
    const char* sentence;
    std::function<bool()> work;
    bool is_good = false;
    bool is_out_of_memory = false;
};

const Case cases[] = {
    {.sentence = "it comes back", .work = [] { return true; }, .is_good = true},
    {.sentence = "it comes back and has found nothing", .work = [] { return false; }},
    {.sentence = "it crashes", .work = [] { return raise(SIGKILL) != 0; }},
    {.sentence = "it takes what the largest file becomes",
     .work = [] { return take(most_memory / 3 * 2); },
     .is_good = true},
    {.sentence = "it takes too much at once and catches all exceptions",
     .work = [] { return take_and_catch(2 * most_memory); },
     .is_out_of_memory = true},
    {.sentence = "it takes too much bit by bit",
     .work = [] { return take(most_memory / 3 * 2) && take(most_memory / 3 * 2); },
     .is_out_of_memory = true},
};

TEST(Survival, SaysHowTheWorkEnds) {
    for (const Case& row : cases) {
        if (row.is_out_of_memory && tests::is_sanitized()) {
            continue;  // AddressSanitizer ends a process without memory in its own way
        }
        const Survival survival = survive([&](const Survival::Note& note) {
            note(7);
            return row.work();
        });
        EXPECT_EQ(survival.is_good, row.is_good) << row.sentence;
        EXPECT_EQ(survival.is_out_of_memory, row.is_out_of_memory) << row.sentence;
        EXPECT_EQ(survival.place, 7U) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::read
