// Does a library survive what it is given?
#include "libplanner/read/survival.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <new>

#include "libplanner/read/reading_limits.hpp"

namespace hora::read {
namespace {

using Work = std::function<bool(const Survival::Note&)>;

// What goes through the pipe: places, and at the end this.
constexpr std::uint64_t is_done = std::numeric_limits<std::uint64_t>::max();

// What the process exits with that gets no more memory.
constexpr int has_no_memory = 3;

// Its last words are of no use to anybody.
[[noreturn]] void run(const Work& work, int answer) {
    constexpr rlim_t most_seconds = 10;
    limit_reading(most_seconds);
    // No exception, which a library could catch, or the work take for a reason of its own.
    std::set_new_handler([] { _exit(has_no_memory); });
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    static_cast<void>(dup2(nowhere, STDERR_FILENO));
    const auto say = [answer](std::uint64_t what) {
        static_cast<void>(!write(answer, &what, sizeof what));
    };
    if (work(say)) {
        say(is_done);
    }
    _exit(0);
}

Survival listen(int answer) {
    Survival survival;
    std::uint64_t said = 0;
    for (ssize_t count = 1; count > 0 || errno == EINTR;) {
        errno = 0;
        count = ::read(answer, &said, sizeof said);
        if (count == sizeof said && said == is_done) {
            survival.is_good = true;
        } else if (count == sizeof said) {
            survival.place = static_cast<std::uint32_t>(said);
        }
    }
    return survival;
}

}  // namespace

Survival survive(const Work& work) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return {};
    }
    const pid_t child = fork();
    if (child == 0) {
        run(work, ends[1]);
    }
    close(ends[1]);
    Survival survival = listen(ends[0]);
    close(ends[0]);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    survival.is_out_of_memory = WIFEXITED(status) && WEXITSTATUS(status) == has_no_memory;
    return survival;
}

}  // namespace hora::read
