// Does a call succeed within a time, though it may hang for much longer?
#include "scripts/horad/observe/bounded_call.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "plugins/spank/process/process_descriptor.hpp"

namespace hora::horad {
namespace {

[[noreturn]] void make(const std::function<bool()>& call, pid_t parent) {
    // Whoever it is, it holds the lock of a daemon that may be gone.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(1);
    }
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::_exit(call() ? 0 : 1);
}

// Until it ends, or the limit has passed.
void wait_for(pid_t child, std::chrono::milliseconds limit) {
    const slurm::Descriptor process = spank::open_process(child);
    pollfd end{process.number(), POLLIN, 0};
    const auto deadline = std::chrono::steady_clock::now() + limit;
    auto left = limit;
    while (::poll(&end, 1, static_cast<int>(left.count())) < 0 && errno == EINTR) {
        left = std::max(std::chrono::milliseconds(0),
                        std::chrono::ceil<std::chrono::milliseconds>(
                            deadline - std::chrono::steady_clock::now()));
    }
}

}  // namespace

bool succeeds_within(std::chrono::milliseconds limit, const std::function<bool()>& call) {
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) {
        return false;
    }
    if (child == 0) {
        make(call, parent);
    }
    wait_for(child, limit);
    ::kill(child, SIGKILL);  // of no effect on one that has ended
    int status = 0;
    pid_t ended = -1;
    while ((ended = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace hora::horad
