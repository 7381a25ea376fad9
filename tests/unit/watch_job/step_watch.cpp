// Who is asked for a checkpoint by which signal, and who is ended for what slurmctld says?
#include "scripts/watch-job/step_watch.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <new>
#include <string>
#include <utility>

#include "scripts/watch-job/requeue/processes.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/watch_job/controller.hpp"
#include "tests/unit/watch_job/shell.hpp"

namespace hora::watch {
namespace {

// What slurmctld says to the process that watches; both see it.
struct Said {
    std::atomic<std::uint32_t> state = JOB_RUNNING;
    std::atomic<int> error = 0;
    std::atomic<int> looks = 0;
};

// What a process was sent: its name and the signal.
int heard_pipe = -1;
char own_name = ' ';
extern "C" void write_heard(int signal) {
    const std::array<char, 2> heard{own_name, static_cast<char>(signal)};
    [[maybe_unused]] const auto size = write(heard_pipe, heard.data(), heard.size());
}

struct Program {
    char name = 'p';
    int caught = 0;  // has a handler for this; 0: for none
};

[[noreturn]] void wait_for_signals() {
    while (true) {
        pause();
    }
}

void be(const Program& program) {
    own_name = program.name;
    if (program.caught != 0) {
        signal(program.caught, write_heard);
    }
}

bool is_there(pid_t pid) {
    const auto process = find_process(pid);
    return process && !process->has_ended;
}

// A process of the name of slurmstepd, its task, the program that this has started, and the process
// that watches them.
class Step {
  public:
    Step(Options options, const Program& task, const Program& inner,
         const char* proctrack = "proctrack/cgroup")
        : proctrack_(proctrack),
          said_(new (mmap(nullptr, sizeof(Said), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                          -1, 0)) Said()) {
        EXPECT_EQ(pipe(heard_.data()), 0);
        EXPECT_EQ(pipe(numbers_.data()), 0);
        heard_pipe = heard_[1];
        stepd_ = fork();
        if (stepd_ == 0) {
            be_slurmstepd(std::move(options), task, inner);
        }
        for (int i = 0; i < 3; ++i) {
            Number number;
            EXPECT_EQ(read(numbers_[0], &number, sizeof number), sizeof number);
            (number.who == 'i' ? inner_ : number.who == 't' ? task_ : watcher_) = number.pid;
        }
        // Else the first signal would end it.
        EXPECT_TRUE(comes_true([&] { return blocks_signals(watcher_); }));
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() {
        for (const pid_t pid : {inner_, task_, watcher_, stepd_}) {
            if (pid > 0) {
                kill(pid, SIGKILL);
            }
        }
        waitpid(stepd_, nullptr, 0);
        for (const int file : {heard_[0], heard_[1], numbers_[0], numbers_[1]}) {
            close(file);
        }
        munmap(said_, sizeof(Said));
    }

    Said& said() { return *said_; }
    pid_t stepd() const { return stepd_; }
    pid_t task() const { return task_; }
    pid_t inner() const { return inner_; }
    pid_t watcher() const { return watcher_; }
    void send(int signal) const { kill(watcher_, signal); }
    // Sent anew it asks slurmctld anew: what came of the one before is done by then.
    bool has_seen(int signal) {
        const int before = said_->looks;
        send(signal);
        return comes_true([&] { return said_->looks > before; });
    }
    // The next that one of the programs hears: "p10"; "" where that takes too long.
    std::string heard() const {
        pollfd waits{heard_[0], POLLIN, 0};
        std::array<char, 2> heard{};
        constexpr int limit = 10'000;  // milliseconds
        if (poll(&waits, 1, limit) != 1 || read(heard_[0], heard.data(), heard.size()) != 2) {
            return "";
        }
        return heard[0] + std::to_string(heard[1]);
    }
    bool has_heard_more() const {
        pollfd waits{heard_[0], POLLIN, 0};
        return poll(&waits, 1, 0) == 1;
    }

  private:
    static bool blocks_signals(pid_t pid) {
        const std::string status = spank::read_process_text(pid, "status", 8192);
        return is_in_mask(status, "SigBlk", SIGTERM) && is_there(pid);
    }

    struct Number {
        char who = ' ';
        pid_t pid = 0;
    };
    void tell(char who) const {
        const Number number{who, getpid()};
        [[maybe_unused]] const auto size = write(numbers_[1], &number, sizeof number);
    }

    void be_watcher(Options options) {
        controller() = {};
        controller().at_look = [this] {
            controller().jobs = {running_job()};
            controller().jobs[0].job_state = said_->state;
            controller().load_error = said_->error;
            ++said_->looks;
        };
        controller().proctrack = proctrack_;
        options.job = 12;
        options.step = "0";
        _exit(watch_step(options));
    }

    [[noreturn]] void be_slurmstepd(Options options, const Program& task, const Program& inner) {
        prctl(PR_SET_NAME, "slurmstepd");
        const pid_t task_number = fork();
        if (task_number == 0) {
            if (fork() == 0) {
                be(inner);
                tell('i');
                wait_for_signals();
            }
            be(task);
            tell('t');
            wait_for_signals();
        }
        if (fork() == 0) {
            tell('w');
            options.shell = task_number;
            be_watcher(std::move(options));
        }
        while (waitpid(-1, nullptr, 0) > 0) {
        }
        _exit(0);
    }

    const char* const proctrack_;
    Said* const said_;
    std::array<int, 2> heard_{};
    std::array<int, 2> numbers_{};
    pid_t stepd_ = 0;
    pid_t inner_ = 0;
    pid_t task_ = 0;
    pid_t watcher_ = 0;
};

const Program deaf{.name = 'd', .caught = 0};
const Program asked{.name = 'p', .caught = SIGUSR1};
const Program asked_by_term{.name = 'p', .caught = SIGTERM};
const Program asked_below{.name = 'b', .caught = SIGUSR1};

const std::string usr1 = std::to_string(SIGUSR1);
const std::string usr2 = std::to_string(SIGUSR2);
const std::string term = std::to_string(SIGTERM);

TEST(StepWatch, HandsARequestOnToTheFirstThatSlurmHasNotSentItTo) {
    const struct {
        const char* sentence;
        int signal;  // the program's own
        bool has_cgroups;
        Program task;
        Program inner;
        int sent;
        std::string heard;  // "": nothing
    } cases[] = {
        {"Slurm sends to tasks alone", SIGUSR1, true, deaf, asked, SIGUSR1, "p" + usr1},
        {"the task has had it", SIGUSR1, true, asked, asked_below, SIGUSR1, ""},
        {"all have had it", SIGUSR1, false, deaf, asked, SIGUSR1, ""},
        {"the job goes on at its SIGTERM", SIGUSR1, true, asked, asked_below, SIGTERM, "p" + usr1},
        {"to the first that has a handler", SIGUSR1, true, deaf, asked, SIGTERM, "p" + usr1},
        {"whatever tracks the processes", SIGUSR1, false, deaf, asked, SIGTERM, "p" + usr1},
        {"SIGUSR1 stands for SIGTERM", SIGTERM, true, deaf, asked_by_term, SIGUSR1, "p" + term},
        {"to the task as well", SIGTERM, false, asked_by_term, deaf, SIGUSR1, "p" + term},
        {"Slurm has sent its SIGTERM to all", SIGTERM, false, deaf, asked_by_term, SIGTERM, ""},
        {"to tasks alone", SIGTERM, true, deaf, asked_by_term, SIGTERM, "p" + term},
        {"no other signal asks", SIGUSR1, true, deaf, asked, SIGUSR2, ""},
        {"nor the one that stands for another", SIGUSR2, true, deaf, asked, SIGUSR1, ""},
        {"no program has a handler for it", SIGUSR2, true, deaf, asked, SIGTERM, ""},
    };
    for (const auto& row : cases) {
        Options options;
        options.signal = row.signal;
        Step step(options, row.task, row.inner,
                  row.has_cgroups ? "proctrack/cgroup" : "proctrack/linuxproc");
        if (row.sent == SIGTERM) {
            ASSERT_TRUE(step.has_seen(SIGTERM)) << row.sentence;
        } else {
            step.send(row.sent);
        }
        if (!row.heard.empty()) {
            EXPECT_EQ(step.heard(), row.heard) << row.sentence;
        }
        step.said().state = JOB_CANCELLED;
        ASSERT_TRUE(step.has_seen(SIGTERM)) << row.sentence;
        if (row.task.caught == row.signal || row.inner.caught == row.signal) {
            EXPECT_TRUE(comes_true([&] { return !is_there(step.task()); })) << row.sentence;
            EXPECT_TRUE(comes_true([&] { return !is_there(step.inner()); })) << row.sentence;
        } else {
            ASSERT_TRUE(step.has_seen(SIGTERM)) << row.sentence;
            EXPECT_TRUE(is_there(step.task()) && is_there(step.inner())) << row.sentence;
        }
        EXPECT_FALSE(step.has_heard_more()) << row.sentence;
    }
}

TEST(StepWatch, EndsWhatIsOverOnceItsCheckpointStands) {
    const std::uint64_t states[] = {JOB_TIMEOUT | JOB_COMPLETING, JOB_PENDING | JOB_COMPLETING,
                                    JOB_RUNNING | JOB_COMPLETING, JOB_NODE_FAIL, JOB_PREEMPTED};
    for (const std::uint64_t state : states) {
        const tests::ScratchFolder folder;
        Options options;
        options.folder = folder.path();
        options.restarts = 0;
        Step step(options, asked, deaf);
        step.said().state = static_cast<std::uint32_t>(state);
        ASSERT_TRUE(step.has_seen(SIGTERM));
        folder.write("READY", "500 1\n");
        ASSERT_TRUE(step.has_seen(SIGTERM));
        ASSERT_TRUE(step.has_seen(SIGTERM));
        EXPECT_TRUE(is_there(step.task()) && is_there(step.inner())) << "READY of another start";
        folder.write("READY", "500 0\n");
        EXPECT_TRUE(comes_true([&] { return !is_there(step.task()); })) << state;
        EXPECT_TRUE(comes_true([&] { return !is_there(step.inner()); })) << state;
        EXPECT_TRUE(comes_true([&] { return !is_there(step.watcher()); })) << state;
        EXPECT_FALSE(step.has_heard_more()) << state;
    }
}

// A slurmctld that was killed may have forgotten the restart before it.
TEST(StepWatch, AsksForACheckpointInAStartThatIsCountedAsTheOneBefore) {
    Options options;
    options.restarts = 1;
    Step step(options, deaf, asked);
    step.send(SIGTERM);
    EXPECT_EQ(step.heard(), "p" + usr1);
}

TEST(StepWatch, AsksSlurmctldUntilItAnswers) {
    Step step({}, asked, deaf);
    step.said().error = ETIMEDOUT;
    ASSERT_TRUE(step.has_seen(SIGTERM));
    EXPECT_TRUE(comes_true([&] { return step.said().looks > 2; }));
    EXPECT_TRUE(is_there(step.task()));
    step.said().state = JOB_CANCELLED;
    step.said().error = 0;
    EXPECT_TRUE(comes_true([&] { return !is_there(step.task()); }));
}

TEST(StepWatch, LeavesTheScriptItselfToWhoeverEndsIt) {
    const tests::ScratchFolder folder;
    Options options;
    options.is_script = true;
    options.folder = folder.path();
    Step step(options, deaf, asked);
    folder.write("READY", "500 0\n");
    step.said().state = JOB_TIMEOUT;
    ASSERT_TRUE(step.has_seen(SIGTERM));
    ASSERT_TRUE(step.has_seen(SIGTERM));
    EXPECT_TRUE(is_there(step.task()) && is_there(step.inner()));
    step.said().state = JOB_CANCELLED;
    step.send(SIGTERM);
    EXPECT_TRUE(comes_true([&] { return !is_there(step.inner()); }));
    ASSERT_TRUE(step.has_seen(SIGTERM));
    ASSERT_TRUE(step.has_seen(SIGTERM));
    EXPECT_TRUE(is_there(step.task())) << "its own cleaning up goes on";
}

TEST(StepWatch, GoesWithSlurmstepdAndEndsNothing) {
    Step step({}, asked, deaf);
    kill(step.stepd(), SIGKILL);
    EXPECT_TRUE(comes_true([&] { return !is_there(step.watcher()); }));
    EXPECT_TRUE(is_there(step.task()) && is_there(step.inner()));
    EXPECT_FALSE(step.has_heard_more());
}

TEST(StepWatch, GoesWithTheLastOfTheStep) {
    Step step({}, asked, deaf);
    kill(step.inner(), SIGKILL);
    ASSERT_TRUE(step.has_seen(SIGTERM));
    EXPECT_TRUE(is_there(step.watcher()));
    kill(step.task(), SIGKILL);
    EXPECT_TRUE(comes_true([&] { return !is_there(step.watcher()); }));
}

void watch_as(const char* name, pid_t shell) {
    prctl(PR_SET_NAME, name);
    const pid_t watcher = fork();
    if (watcher == 0) {
        Options options;
        options.shell = shell;
        _exit(watch_step(options));
    }
    int status = 0;
    waitpid(watcher, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

TEST(StepWatch, IsNothingBesideAnybodyElse) {
    EXPECT_EXIT(watch_as("bash", getpid()), testing::ExitedWithCode(1),
                "hora: this is no child of slurmstepd");
    EXPECT_EXIT(watch_as("slurmd", getpid()), testing::ExitedWithCode(1),
                "hora: this is no child of slurmstepd");
    EXPECT_EXIT(watch_as("slurmstepd", 0x7ffffff0), testing::ExitedWithCode(1),
                "hora: process 2147483632 is not there");
}

}  // namespace
}  // namespace hora::watch
