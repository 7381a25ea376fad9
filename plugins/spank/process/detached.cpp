// How is a program left running that neither a job nor its shell knows of?
#include "plugins/spank/process/detached.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "libplanner/read/quoted.hpp"
#include "plugins/spank/process/process_descriptor.hpp"

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

void clear_signals(bool blocks) {
    for (int signal = 1; signal < NSIG; ++signal) {
        ::signal(signal, SIG_DFL);
    }
    sigset_t mask;
    (blocks ? sigfillset : sigemptyset)(&mask);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
}

// What a program is started with, laid out before the fork: after it nothing may be allocated.
class Start {
  public:
    Start(const std::vector<std::string>& words, const Variables& environment, int kept)
        : words_(pointers(words)), kept_(kept) {
        for (const auto& [name, value] : environment) {
            entries_.push_back(name + "=" + value);
        }
        variables_ = pointers(entries_);
    }

    [[noreturn]] void become(bool blocks) const {
        set_descriptors(kept_);
        clear_signals(blocks);
        execve(words_[0], words_.data(), variables_.data());
        _exit(127);
    }

  private:
    std::vector<char*> words_;
    std::vector<std::string> entries_;
    std::vector<char*> variables_;
    int kept_;
};

// By the calls themselves: the C library's would stop to tell threads that are not there.
bool take_groups(const Account& account) {
    return syscall(SYS_setgroups, account.groups.size(), account.groups.data()) == 0 &&
           syscall(SYS_setresgid, account.gid, account.gid, account.gid) == 0;
}

// As waitpid(): where SIGCHLD is ignored there is none, once the child has ended.
pid_t take_status(pid_t child, int& status) {
    pid_t ended = -1;
    do {
        ended = waitpid(child, &status, 0);
    } while (ended < 0 && errno == EINTR);
    return ended;
}

Expected<void> wait_or_kill(pid_t child, std::chrono::milliseconds limit) {
    const slurm::Descriptor process = open_process(child);
    pollfd wait{process.number(), POLLIN, 0};
    const bool has_ended = process.is_open() && poll(&wait, 1, static_cast<int>(limit.count())) > 0;
    if (!has_ended) {
        kill(child, SIGKILL);
    }
    int status = 0;
    if (take_status(child, status) < 0) {
        return failure(std::string("its exit status is unknown: ") + std::strerror(errno));
    }
    return has_ended && WIFEXITED(status) && WEXITSTATUS(status) == 0
               ? Expected<void>()
               : failure("it did not end well");
}

// What the child wrote of its own fork, 0 where that was done. A status may be lost; this is not.
Expected<void> read_outcome(int from) {
    int error = 0;
    ssize_t size = -1;
    do {
        size = ::read(from, &error, sizeof error);
    } while (size < 0 && errno == EINTR);
    if (size != sizeof error) {
        return failure("the child has ended before its fork");
    }
    return error == 0 ? Expected<void>()
                      : failure(std::string("cannot fork: ") + std::strerror(error));
}

Expected<void> check_runs(const std::string& program) {
    return access(program.c_str(), X_OK) == 0
               ? Expected<void>()
               : failure("cannot run " + read::quoted(program) + ": " + std::strerror(errno));
}

}  // namespace

Expected<void> start_detached(const std::vector<std::string>& words, const Variables& environment,
                              int kept) {
    if (const auto runs = check_runs(words.front()); !runs) {
        return runs;
    }
    const Start start(words, environment, kept);
    const std::string name = words.front().substr(words.front().rfind('/') + 1);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return failure(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    const slurm::Descriptor reading(ends[0]);
    slurm::Descriptor writing(ends[1]);
    const pid_t child = fork();
    if (child < 0) {
        return failure(std::string("cannot fork: ") + std::strerror(errno));
    }
    if (child == 0) {
        setsid();
        prctl(PR_SET_NAME, name.c_str());  // it has that from its first moment on
        const pid_t grandchild = fork();
        if (grandchild == 0) {
            start.become(false);
        }
        const int error = grandchild < 0 ? errno : 0;
        _exit(write(writing.number(), &error, sizeof error) == sizeof error ? 0 : 1);
    }
    writing.close();
    const auto outcome = read_outcome(reading.number());
    int status = 0;
    take_status(child, status);
    return outcome;
}

Expected<void> start_beside(const std::vector<std::string>& words, const Variables& environment,
                            int kept) {
    if (const auto runs = check_runs(words.front()); !runs) {
        return runs;
    }
    const Start start(words, environment, kept);
    // One that comes before the program can take it waits.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, 0);
    if (child == 0) {
        setsid();
        start.become(true);
    }
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return child > 0 ? Expected<void>()
                     : failure(std::string("cannot fork: ") + std::strerror(error));
}

Expected<void> run_as(const Account& account, std::vector<std::string> words,
                      const Variables& environment, std::chrono::milliseconds limit) {
    if (const auto runs = check_runs(words.front()); !runs) {
        return runs;
    }
    words.push_back("--uid=" + std::to_string(account.uid));
    const Start start(words, environment, -1);
    const pid_t child = fork();
    if (child < 0) {
        return failure(std::string("cannot fork: ") + std::strerror(errno));
    }
    if (child == 0) {
        setsid();
        if (take_groups(account)) {
            start.become(false);
        }
        _exit(126);
    }
    return wait_or_kill(child, limit);
}

}  // namespace hora::spank
