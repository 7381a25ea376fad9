// What is next for a job that was requeued to be resized, until it runs again?
#include "scripts/horad/resize/restart_step.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "plugins/slurm/jobs/restart_name.hpp"
#include "plugins/slurm/jobs/restart_time.hpp"
#include "scripts/horad/resize/next_batch.hpp"
#include "scripts/horad/resize/next_limit.hpp"

namespace hora::horad {
namespace {

// slurmctld is told to look each second at first, later less often: its own cycles do the rest.
constexpr Seconds often_woken(10);
constexpr Seconds seldom(5);
// Slurm lets a requeued job begin when its old credential has expired (AuthInfo=cred_expire, 120
// seconds if not said); what is further away is its owner's request.
constexpr std::int64_t longest_of_slurms = 600;

ResizeStep runs(const ResizeContext& context) {
    ResizeStep step = context.go_to(ResizeState::verifying);
    step.entry.runs = context.scene().now.wall;
    return step;
}

void want(const ResizeContext& context, ResizeStep& step, const slurm::JobShape& shape,
          std::uint64_t batch) {
    const slurm::Job& job = context.job();
    step.entry.next_batch = batch;
    if (step.entry.raised != 0 || step.entry.reserves_nodes) {
        step.change.kept_from = job.uid;
    }
    step.entry.wanted_before = std::exchange(step.entry.wanted, shape);
    step.act = Act::change;
    step.change.shape = shape;
    aim_limit(step.entry, job, slurm::gpus_of(shape));
    if (is_limit_due(step.entry, job)) {
        put_limit(step.change, step.entry, job, step.entry.next_limit);
    }
    if (is_batch_due(step.entry, job)) {
        put_batch(step.change, step.entry, job);
    }
}

void want_as_before(const ResizeContext& context, ResizeStep& step) {
    want(context, step, step.entry.was, step.entry.batch_was);
}

// "": out of any.
void put_into(std::string_view reservation, const ResizeContext& context, ResizeStep& step) {
    step.act = Act::change;
    step.change.reservation = reservation;
    step.change.kept_from = context.job().uid;
}

// While its nodes are reserved it can start on them in no other way. What was refused may have been
// just that.
void join_unless_refused(const ResizeContext& context, ResizeStep& step) {
    step.entry.reserves_nodes =
        context.scene().are_nodes_reserved && context.waiting().refusal.empty();
    if (step.entry.reserves_nodes) {
        put_into(slurm::restart_reservation, context, step);
    }
}

// Slurm, or a plugin of the site, has refused the change, which had no reservation any more:
// perhaps for a limit that is longer than before. The size that it had needs none.
bool needs_old_size(const ResizeContext& context) {
    const ResizeEntry& entry = context.entry();
    return !context.waiting().refusal.empty() && !entry.reserves_nodes &&
           entry.next_limit > entry.limit && !(entry.wanted == entry.was);
}

// slurmctld stopped it, since it can never run at its new size: its old one is known to be good.
ResizeStep go_back(const ResizeContext& context) {
    if (context.entry().tries >= most_tries) {
        return context.finish(Ending::refused, "Slurm finds that the job can never run");
    }
    ResizeStep step = context.wait();
    ++step.entry.tries;
    step.change = context.raise(step.entry);
    want_as_before(context, step);
    step.change.is_of_impossible = true;
    return step;
}

// Slurm's own comes from its clock at the requeue, so it is known by either's distance.
bool is_slurms_own_begin(const ResizeEntry& entry, const slurm::Job& job) {
    return entry.begins == 0 ? job.eligible - job.updated < longest_of_slurms ||
                                   job.eligible - job.submitted < longest_of_slurms
                             : job.eligible == entry.waits_until;
}

ResizeStep let_begin(const ResizeContext& context, std::int64_t begins) {
    ResizeStep step = context.wait();
    ++step.entry.tries;
    step.entry.waits_until = context.job().eligible;
    step.entry.begins = begins;
    step.act = Act::change;
    step.change.begins = begins;
    return step;
}

ResizeStep before_begin(const ResizeContext& context) {
    const slurm::Job& job = context.job();
    const ResizeEntry& entry = context.entry();
    context.waiting().eligible.reset();
    const bool is_ours = job.eligible == entry.begins;
    if (is_ours && job.eligible <= job.updated + slurm::memory_of_nodes) {
        return context.wait();
    }
    if ((!is_ours && !is_slurms_own_begin(entry, job)) || entry.tries >= most_tries) {
        return context.finish(Ending::changed, "its owner lets it begin at another time");
    }
    const auto begins = context.next_begin();
    return begins ? let_begin(context, *begins) : context.wait();
}

// slurmctld may have started it between two looks, and was killed before it had saved that. The one
// that runs now tells the node to end it, and the node refuses for good a start of that second.
bool may_have_been_started(const ResizeContext& context) {
    return context.job().eligible <= context.scene().slurm.started() &&
           context.entry().tries < most_tries && !context.has_settled();
}

// What it had is known to start, whatever the new size waits for.
ResizeStep return_to_old_size(const ResizeContext& context) {
    const slurm::Job& job = context.job();
    ResizeStep step = context.wait();
    const std::string& reason = context.waiting().waits_for;
    step.entry.returned_for = reason.empty() ? job.reason : reason;
    want_as_before(context, step);
    context.waiting().eligible.reset();
    return step;
}

// Others have taken what it had. A larger batch than the smallest may not fit on fewer GPUs.
ResizeStep fall_back(const ResizeContext& context) {
    constexpr std::uint64_t smallest_batch = 0;
    ResizeStep step = context.wait();
    step.entry.has_fallen_back = true;
    step.entry.reserves_nodes = false;  // it waits for GPUs anywhere, and maybe for long
    const Resize& resize = context.entry().resize;
    const auto smaller =
        context.scene().shaper.fallback(context.job(), resize, std::max(resize.from, 1U));
    if (smaller && !(*smaller == context.job().shape)) {
        want(context, step, *smaller, smallest_batch);
    }
    return step;
}

// Slurm has ended the reservation, or somebody has changed it, or our change was done in part.
ResizeStep join_or_leave(const ResizeContext& context) {
    ResizeStep step = context.wait();
    const bool joins = context.entry().reserves_nodes;
    if (joins && (!context.scene().are_nodes_reserved || context.entry().tries > 0)) {
        step.entry.reserves_nodes = false;
        return step;
    }
    ++step.entry.tries;
    put_into(joins ? slurm::restart_reservation : "", context, step);
    return step;
}

ResizeStep after_begin(const ResizeContext& context) {
    const Seconds now = context.scene().now.steady;
    Waiting& waiting = context.waiting();
    if (!waiting.eligible) {
        waiting.eligible = now;
    }
    // Each change takes the reason away until Slurm looks at the job again.
    if (context.job().reason != "None") {
        waiting.waits_for = context.job().reason;
    }
    const Seconds eligible = now - *waiting.eligible;
    if (eligible > context.scene().limits.fallback) {
        if (context.entry().returned_for.empty()) {
            return return_to_old_size(context);
        }
        if (!context.entry().has_fallen_back) {
            return fall_back(context);
        }
    }
    const Seconds pause = eligible < often_woken ? Seconds(1) : seldom;
    if (waiting.woken && now - *waiting.woken < pause) {
        return context.wait();
    }
    waiting.woken = now;
    ResizeStep step = context.wait();
    step.act = Act::change;  // of nothing: it wakes the scheduler
    return step;
}

}  // namespace

ResizeStep updating_step(const ResizeContext& context) {
    const slurm::Job& job = context.job();
    const std::uint32_t tries = context.entry().tries;
    if (!context.is_pending()) {
        return runs(context);
    }
    if (job.is_held()) {
        return context.finish(Ending::held, "the job is held");
    }
    if (context.is_changed()) {
        return context.leave();
    }
    ResizeStep step = context.go_to(ResizeState::waiting_to_start);
    if (tries >= 2 * most_tries) {
        step.entry.reserves_nodes = false;
        return step;  // not even its priority: it waits as it is
    }
    if (const auto question = context.ask_for_own()) {
        ResizeStep asking = context.wait();
        ++asking.entry.tries;
        asking.act = Act::change;
        asking.change = *question;
        return asking;
    }
    step.change = context.raise(step.entry);
    step.act = Act::change;
    join_unless_refused(context, step);
    if (needs_old_size(context)) {
        step.entry.returned_for = context.waiting().refusal;
        want_as_before(context, step);
        ++step.entry.tries;
        return step;
    }
    const bool has_shape = step.entry.wanted == job.shape;
    if (tries < most_tries && !has_shape) {
        step.change.shape = step.entry.wanted;
    } else if (!has_shape) {
        step.entry.wanted = job.shape;
        step.entry.next_batch = step.entry.batch_was;
    }
    if (is_batch_due(step.entry, job)) {
        put_batch(step.change, step.entry, job);
    }
    // Its size matters more, should Slurm not have both.
    if (is_limit_due(context.entry(), job) && tries + 1 < most_tries) {
        put_limit(step.change, step.entry, job, step.entry.next_limit);
    }
    ++step.entry.tries;
    return step;
}

ResizeStep waiting_step(const ResizeContext& context) {
    const slurm::Job& job = context.job();
    if (!context.is_pending()) {
        return runs(context);
    }
    if (job.is_held()) {
        return context.finish(Ending::held, "the job is held");
    }
    if (context.is_changed()) {
        return context.leave();
    }
    if (context.has_waited_enough()) {
        return context.finish(Ending::other_size, "it has waited too long for GPUs");
    }
    if (job.is_impossible()) {
        return go_back(context);
    }
    if (std::exchange(context.waiting().has_raised, false) && context.has_our_priority() &&
        job.former_hold != slurm::Hold::none) {
        // The hold came between our look and our change.
        ResizeStep step = context.wait();
        step.act = Act::hold;
        step.holds_by_user = job.former_hold == slurm::Hold::user;
        step.ending = Ending::held;
        step.remark = "the job is held";
        return step;
    }
    if (job.is_completing) {
        return context.wait();
    }
    const bool reserves = context.entry().reserves_nodes;
    if (job.is_in_restart_reservation != reserves &&
        (reserves || context.entry().tries < most_tries)) {
        return join_or_leave(context);
    }
    if (may_have_been_started(context)) {
        return let_begin(context, job.updated + slurm::settling_time);
    }
    // Only slurmctld's clock decides when it may begin, and either clock may be set meanwhile.
    return job.eligible > job.updated ? before_begin(context) : after_begin(context);
}

}  // namespace hora::horad
