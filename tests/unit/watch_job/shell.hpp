// A shell as a batch script's, and whether it is stopped.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "scripts/watch-job/requeue/processes.hpp"
#include "tests/unit/comes_true.hpp"

namespace hora::watch {

using tests::comes_true;

// A shell that runs the text, ended with the test.
class Shell {
  public:
    explicit Shell(const std::string& text) : pid_(fork()) {
        if (pid_ == 0) {
            execl("/bin/sh", "sh", "-c", text.c_str(), nullptr);
            _exit(127);
        }
    }
    Shell(const Shell&) = delete;
    Shell& operator=(const Shell&) = delete;
    ~Shell() {
        for (const Process& process : script_of(all_processes(), pid_)) {
            kill(process.pid, SIGKILL);
        }
        waitpid(pid_, nullptr, 0);
    }

    pid_t pid() const { return pid_; }
    std::size_t size() const { return script_of(all_processes(), pid_).size(); }
    // So many processes, the last of which sleeps. Before its exec it shares the shell's memory,
    // and a shell that waits for that cannot stop.
    void wait_for_sleep(std::size_t wanted) const {
        const auto sleeps = [&] {
            const auto all = script_of(all_processes(), pid_);
            return all.size() == wanted &&
                   std::any_of(all.begin(), all.end(),
                               [](const Process& process) { return process.name == "sleep"; });
        };
        ASSERT_TRUE(comes_true(sleeps));
    }

  private:
    pid_t pid_;
};

inline bool is_stopped(pid_t pid) {
    int status = 0;
    return waitpid(pid, &status, WUNTRACED | WNOHANG) == pid && WIFSTOPPED(status);
}

inline void wait_for_stop(pid_t pid) {
    EXPECT_TRUE(comes_true([pid] { return is_stopped(pid); }));
}

inline bool is_continued(pid_t pid) {
    return comes_true([pid] {
        int status = 0;
        return waitpid(pid, &status, WCONTINUED | WNOHANG) == pid && WIFCONTINUED(status);
    });
}

}  // namespace hora::watch
