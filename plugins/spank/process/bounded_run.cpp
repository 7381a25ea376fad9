// What does a program print, within bounds of time and length?
#include "plugins/spank/process/bounded_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "libplanner/read/quoted.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::spank {
namespace {

using Clock = std::chrono::steady_clock;

using slurm::Descriptor;

struct Pipe {
    Descriptor read_end;
    Descriptor write_end;
};

Pipe open_pipe() {
    int ends[2] = {-1, -1};
    return pipe2(ends, O_CLOEXEC) == 0 ? Pipe{Descriptor(ends[0]), Descriptor(ends[1])} : Pipe{};
}

class SpawnActions {
  public:
    SpawnActions() { posix_spawn_file_actions_init(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }

    posix_spawn_file_actions_t* get() { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

// A caller may ignore the ends of its children: the kernel then keeps no status of them, for us or
// for the program, which would have the same from exec.
class ChildSignal {
  public:
    ChildSignal() {
        struct sigaction action {};
        action.sa_handler = SIG_DFL;
        sigemptyset(&action.sa_mask);
        sigaction(SIGCHLD, &action, &before_);
    }
    ChildSignal(const ChildSignal&) = delete;
    ChildSignal& operator=(const ChildSignal&) = delete;
    ~ChildSignal() { sigaction(SIGCHLD, &before_, nullptr); }

  private:
    struct sigaction before_ {};
};

// 0, or an errno.
int start(const std::vector<std::string>& words, int output, int errors, pid_t& child) {
    std::vector<char*> arguments;
    for (const std::string& word : words) {
        arguments.push_back(const_cast<char*>(word.c_str()));  // exec's old signature
    }
    arguments.push_back(nullptr);
    SpawnActions actions;
    posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(actions.get(), output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(actions.get(), errors, STDERR_FILENO);
    return posix_spawn(&child, arguments[0], actions.get(), nullptr, arguments.data(), environ);
}

struct Stream {
    Descriptor& descriptor;
    std::string& text;
};

// False when it holds more than it may.
bool take(Stream& stream, std::size_t most) {
    std::array<char, 4096> chunk;
    const ssize_t count = ::read(stream.descriptor.number(), chunk.data(), chunk.size());
    if (count > 0) {
        stream.text.append(chunk.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
        stream.descriptor.close();
    }
    return stream.text.size() <= most;
}

// Reads both until they are closed; the reason to stop earlier otherwise.
RunEnd drain(std::array<Stream, 2> streams, RunBounds bounds, Clock::time_point deadline) {
    while (streams[0].descriptor.is_open() || streams[1].descriptor.is_open()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) {
            return RunEnd::took_too_long;
        }
        std::array<pollfd, 2> waits{{{streams[0].descriptor.number(), POLLIN, 0},
                                     {streams[1].descriptor.number(), POLLIN, 0}}};
        if (poll(waits.data(), waits.size(), static_cast<int>(left.count())) < 0 &&
            errno != EINTR) {
            return RunEnd::took_too_long;
        }
        for (std::size_t i = 0; i < streams.size(); ++i) {
            if (waits[i].revents != 0 && !take(streams[i], bounds.output)) {
                return RunEnd::printed_too_much;
            }
        }
    }
    return RunEnd::exited;
}

// A program that closes its output and lives on is waited for only as long as it may take. Leaves
// no status where another part of the process has taken it.
bool has_ended(pid_t child, std::optional<int>& status, Clock::time_point deadline) {
    constexpr timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};
    while (Clock::now() < deadline) {
        int found = 0;
        const pid_t ended = waitpid(child, &found, WNOHANG);
        if (ended == child) {
            status = found;
            return true;
        }
        if (ended < 0 && errno != EINTR) {
            return true;
        }
        nanosleep(&pause, nullptr);
    }
    return false;
}

void end(pid_t child) {
    kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace

RunResult run_bounded(const std::vector<std::string>& words, RunBounds bounds) {
    RunResult result;
    Pipe output = open_pipe();
    Pipe errors = open_pipe();
    if (!output.read_end.is_open() || !errors.read_end.is_open()) {
        result.code = errno;
        return result;
    }
    const Clock::time_point deadline = Clock::now() + bounds.time;
    const ChildSignal child_signal;
    pid_t child = -1;
    result.code = start(words, output.write_end.number(), errors.write_end.number(), child);
    if (result.code != 0) {
        return result;
    }
    output.write_end.close();
    errors.write_end.close();
    result.end =
        drain({Stream{output.read_end, result.output}, Stream{errors.read_end, result.errors}},
              bounds, deadline);
    if (result.end != RunEnd::exited) {
        end(child);
        return result;
    }
    std::optional<int> status;
    if (!has_ended(child, status, deadline)) {
        end(child);
        result.end = RunEnd::took_too_long;
        return result;
    }
    if (!status) {
        result.end = RunEnd::status_unknown;
        return result;
    }
    if (WIFSIGNALED(*status)) {
        result.end = RunEnd::ended_by_signal;
        result.code = WTERMSIG(*status);
        return result;
    }
    result.code = WEXITSTATUS(*status);
    return result;
}

std::string first_line(std::string_view text) {
    text = text.substr(0, text.find('\n'));
    if (text.starts_with("hora: ")) {
        text.remove_prefix(6);
    }
    return read::printable(text, text.size());
}

std::string trouble_of(const std::string& program, const RunResult& result) {
    switch (result.end) {
        case RunEnd::not_started:
            return fmt::format("cannot start {}: {}", read::quoted(program),
                               std::strerror(result.code));
        case RunEnd::ended_by_signal:
            return fmt::format("{} was ended by signal {}", read::quoted(program), result.code);
        case RunEnd::took_too_long:
            return fmt::format("{} took too long", read::quoted(program));
        case RunEnd::printed_too_much:
            return fmt::format("{} printed too much", read::quoted(program));
        case RunEnd::status_unknown:
            return fmt::format("the exit code of {} is not known", read::quoted(program));
        case RunEnd::exited:
            break;
    }
    return fmt::format("{} failed with exit code {}", read::quoted(program), result.code);
}

}  // namespace hora::spank
