// Does a library survive what it is given?
#include "libplanner/read/survival.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

namespace hora::read {
namespace {

void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
    const rlimit both{most, most};
    static_cast<void>(setrlimit(resource, &both));
}

using Work = std::function<bool(const Survival::Note&)>;

// What goes through the pipe: places, and at the end this.
constexpr std::uint64_t is_done = std::numeric_limits<std::uint64_t>::max();

// Its last words are of no use to anybody, and no core is.
[[noreturn]] void run(const Work& work, int answer) {
    constexpr rlim_t most_seconds = 10;
    limit(RLIMIT_CPU, most_seconds);
    limit(RLIMIT_CORE, 0);
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
    const Survival survival = listen(ends[0]);
    close(ends[0]);
    while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return survival;
}

}  // namespace hora::read
