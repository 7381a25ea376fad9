// What is to be done next for one resize?
#include "scripts/horad/resize/resize_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/elastic/suspension.hpp"
#include "libplanner/request/checkpoint_signal.hpp"
#include "scripts/horad/resize/next_limit.hpp"
#include "scripts/horad/resize/pending_step.hpp"
#include "scripts/horad/resize/resize_context.hpp"
#include "scripts/horad/resize/restart_step.hpp"

namespace hora::horad {
namespace {

// A report that was sent before the requeue has come by then, from a busy node too.
constexpr Seconds report_delay(10);

// Its GPUs are another job's.
ResizeStep leave_preempted(const ResizeContext& context) {
    return context.finish(Ending::preempted, "Slurm ends this start for a job of higher priority");
}

ResizeStep queued(const ResizeContext& context) {
    const ResizeEntry& entry = context.entry();
    if (context.job().is_preempted) {
        return leave_preempted(context);
    }
    if (entry.was_pending) {
        return context.is_pending() && !context.has_restarted()
                   ? context.go_to(ResizeState::updating_request)
                   : context.finish(Ending::refused, "the job started meanwhile");
    }
    if (context.has_restarted()) {
        return context.finish(Ending::refused, "the job restarted meanwhile");
    }
    if (context.is_running() && context.heard().has_progressed && context.has_settled()) {
        // Written down before it is sent, and never sent again: if it was lost, the job simply
        // runs on.
        ResizeStep step = context.wait();
        step.entry.state = ResizeState::checkpoint_requested;
        step.entry.latest = context.waiting().latest;
        step.entry.reserves_nodes = context.may_reserve_nodes() && !entry.resize.is_unanswered;
        note_limit(step.entry, context.job());
        step.act = Act::signal;
        context.waiting().has_asked = true;
        return step;
    }
    return context.waited() > context.scene().limits.ready
               ? context.finish(Ending::no_checkpoint,
                                "the job has reported no progress since its start")
               : context.wait();
}

// What slurmctld has forgotten. Its nodes have told it by then what they still run.
ResizeStep requeue_anew(const ResizeContext& context) {
    ResizeStep step = context.wait();
    if (!context.job().is_completing && context.has_settled()) {
        ++step.entry.tries;
        step.act = Act::requeue;
    }
    return step;
}

// It has said that its checkpoint stands, and slurmctld was killed before it saved the requeue.
bool has_lost_requeue(const ResizeContext& context, std::int64_t controller) {
    const ResizeEntry& entry = context.entry();
    return entry.ready != 0 && entry.tries < most_tries && context.is_running() &&
           is_another_start(entry.controller, controller);
}

// Likewise, and horad was not there to hear it: nothing is heard of the job from then on. One that
// trains on and reports seldom goes back to its newest checkpoint.
bool may_have_lost_requeue(const ResizeContext& context, std::int64_t controller) {
    const ResizeEntry& entry = context.entry();
    const double since = context.scene().now.wall - context.waited().count();
    return entry.tries < most_tries && context.is_running() &&
           is_another_start(entry.controller, controller) && context.heard().last < since;
}

// Of a daemon that started since, the time before counts as well: one that is itself killed now and
// then would never have waited for long enough.
bool was_silent_for_long(const ResizeContext& context) {
    const Seconds ready = context.scene().limits.ready;
    const Seconds asked(context.scene().now.wall - context.entry().asked);
    return context.waited() > silence * ready || asked > (silence + 1) * ready;
}

ResizeStep without_requeue(const ResizeContext& context) {
    const std::int64_t controller = context.scene().slurm.started();
    if (controller == 0) {
        return context.wait();  // it is away
    }
    if (has_lost_requeue(context, controller)) {
        return requeue_anew(context);
    }
    if (may_have_lost_requeue(context, controller)) {
        return was_silent_for_long(context) ? requeue_anew(context) : context.wait();
    }
    return context.finish(Ending::no_checkpoint, "no checkpoint in time; the job runs on");
}

// A start that did not answer before has no nodes closed to others until it has.
void reserve_late(ResizeEntry& entry, const ResizeContext& context) {
    if (entry.resize.is_unanswered) {
        entry.reserves_nodes = context.may_reserve_nodes();
    }
}

ResizeStep until_requeued(const ResizeContext& context) {
    if (context.has_begun_anew()) {
        return context.finish(Ending::other_size, "the job restarted by itself");
    }
    if (context.waited() > context.scene().limits.ready) {
        return without_requeue(context);
    }
    ResizeStep step = context.wait();
    // What somebody sets while the start runs is that start's.
    note_limit(step.entry, context.job());
    if (step.entry.ready == 0 && context.heard().has_checkpointed) {
        step.entry.ready = context.scene().now.wall;
        reserve_late(step.entry, context);
    }
    return step;
}

// By another one than its program: somebody's command, or slurmctld, for a job of higher priority
// or since a node has failed. What was said to an earlier horad, or while none ran, is not known.
bool is_requeued_by_others(const ResizeContext& context) {
    const ResizeEntry& entry = context.entry();
    return context.waiting().has_asked && entry.tries == 0 && entry.ready == 0 &&
           !context.has_checkpointed();
}

// It keeps the priority of its own.
ResizeStep leave_requeued(const ResizeContext& context) {
    std::optional<Seconds>& unheard = context.waiting().unheard;
    unheard = unheard.value_or(context.scene().now.steady);
    return context.scene().now.steady - *unheard > report_delay
               ? context.finish(Ending::other_size, "the job was requeued without a checkpoint")
               : context.wait();
}

ResizeStep checkpoint_requested(const ResizeContext& context) {
    if (context.job().is_preempted) {
        return leave_preempted(context);
    }
    if (!context.has_restarted()) {
        return until_requeued(context);
    }
    if (!context.is_pending()) {
        return context.finish(Ending::other_size, "the job restarted by itself");
    }
    if (context.job().is_held()) {
        return context.finish(Ending::held, "the job is held");
    }
    if (is_requeued_by_others(context)) {
        return leave_requeued(context);
    }
    ResizeStep step = context.wait();
    step.entry.state = ResizeState::updating_request;
    reserve_late(step.entry, context);
    step.entry.latest = context.waiting().latest;
    step.entry.ready = step.entry.ready != 0 ? step.entry.ready : context.scene().now.wall;
    step.entry.priority = context.job().priority;
    step.entry.restarts = context.job().restarts;
    step.entry.max_nodes = context.job().max_nodes;
    step.entry.rest_of_request = context.job().rest_of_request;
    take_off_run(step.entry, context.job());
    const Resize& resize = context.entry().resize;
    aim_limit(step.entry, context.job(), is_suspension(resize) ? resize.from : resize.to);
    return step;
}

// Once Slurm may start it again it waits as any other job, with what its last start has left of its
// time limit. Until then its entry keeps horad from letting it begin sooner.
ResizeStep suspended(const ResizeContext& context) {
    constexpr Seconds longest(1.25 * elastic::suspended_for.count());
    const slurm::Job& job = context.job();
    if (!context.is_pending()) {
        return context.finish(Ending::suspended, {});
    }
    if (job.is_held() || context.is_changed()) {
        return job.is_held() ? context.finish(Ending::held, "the job is held") : context.leave();
    }
    ResizeStep step = context.wait();
    if (is_limit_due(context.entry(), job) && context.entry().tries < most_tries) {
        ++step.entry.tries;
        step.act = Act::change;
        put_limit(step.change, step.entry, job, step.entry.next_limit);
        return step;
    }
    const bool is_over = !job.is_completing && job.eligible <= job.updated;
    return is_over || context.waited() > longest ? context.finish(Ending::suspended, {}) : step;
}

std::string other_size(const ResizeEntry& entry, std::uint32_t gpus) {
    if (keeps_size(entry.resize) && gpus == entry.resize.to) {
        return fmt::format("restarted as it was: {} it cannot be scheduled ({})",
                           entry.resize.batch == 0 ? "on fewer nodes" : "with another batch",
                           entry.returned_for);
    }
    return entry.returned_for.empty()
               ? fmt::format("it got {} GPUs", gpus)
               : fmt::format("reverted to {} GPUs: with {} it cannot be scheduled ({})", gpus,
                             entry.resize.to, entry.returned_for);
}

ResizeStep verifying(const ResizeContext& context) {
    if (context.is_pending()) {
        return context.finish(Ending::other_size,
                              context.job().restarts == context.entry().restarts
                                  ? "slurmctld was killed and has forgotten that it ran"
                                  : "the job was requeued once more");
    }
    if (context.has_ours() && context.entry().tries < 4 * most_tries) {
        ResizeStep step = context.wait();
        ++step.entry.tries;
        step.act = Act::change;
        step.change = context.give_back();
        return step;
    }
    if (!context.heard().has_progressed && context.waited() < context.scene().limits.first_step) {
        return context.wait();
    }
    const std::uint32_t gpus = context.job().gpus;
    const Resize& resize = context.entry().resize;
    const bool is_back = keeps_size(resize) && !context.entry().returned_for.empty();
    return gpus == resize.to && !is_back
               ? context.finish(Ending::done, {})
               : context.finish(Ending::other_size, other_size(context.entry(), gpus));
}

// Of the start that was asked for its checkpoint.
bool is_of_this_start(const ResizeEntry& entry, const slurm::Job& job) {
    return job.uid == entry.uid && job.restarts == entry.resize.restarts &&
           job.submitted == entry.submitted;
}

// The job had said that its checkpoint stands. It may have been requeued, and slurmctld, killed
// before it saved that, have taken the end of that start for the job's.
bool may_have_ended_by_mistake(const ResizeContext& context) {
    const ResizeEntry& entry = context.entry();
    const auto& job = context.scene().job;
    return entry.state == ResizeState::checkpoint_requested && entry.tries < most_tries && job &&
           job->has_failed && is_of_this_start(entry, *job) &&
           (entry.ready != 0 || context.heard().has_checkpointed);
}

ResizeStep end_as_forgotten(const ResizeContext& context) {
    ResizeStep step = context.finish(Ending::other_size,
                                     "slurmctld was killed and has forgotten that it was requeued");
    // A job whose number in slurmdbd was lost as well takes no change until it is requeued, which
    // is not before this has ended.
    if (!context.waiting().refusal.empty()) {
        step.act = Act::none;
    }
    return step;
}

// A program that is about to end has given its handler up, as Python does: the request has ended
// it.
bool is_ended_by_request(const ResizeContext& context) {
    const ResizeEntry& entry = context.entry();
    const auto& job = context.scene().job;
    return entry.state == ResizeState::checkpoint_requested && job &&
           request::is_request(entry.resize.signal, job->failed_by) &&
           is_of_this_start(entry, *job);
}

// Its next start goes on from its newest checkpoint.
ResizeStep make_good(const ResizeContext& context) {
    if (context.job().is_completing) {
        return context.wait();
    }
    ResizeStep step =
        context.finish(Ending::no_checkpoint,
                       "the signal that asked for a checkpoint ended its program; it was requeued");
    step.act = Act::requeue;
    return step;
}

}  // namespace

ResizeStep next_step(const ResizeEntry& entry, Waiting& waiting, const Scene& scene) {
    const ResizeContext context(entry, waiting, scene);
    if (may_have_ended_by_mistake(context)) {
        const std::int64_t controller = scene.slurm.started();
        if (controller == 0 || is_another_start(entry.controller, controller)) {
            ResizeStep step = controller == 0 ? context.wait() : requeue_anew(context);
            step.entry.ready = entry.ready != 0 ? entry.ready : scene.now.wall;
            return step;
        }
    }
    if (is_ended_by_request(context)) {
        return make_good(context);
    }
    if (!context.is_alive()) {
        return context.finish(Ending::ended, "the job is over");
    }
    if (is_requeue_forgotten(entry, *scene.job)) {
        return end_as_forgotten(context);
    }
    waiting.latest = std::max({waiting.latest, entry.latest, context.latest()});
    switch (entry.state) {
        case ResizeState::queued:
            return queued(context);
        case ResizeState::checkpoint_requested:
            return checkpoint_requested(context);
        case ResizeState::updating_request:
            return entry.was_pending             ? pending_step(context)
                   : is_suspension(entry.resize) ? suspended(context)
                                                 : updating_step(context);
        case ResizeState::waiting_to_start:
            return waiting_step(context);
        case ResizeState::verifying:
            return verifying(context);
    }
    return context.wait();
}

}  // namespace hora::horad
