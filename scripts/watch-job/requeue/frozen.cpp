// How is a batch script held still while it is decided whether its job is requeued?
#include "scripts/watch-job/requeue/frozen.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "plugins/spank/process/process_descriptor.hpp"

namespace hora::watch {

// A script that starts processes faster than this is not held whole; Slurm ends those with the job.
constexpr int most_rounds = 20;

// By the other constructor, so that this one's exceptions reach the destructor.
Frozen::Frozen(pid_t shell, const List& list) : Frozen() {
    for (int round = 0; round < most_rounds; ++round) {
        bool is_whole = true;
        for (const Process& process : script_of(list(), shell)) {
            is_whole = (holds(process) || !hold(process, SIGSTOP)) && is_whole;
        }
        if (is_whole) {
            break;
        }
    }
    take_sruns(shell, list);
}

Frozen::~Frozen() {
    let_go();
}

void Frozen::take_sruns(pid_t shell, const List& list) {
    const std::vector<Process> all = list();
    for (const Process& srun : sruns_of(all, script_of(all, shell))) {
        slurm::Descriptor descriptor = spank::open_process(srun.pid);
        if (const auto now = find_process(srun.pid); now && now->start == srun.start) {
            sruns_.push_back({srun, std::move(descriptor)});
        }
    }
}

bool Frozen::holds(const Process& process) const {
    return std::any_of(held_.begin(), held_.end(), [&](const Held& held) {
        return held.process.pid == process.pid && held.process.start == process.start;
    });
}

// False where it has gone, or is another by now.
bool Frozen::hold(const Process& process, int signal) {
    slurm::Descriptor descriptor = spank::open_process(process.pid);
    if (!descriptor.is_open()) {
        return false;
    }
    // Before it is stopped: what is in no list is never let go.
    held_.push_back({process, std::move(descriptor)});
    const auto now = find_process(process.pid);
    const bool is_this = now && now->start == process.start;
    if (is_this) {
        guard_.watch(held_.back().descriptor);
    }
    if (!is_this || !spank::signal_process(held_.back().descriptor, signal)) {
        held_.pop_back();
        return false;
    }
    return true;
}

void Frozen::let_go() {
    if (is_decided_) {
        return;
    }
    is_decided_ = true;
    for (const Held& held : held_) {
        spank::signal_process(held.descriptor, SIGCONT);
    }
    guard_.dismiss();
}

// What this program, killed in the middle of it, leaves stopped, slurmd ends with the job.
void Frozen::end(const JobMark& mark) {
    is_decided_ = true;
    guard_.dismiss();
    for (const Held& held : held_) {
        spank::signal_process(held.descriptor, SIGKILL);
    }
    for (const Held& srun : sruns_) {
        spank::signal_process(srun.descriptor, SIGUSR2);
    }
    end_ranks(mark);
}

void end_ranks(const JobMark& mark, const Frozen::List& list) {
    constexpr int looks = 2;
    for (int look = 0; look < looks; ++look) {
        for (const Process& process : list()) {
            if (process.pid != getpid() && !process.has_ended && is_of_step(process, mark)) {
                signal_this(process, SIGKILL);
            }
        }
    }
}

}  // namespace hora::watch
