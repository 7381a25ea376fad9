// Who asks the programs of a step for a checkpoint, whatever launched them, and who ends them when
// their job is taken from them?
#include "scripts/watch-job/step_watch.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/jobs/job_end.hpp"
#include "plugins/spank/process/process_descriptor.hpp"
#include "scripts/watch-job/requeue/processes.hpp"
#include "scripts/watch-job/requeue/ready_file.hpp"

namespace hora::watch {
namespace {

constexpr int for_ever = -1;
constexpr int look_at_end = 100;    // milliseconds: the job is over, or slurmctld does not say
constexpr int look_at_rest = 1000;  // the first task has ended, others may go on

class StepWatch {
  public:
    StepWatch(const Options& options, pid_t slurmstepd, int task, int signals)
        : options_(options),
          slurmstepd_(slurmstepd),
          task_(task),
          signals_(signals),
          parent_(spank::open_process(slurmstepd_)) {}

    void run() {
        while (wait()) {
            for (signalfd_siginfo heard; read(signals_, &heard, sizeof heard) == sizeof heard;) {
                hear(static_cast<int>(heard.ssi_signo));
            }
            if (is_ending_) {
                see_to_end();
            }
        }
    }

  private:
    // False when there is nothing left to stand by.
    bool wait() {
        std::array<pollfd, 3> waits{
            {{signals_, POLLIN, 0}, {parent_.number(), POLLIN, 0}, {task_, POLLIN, 0}}};
        int limit = is_ending_ ? look_at_end : for_ever;
        if (has_task_ended_) {
            waits[2].fd = -1;
            limit = is_ending_ ? look_at_end : look_at_rest;
        }
        poll(waits.data(), waits.size(), limit);
        has_task_ended_ = has_task_ended_ || (waits[2].revents & (POLLIN | POLLERR)) != 0;
        const bool is_alone = waits[1].revents != 0 || getppid() != slurmstepd_;
        return !is_alone && !(has_task_ended_ && programs().empty());
    }

    void hear(int signal) {
        if (signal == SIGTERM) {
            is_ending_ = true;
            end_.reset();
        } else if (signal == (options_.signal == SIGTERM ? SIGUSR1 : options_.signal)) {
            hand_on(signal);
        }
    }

    // slurmctld is asked until it answers: Slurm waits for KillWait, and then kills everything.
    void see_to_end() {
        if (!end_) {
            const auto end = slurm::end_of_start(options_.job, {options_.restarts});
            end_ = end ? std::optional(*end) : std::nullopt;
        }
        if (end_ == slurm::JobEnd::none) {
            is_ending_ = false;
            hand_on(SIGTERM);
        } else if (end_ == slurm::JobEnd::cancelled) {
            is_ending_ = false;
            end_asked();
        } else if (end_ == slurm::JobEnd::other && has_checkpoint()) {
            end_all();
        }
    }

    bool has_checkpoint() const {
        const auto ready = find_ready(options_.folder);
        return ready && ready->restarts == options_.restarts;
    }

    // Of the step; each after its parent, those whose parent has gone last.
    std::vector<Process> programs() const {
        const std::vector<Process> all = all_processes();
        std::vector<Process> found = below(all, slurmstepd_);
        const char* const node = std::getenv("SLURMD_NODENAME");
        const std::array<std::string, 3> marks{
            "SLURM_JOB_ID=" + std::to_string(options_.job), "SLURM_STEP_ID=" + options_.step,
            std::string("SLURMD_NODENAME=") + (node == nullptr ? "" : node)};
        for (const Process& process : all) {
            const bool is_known = std::any_of(found.begin(), found.end(), [&](const Process& one) {
                return one.pid == process.pid;
            });
            if (!is_known && process.parent == 1 && has_variables(process, marks)) {
                found.push_back(process);
                const std::vector<Process> its = below(all, process.pid);
                found.insert(found.end(), its.begin(), its.end());
            }
        }
        std::erase_if(found, [](const Process& process) { return process.pid == getpid(); });
        return found;
    }

    std::vector<Process> asked(const std::vector<Process>& all) const {
        return first_of(all,
                        [&](const Process& process) { return catches(process, options_.signal); });
    }

    // Slurm sends a signal to each task, and to all that it started unless it tracks by cgroups.
    void hand_on(int heard) {
        for (const Process& process : asked(programs())) {
            const bool is_sent =
                heard == options_.signal && (process.parent == slurmstepd_ || slurm_signals_all());
            if (!is_sent) {
                signal_this(process, options_.signal);
            }
        }
    }

    // Where slurmctld does not say, nothing is asked twice.
    bool slurm_signals_all() {
        if (!signals_all_) {
            const auto has_cgroups = slurm::tracks_by_cgroups();
            if (!has_cgroups) {
                return true;
            }
            signals_all_ = !*has_cgroups;
        }
        return *signals_all_;
    }

    // A script's own cleaning up goes on; a step without a program of ours ends as Slurm ends it.
    void end_asked() const {
        const std::vector<Process> all = programs();
        for (const Process& program : asked(all)) {
            if (!options_.is_script) {
                end(all);
                return;
            }
            signal_this(program, SIGKILL);
            end(below(all, program.pid));
        }
    }

    // The script itself is ended by whoever took its job back.
    void end_all() const {
        if (!options_.is_script) {
            end(programs());
        }
    }

    static void end(const std::vector<Process>& processes) {
        for (const Process& process : processes) {
            signal_this(process, SIGKILL);
        }
    }

    const Options& options_;
    const pid_t slurmstepd_;
    const int task_;
    const int signals_;
    const slurm::Descriptor parent_;
    bool has_task_ended_ = false;
    bool is_ending_ = false;
    std::optional<slurm::JobEnd> end_;  // empty: not known yet
    std::optional<bool> signals_all_;
};

}  // namespace

int watch_step(const Options& options) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    // Of any other parent, as of init once slurmstepd has died, all that runs might be taken for
    // it.
    const auto parent = find_process(getppid());
    if (!parent || !parent->name.starts_with("slurmstepd")) {
        std::fputs("hora: this is no child of slurmstepd\n", stderr);
        return 1;
    }
    const slurm::Descriptor signals(signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC));
    const slurm::Descriptor task = options.shell_descriptor >= 0
                                       ? slurm::Descriptor(options.shell_descriptor)
                                       : spank::open_process(options.shell);
    if (!signals.is_open() || !task.is_open()) {
        std::fprintf(stderr, "hora: process %d is not there\n", static_cast<int>(options.shell));
        return 1;
    }
    StepWatch(options, parent->pid, task.number(), signals.number()).run();
    return 0;
}

}  // namespace hora::watch
