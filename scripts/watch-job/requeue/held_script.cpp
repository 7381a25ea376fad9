// For how long is a batch script held still while slurmctld is asked to requeue its job?
#include "scripts/watch-job/requeue/held_script.hpp"

#include <exception>
#include <future>

namespace hora::watch {

HeldScript::HeldScript(const JobMark& mark, pid_t shell)
    : mark_(mark), shell_(shell), frozen_(std::make_unique<Frozen>(shell)) {}

slurm::Answered HeldScript::ask(const Requeue& requeue, Clock::time_point deadline) {
    try {
        auto call = std::async(std::launch::async, [&] { return ask_held(requeue); });
        if (call.wait_until(deadline) == std::future_status::ready) {
            return call.get();
        }
        let_go();
        slurm::Answered answer = call.get();
        stop_again();
        return answer;
    } catch (const std::exception& error) {
        return {slurm::Reply::unreachable, error.what()};
    }
}

// slurmd wakes the script to end it, innermost process first: whoever waited for one that has been
// ended would go on with the next line. So this comes before anything else is asked or waited for.
// A job that was over before it could be requeued needs its script no more either.
slurm::Answered HeldScript::ask_held(const Requeue& requeue) {
    slurm::Answered answer = requeue();
    const std::lock_guard lock(mutex_);
    if (answer.reply == slurm::Reply::done && frozen_) {
        frozen_->end(mark_);
    }
    return answer;
}

void HeldScript::end() {
    const std::lock_guard lock(mutex_);
    if (!frozen_) {
        frozen_ = std::make_unique<Frozen>(shell_);
    }
    frozen_->end(mark_);
}

void HeldScript::let_go() {
    const std::lock_guard lock(mutex_);
    frozen_.reset();
}

void HeldScript::stop_again() {
    const std::lock_guard lock(mutex_);
    frozen_ = std::make_unique<Frozen>(shell_);
}

}  // namespace hora::watch
