// How is a program left running that neither a job nor its shell knows of?
#include "plugins/spank/detached.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "libplanner/read/quoted.hpp"

namespace hora::spank {
namespace {

constexpr int place_of_kept = 3;

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (const std::string& text : texts) {
        result.push_back(const_cast<char*>(text.c_str()));  // exec's old signature
    }
    result.push_back(nullptr);
    return result;
}

void close_from(int first) {
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) {
        return;
    }
    const long most = sysconf(_SC_OPEN_MAX);
    for (int descriptor = first; descriptor < (most > 0 ? most : 1024); ++descriptor) {
        close(descriptor);
    }
}

void set_descriptors(int kept) {
    if (kept >= 0 && kept != place_of_kept) {
        dup2(kept, place_of_kept);
    } else if (kept >= 0) {
        fcntl(kept, F_SETFD, 0);
    }
    const int nothing = open("/dev/null", O_RDWR);
    for (int standard = 0; standard <= 2; ++standard) {
        dup2(nothing, standard);
    }
    close_from(kept >= 0 ? place_of_kept + 1 : place_of_kept);
}

void clear_signals() {
    for (int signal = 1; signal < NSIG; ++signal) {
        ::signal(signal, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

// In the child of a child: calls nothing that allocates.
[[noreturn]] void become(char* const* words, char* const* variables, int kept) {
    set_descriptors(kept);
    clear_signals();
    execve(words[0], words, variables);
    _exit(127);
}

}  // namespace

Expected<void> start_detached(const std::vector<std::string>& words, const Variables& environment,
                              int kept) {
    if (access(words.front().c_str(), X_OK) != 0) {
        return failure("cannot run " + read::quoted(words.front()) + ": " + std::strerror(errno));
    }
    std::vector<std::string> entries;
    for (const auto& [name, value] : environment) {
        entries.push_back(name + "=" + value);
    }
    const std::vector<char*> arguments = pointers(words);
    const std::vector<char*> variables = pointers(entries);
    const pid_t child = fork();
    if (child < 0) {
        return failure(std::string("cannot fork: ") + std::strerror(errno));
    }
    if (child == 0) {
        setsid();
        const pid_t grandchild = fork();
        if (grandchild == 0) {
            become(arguments.data(), variables.data(), kept);
        }
        _exit(grandchild < 0 ? errno : 0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return failure(std::string("cannot fork: ") + std::strerror(WEXITSTATUS(status)));
    }
    return {};
}

}  // namespace hora::spank
