// What is to be done next for one resize?
#include "scripts/horad/resize/resize_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scripts/horad/resize/next_limit.hpp"
#include "scripts/horad/resize/pending_step.hpp"
#include "scripts/horad/resize/resize_context.hpp"
#include "scripts/horad/resize/restart_step.hpp"

namespace hora::horad {
namespace {

// What somebody sets while the start runs is that start's.
Seconds limit_of(const slurm::JobView& job) {
    return job.time_limit.value_or(Seconds(0));
}

ResizeStep asked(const ResizeSight& sight) {
    const ResizeEntry& entry = sight.entry();
    if (entry.was_pending) {
        return sight.is_pending() && !sight.has_restarted()
                   ? sight.go_to(ResizeState::sizing)
                   : sight.finish(Ending::refused, "the job started meanwhile");
    }
    if (sight.has_restarted()) {
        return sight.finish(Ending::refused, "the job restarted meanwhile");
    }
    if (sight.is_running() && sight.heard().has_progressed && sight.has_settled()) {
        // Written down before it is sent, and never sent again: if it was lost, the job simply
        // runs on.
        ResizeStep step = sight.wait();
        step.entry.state = ResizeState::signalled;
        step.entry.latest = sight.waiting().latest;
        step.entry.limit = limit_of(sight.job());
        step.act = Act::signal;
        return step;
    }
    return sight.waited() > sight.scene().limits.ready
               ? sight.finish(Ending::unanswered,
                              "the job has reported no progress since its start")
               : sight.wait();
}

// What slurmctld has forgotten. Its nodes have told it by then what they still run.
ResizeStep requeue_anew(const ResizeSight& sight) {
    ResizeStep step = sight.wait();
    if (!sight.job().is_completing && sight.has_settled()) {
        ++step.entry.tries;
        step.act = Act::requeue;
    }
    return step;
}

// It has said that its checkpoint stands, and slurmctld was killed before it saved the requeue.
bool has_lost_requeue(const ResizeSight& sight) {
    const ResizeEntry& entry = sight.entry();
    return entry.ready != 0 && entry.tries < most_tries && sight.is_running() &&
           entry.controller != sight.scene().slurm.started();
}

ResizeStep until_requeued(const ResizeSight& sight) {
    if (sight.waited() > sight.scene().limits.ready) {
        if (has_lost_requeue(sight)) {
            return requeue_anew(sight);
        }
        return sight.finish(Ending::unanswered, "no checkpoint in time; the job runs on");
    }
    ResizeStep step = sight.wait();
    step.entry.limit = limit_of(sight.job());
    if (step.entry.ready == 0 && sight.heard().has_checkpointed) {
        step.entry.ready = sight.scene().now.wall;
    }
    return step;
}

ResizeStep signalled(const ResizeSight& sight) {
    if (!sight.has_restarted()) {
        return until_requeued(sight);
    }
    if (!sight.is_pending()) {
        return sight.finish(Ending::other_size, "the job restarted by itself");
    }
    if (sight.job().is_held) {
        return sight.finish(Ending::held, "the job is held");
    }
    ResizeStep step = sight.wait();
    step.entry.state = ResizeState::sizing;
    step.entry.latest = sight.waiting().latest;
    step.entry.ready = step.entry.ready != 0 ? step.entry.ready : sight.scene().now.wall;
    step.entry.priority = sight.job().priority;
    step.entry.restarts = sight.job().restarts;
    step.entry.max_nodes = sight.job().max_nodes;
    step.entry.rest_of_request = sight.job().rest_of_request;
    step.entry.next_limit = next_limit(sight.entry(), sight.job());
    return step;
}

std::string other_size(const ResizeEntry& entry, std::uint32_t gpus) {
    return entry.returned_for.empty()
               ? fmt::format("it got {} GPUs", gpus)
               : fmt::format("reverted to {} GPUs: with {} it cannot be scheduled ({})", gpus,
                             entry.resize.to, entry.returned_for);
}

ResizeStep running(const ResizeSight& sight) {
    if (sight.is_pending()) {
        return sight.finish(Ending::other_size,
                            sight.job().restarts == sight.entry().restarts
                                ? "slurmctld was killed and has forgotten that it ran"
                                : "the job was requeued once more");
    }
    if (sight.has_our_priority() && sight.entry().tries < 4 * most_tries) {
        ResizeStep step = sight.wait();
        ++step.entry.tries;
        step.act = Act::change;
        step.change = sight.own_priority();
        return step;
    }
    if (!sight.heard().has_progressed && sight.waited() < sight.scene().limits.first_step) {
        return sight.wait();
    }
    const std::uint32_t gpus = sight.job().held_gpus();
    return gpus == sight.entry().resize.to
               ? sight.finish(Ending::done, {})
               : sight.finish(Ending::other_size, other_size(sight.entry(), gpus));
}

// The job had said that its checkpoint stands, and was requeued. slurmctld, killed before it saved
// that, took the end of that start for the job's.
bool is_end_by_mistake(const ResizeSight& sight) {
    const ResizeEntry& entry = sight.entry();
    const auto& job = sight.scene().job;
    return entry.state == ResizeState::signalled && entry.ready != 0 && entry.tries < most_tries &&
           job && job->has_failed && job->uid == entry.uid &&
           job->restarts == entry.resize.restarts && job->submitted == entry.submitted &&
           entry.controller != sight.scene().slurm.started();
}

}  // namespace

ResizeStep next_step(const ResizeEntry& entry, Waiting& waiting, const Scene& scene) {
    const ResizeSight sight(entry, waiting, scene);
    if (is_end_by_mistake(sight)) {
        return requeue_anew(sight);
    }
    if (!sight.is_alive()) {
        return sight.finish(Ending::ended, "the job is over");
    }
    if (sight.is_requeue_forgotten()) {
        return sight.finish(Ending::other_size,
                            "slurmctld was killed and has forgotten that it was requeued");
    }
    waiting.latest = std::max({waiting.latest, entry.latest, sight.latest()});
    switch (entry.state) {
        case ResizeState::asked:
            return asked(sight);
        case ResizeState::signalled:
            return signalled(sight);
        case ResizeState::sizing:
            return entry.was_pending ? pending_step(sight) : sizing_step(sight);
        case ResizeState::releasing:
            return releasing_step(sight);
        case ResizeState::running:
            return running(sight);
    }
    return sight.wait();
}

}  // namespace hora::horad
