// What is next for a job that waits and gets another size?
#include "scripts/horad/resize/pending_step.hpp"

#include "scripts/horad/journal/granted_limit.hpp"
#include "scripts/horad/resize/next_batch.hpp"
#include "scripts/horad/resize/next_limit.hpp"

namespace hora::horad {
namespace {

// slurmctld took a part of the change and then no more, again and again.
ResizeStep give_back(const ResizeContext& context) {
    const ResizeEntry& entry = context.entry();
    if (entry.tries >= 2 * most_tries) {
        return context.finish(Ending::refused,
                              "slurmctld took a part of the request, and does not revert that "
                              "either: " +
                                  context.waiting().refusal);
    }
    ResizeStep step = context.wait();
    ++step.entry.tries;
    step.act = Act::change;
    step.change.shape = entry.was;
    step.change.seen = slurm::seen_request(context.job());
    if (entry.next_limit > Seconds(0) && context.job().time_limit == entry.next_limit) {
        step.change.time_limit = entry.limit;
        step.change.admin_comment = without_granted(context.job().admin_comment);
    }
    put_back_batch(step.change, entry, context.job());
    step.ending = Ending::refused;
    step.remark = context.waiting().refusal;
    return step;
}

}  // namespace

ResizeStep pending_step(const ResizeContext& context) {
    const slurm::JobShape& now = context.job().shape;
    const ResizeEntry& entry = context.entry();
    if (!context.is_pending()) {
        // A part of the change may be enough for slurmctld to start it.
        return context.is_running() && context.job().gpus == entry.resize.to
                   ? context.finish(Ending::pending, {})
                   : context.finish(Ending::refused, "the job started meanwhile");
    }
    const bool has_size = asks_alike(now, entry.wanted);
    const bool is_as_wanted = has_size && !is_batch_due(entry, context.job());
    // PendingChanges sees to one that slurmctld has stopped.
    if ((is_as_wanted && entry.tries == 0) || (has_size && context.job().is_impossible())) {
        return context.finish(Ending::pending, {});
    }
    if (!is_between(now, entry.was, entry.wanted)) {
        return context.leave();
    }
    if (entry.tries >= most_tries) {
        return has_size ? give_back(context)
                        : context.finish(Ending::refused, context.waiting().refusal);
    }
    // Also where it seems to be done: slurmctld may have taken only a part.
    ResizeStep step = context.wait();
    ++step.entry.tries;
    if (entry.priority == 0) {
        step.entry.priority = context.job().priority;
    }
    step.act = Act::change;
    step.change.shape = entry.wanted;
    step.change.seen = slurm::seen_request(context.job());
    if (is_limit_due(entry, context.job())) {
        put_limit(step.change, entry, context.job(), entry.next_limit);
    }
    if (is_batch_due(entry, context.job())) {
        put_batch(step.change, entry, context.job());
    }
    step.ending = Ending::pending;
    return step;
}

}  // namespace hora::horad
