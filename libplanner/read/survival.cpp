// Does a library survive what it is given?
#include "libplanner/read/survival.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace hora::read {
namespace {

void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
    const rlimit both{most, most};
    static_cast<void>(setrlimit(resource, &both));
}

// Its last words are of no use to anybody, and no core is.
[[noreturn]] void run(const std::function<bool()>& work, int answer) {
    constexpr rlim_t most_seconds = 10;
    limit(RLIMIT_CPU, most_seconds);
    limit(RLIMIT_CORE, 0);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    static_cast<void>(dup2(nowhere, STDERR_FILENO));
    const char is_good = work() ? 1 : 0;
    _exit(write(answer, &is_good, 1) == 1 ? 0 : 1);
}

}  // namespace

bool survives(const std::function<bool()>& work) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    const pid_t child = fork();
    if (child == 0) {
        run(work, ends[1]);
    }
    close(ends[1]);
    char answer = 0;
    ssize_t count = 0;
    while (child > 0 && (count = ::read(ends[0], &answer, 1)) < 0 && errno == EINTR) {
    }
    close(ends[0]);
    while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return count == 1 && answer == 1;
}

}  // namespace hora::read
